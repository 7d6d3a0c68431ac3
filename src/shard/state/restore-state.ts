/**
 * Restores of snapshots as a shard knows them. An object and its owners may come back at different
 * times: what somebody found before a restore has ended in all types is no ground for a decision
 * afterwards.
 */
import type { RestoreCells } from '../../replicas/restore-cells.ts';

export class RestoreState {
  readonly #cells: RestoreCells;
  readonly #cell: number | undefined;
  #onWritten: () => void = () => undefined;

  /** `cell` is that of the type; undefined where nobody asks when it was written. */
  constructor(cells: RestoreCells, cell: number | undefined) {
    this.#cells = cells;
    this.#cell = cell;
  }

  /** The number of the last restore that has ended: what is found now is as of then. */
  get number(): number {
    return this.#cells.number;
  }

  /** Whether a restore has begun since something was found. */
  isStale(number: number): boolean {
    return this.#cells.isUnderWay || this.#cells.number > number;
  }

  /** A version of the type is staged, or the newest one was read. */
  staged(rv: number): void {
    if (this.#cell !== undefined) this.#cells.setWritten(this.#cell, rv);
  }

  /** What is to be done in the turn in which objects of the shard are written back. */
  whenWritten(then: () => void): void {
    this.#onWritten = then;
  }

  written(): void {
    this.#onWritten();
  }
}
