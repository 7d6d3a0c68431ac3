/** Random values. Pure code is given a source of them, so that a test knows what it does. */
import { randomInt, randomUUID } from 'node:crypto';

export interface Randomness {
  uuid(): string;
  /** A whole number from 0 on, and below the limit. */
  below(limit: number): number;
}

/** The source of values that nobody can foretell. */
export const RANDOMNESS: Randomness = {
  uuid: () => randomUUID(),
  below: (limit) => randomInt(limit),
};
