/**
 * The steps of a write: a generator that yields what it has to wait for. Whoever runs it gives it
 * that (README.md).
 */
import { ConversionNeeded } from '../types/conversion.ts';

/** A large write gives others a turn here, and has `ahead` done elsewhere before its own. */
export class Turn {
  readonly ahead: (() => Promise<void>) | undefined;

  constructor(ahead?: () => Promise<void>) {
    this.ahead = ahead;
  }
}

/** The write begins again, from its start, once these conversions are known. */
export class RestartWrite {
  readonly needed: ConversionNeeded;

  constructor(needed: ConversionNeeded) {
    this.needed = needed;
  }
}

/** A thing that a write waits for. A promise that rejects refuses the write. */
export type Need = Turn | RestartWrite | ConversionNeeded | Promise<unknown>;

/** A part of a write, or a whole one. Throws StatusError for a write that is refused. */
export type Steps<T> = Generator<Need, T, void>;

export const TURN = new Turn();

/** Does work that can be done once more, as soon as the conversions are known that it needs. */
export function* whenConverted<T>(work: () => T): Steps<T> {
  for (;;) {
    const done = neededOr(work);
    if (!(done instanceof ConversionNeeded)) return done;
    yield done;
  }
}

/**
 * Like `whenConverted`, for work that changes its input: the write begins again with conversions.
 */
export function* orRestart<T>(work: () => T): Steps<T> {
  const done = neededOr(work);
  if (!(done instanceof ConversionNeeded)) return done;
  yield new RestartWrite(done);
  throw new Error('a write that begins again goes on');
}

function neededOr<T>(work: () => T): T | ConversionNeeded {
  try {
    return work();
  } catch (error) {
    if (error instanceof ConversionNeeded) return error;
    throw error;
  }
}
