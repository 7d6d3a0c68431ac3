/** Which numbers of a range are in use, and which one is given out next. */
import type { RangeFigures } from '../../allocator.ts';
import { AllocationCounts } from './allocation-counts.ts';
import type { RandomBelow } from './address-range.ts';
import type { NumberRange } from './service-ranges.ts';

const RANDOM_TRIES = 16;

/** The numbers of a range that are in use. */
export class NumberPool {
  readonly range: NumberRange;
  readonly counts = new AllocationCounts();
  readonly #randomBelow: RandomBelow;
  /** The first one that is given out while there are others. */
  readonly #firstDynamic: number;
  readonly #used = new Set<number>();
  #usedLow = 0;

  /** `low` numbers at the beginning of the range are given out last. */
  constructor(range: NumberRange, low: number, randomBelow: RandomBelow) {
    this.range = range;
    this.#randomBelow = randomBelow;
    this.#firstDynamic = range.first + low;
  }

  get figures(): RangeFigures {
    const { first, last } = this.range;
    const used = this.#used.size;
    return { used, free: last - first + 1 - used, counts: this.counts.counts };
  }

  contains(number: number): boolean {
    return number >= this.range.first && number <= this.range.last;
  }

  has(number: number): boolean {
    return this.#used.has(number);
  }

  take(number: number): void {
    if (!this.contains(number) || this.#used.has(number)) return;
    this.#used.add(number);
    if (number < this.#firstDynamic) this.#usedLow++;
  }

  release(number: number): void {
    if (this.#used.delete(number) && number < this.#firstDynamic) this.#usedLow--;
  }

  /** Picks a free number at random, so that one that was released is not soon used again. */
  takeAny(): number | undefined {
    const { first, last } = this.range;
    const number =
      this.#freeIn(this.#firstDynamic, last, this.#used.size - this.#usedLow) ??
      this.#freeIn(first, this.#firstDynamic - 1, this.#usedLow);
    if (number !== undefined) this.take(number);
    return number;
  }

  /** A free number from `first` to `last`, of which so many are used. */
  #freeIn(first: number, last: number, usedCount: number): number | undefined {
    const size = last - first + 1;
    if (usedCount >= size) return undefined;
    let number = first + this.#randomBelow(size);
    for (let tries = 1; tries < RANDOM_TRIES && this.#used.has(number); tries++) {
      number = first + this.#randomBelow(size);
    }
    while (this.#used.has(number)) number = number === last ? first : number + 1;
    return number;
  }
}
