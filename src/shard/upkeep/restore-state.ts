/**
 * Restores of snapshots as a shard knows them. An object and its owners may come back at different
 * times: what somebody found before a restore has ended in all types is no ground for a decision
 * afterwards.
 */
import type { Shard } from '../state/shard.ts';

const states = new WeakMap<Shard, RestoreState>();

export class RestoreState {
  #number = 0;
  #isUnderWay = false;
  #onWritten: () => void = () => undefined;

  /** The number of the last restore that has ended: what is found now is as of then. */
  get number(): number {
    return this.#number;
  }

  begin(): void {
    this.#isUnderWay = true;
  }

  /** All types are restored. Numbers grow from restore to restore. */
  end(number: number): void {
    this.#isUnderWay = false;
    this.#number = number;
  }

  /** Whether a restore has begun since something was found. */
  isStale(number: number): boolean {
    return this.#isUnderWay || this.#number > number;
  }

  /** What is to be done in the turn in which objects of the shard are written back. */
  whenWritten(then: () => void): void {
    this.#onWritten = then;
  }

  written(): void {
    this.#onWritten();
  }
}

/** That of a shard. */
export function restoreState(shard: Shard): RestoreState {
  const known = states.get(shard) ?? new RestoreState();
  states.set(shard, known);
  return known;
}
