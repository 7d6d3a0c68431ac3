/** Durations of many requests, and what is said about them. */
export class Durations {
  #values = new Float64Array(65_536);
  #count = 0;

  add(milliseconds: number): void {
    if (this.#count === this.#values.length) {
      const grown = new Float64Array(this.#values.length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#count] = milliseconds;
    this.#count += 1;
  }

  get count(): number {
    return this.#count;
  }

  /** Values at these fractions (0.5 is the median), rounded to microseconds. */
  percentiles(fractions: readonly number[]): number[] {
    const sorted = this.#values.slice(0, this.#count).sort();
    return fractions.map((fraction) => {
      const at = Math.min(sorted.length - 1, Math.floor(fraction * sorted.length));
      return Math.round((sorted[at] ?? 0) * 1_000) / 1_000;
    });
  }
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
