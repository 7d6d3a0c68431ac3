/** Errors on their way between threads: type, message and stack survive, and so does a Status. */
import { StatusError } from '../semantics/status.ts';
import type { Status } from '../semantics/status.ts';

export interface PackedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly status?: Status;
  readonly warnings?: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly times?: Readonly<Record<string, number>>;
  readonly webhookMs?: number;
}

/** A failure in another actor, not a Status: `name` is its type, `stack` shows both sides. */
export class ActorError extends Error {
  constructor(packed: PackedError, actor: string) {
    super(packed.message);
    this.name = packed.name;
    this.stack = `${packed.stack}\n    in actor ${actor}, asked by:\n${this.stack ?? ''}`;
  }
}

export function packError(error: unknown): PackedError {
  if (error instanceof StatusError) {
    const { name, message, status, warnings, annotations, times, webhookMs } = error;
    return {
      name,
      message,
      stack: '',
      status,
      ...(warnings !== undefined && { warnings }),
      ...(annotations !== undefined && { annotations }),
      ...(times !== undefined && { times }),
      ...(webhookMs !== undefined && { webhookMs }),
    };
  }
  if (error instanceof Error) {
    return { name: error.name, message: error.message, stack: error.stack ?? '' };
  }
  return { name: 'Error', message: String(error), stack: '' };
}

/**
 * What `run`, an actor, ends with: undefined when it has stopped, else its error. A rejected task
 * of a worker thread would lose the type of its error.
 */
export function endOfActor(run: Promise<void>): Promise<PackedError | undefined> {
  return run.then(() => undefined, packError);
}

export function unpackError(packed: PackedError, actor: string): Error {
  if (packed.status === undefined) return new ActorError(packed, actor);
  const { code, reason, message, details } = packed.status;
  const error = new StatusError(code ?? 500, reason ?? '', message ?? '', details);
  error.status.metadata = packed.status.metadata;
  error.warnings = packed.warnings;
  error.annotations = packed.annotations;
  error.times = packed.times;
  error.webhookMs = packed.webhookMs;
  return error;
}
