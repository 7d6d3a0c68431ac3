/** Counts what is given out of the ranges of services, and what could not be, for metrics. */
import type { RangeFigures, ScopeCounts } from '../../allocator.ts';

/** `static` is what is asked for by its value, `dynamic` is any. */
export type Scope = keyof RangeFigures['counts'];

export class AllocationCounts {
  readonly #counts = {
    static: { given: 0, refused: 0 },
    dynamic: { given: 0, refused: 0 },
  };
  /** Since they were last looked at. */
  #seconds: number[] = [];

  gave(scope: Scope, seconds?: number): void {
    this.#counts[scope].given++;
    if (seconds !== undefined) this.#seconds.push(seconds);
  }

  refused(scope: Scope): void {
    this.#counts[scope].refused++;
  }

  get counts(): Readonly<Record<Scope, ScopeCounts>> {
    return this.#counts;
  }

  takeSeconds(): readonly number[] {
    const seconds = this.#seconds;
    this.#seconds = [];
    return seconds;
  }
}
