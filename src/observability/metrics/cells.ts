/** Cells, in which code counts. A cell is taken once, and kept where it is used. */

/** Where numbers go that nobody is to see. */
const NOWHERE = new Float64Array(64);

/** Numbers of one series. What it stands in may change. */
class Place {
  protected values: Float64Array = NOWHERE;
  protected at = 0;

  moveTo(values: Float64Array, at: number): void {
    this.values = values;
    this.at = at;
  }

  /** From now on nobody sees what is counted. */
  detach(): void {
    this.moveTo(NOWHERE, 0);
  }
}

/** The number of a counter or a gauge. */
export class Cell extends Place {
  add(amount = 1): void {
    this.values[this.at]! += amount;
  }

  set(value: number): void {
    this.values[this.at] = value;
  }

  get value(): number {
    return this.values[this.at]!;
  }
}

export class Histogram extends Place {
  readonly #bounds: readonly number[];

  constructor(bounds: readonly number[]) {
    super();
    this.#bounds = bounds;
  }

  /** Counts a value, or several that are the same. */
  observe(value: number, times = 1): void {
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]!) bucket++;
    // The sum is followed by the smallest bucket, so that fast requests touch one place in memory.
    this.values[this.at]! += value * times;
    this.values[this.at + 1 + bucket]! += times;
  }
}

export type AnyCell = Cell | Histogram;

/** The count of numbers in a series: of a histogram the sum, its buckets, and the infinite one. */
export function cellsOf(buckets: readonly number[] | undefined): number {
  return buckets === undefined ? 1 : buckets.length + 2;
}
