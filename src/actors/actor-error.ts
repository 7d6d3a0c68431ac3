/** Errors on their way between threads: type, message and stack survive, and so does a Status. */
import { StatusError } from '../semantics/errors/status.ts';
import type { Said, Status } from '../semantics/errors/status.ts';

export interface PackedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly status?: Status;
  readonly said?: Said;
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
    const { name, message, status, said } = error;
    return { name, message, stack: '', status, said };
  }
  if (error instanceof Error) {
    return { name: error.name, message: error.message, stack: error.stack ?? '' };
  }
  return { name: 'Error', message: String(error), stack: '' };
}

/**
 * The result that `run`, an actor, ends with: undefined when it has stopped, else its error. A
 * rejected task of a worker thread would lose the type of its error.
 */
export function endOfActor(run: Promise<void>): Promise<PackedError | undefined> {
  return run.then(() => undefined, packError);
}

export function unpackError(packed: PackedError, actor: string): Error {
  if (packed.status === undefined) return new ActorError(packed, actor);
  const { code, reason, message, details } = packed.status;
  const error = new StatusError(code ?? 500, reason ?? '', message ?? '', details);
  error.status.metadata = packed.status.metadata;
  if (packed.said !== undefined) error.said = packed.said;
  return error;
}
