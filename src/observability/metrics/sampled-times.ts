/**
 * Times of what is short and frequent: to look at the clock costs more than to count. Some are
 * timed, and those that follow are taken to be like the last of them.
 */
import type { Histogram } from './cells.ts';
import { sampleEverySecond } from './thread-metrics.ts';

/** So many are there for each that is timed. */
export const TIMED_ONE_IN = 64;

/** For as long as the thread. */
export class SampledTimes {
  readonly #histogram: Histogram;
  #lastSeconds = 0;
  #untimed = 0;

  constructor(histogram: Histogram) {
    this.#histogram = histogram;
    sampleEverySecond(() => this.#tell());
  }

  /** One that was not timed; it is told of within a second. */
  passed(): void {
    this.#untimed++;
  }

  /** One that was. */
  took(milliseconds: number): void {
    this.#tell();
    this.#lastSeconds = milliseconds / 1_000;
    this.#histogram.observe(this.#lastSeconds);
  }

  #tell(): void {
    if (this.#untimed > 0) this.#histogram.observe(this.#lastSeconds, this.#untimed);
    this.#untimed = 0;
  }
}
