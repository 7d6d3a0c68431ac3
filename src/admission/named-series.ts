/** Metrics of webhooks and policies, which come and go, by their names. */
import { SeriesSet } from '../observability/metrics/thread-metrics.ts';

/** Those that were first counted longest ago go. */
const NAMES_MAX = 1_000;

interface Named<T> {
  readonly series: SeriesSet;
  readonly counted: T;
}

export class NamedSeries<T> {
  readonly #named = new Map<string, Named<T>>();
  readonly #make: (name: string, series: SeriesSet) => T;

  constructor(make: (name: string, series: SeriesSet) => T) {
    this.#make = make;
  }

  of(name: string): T {
    let named = this.#named.get(name);
    if (named === undefined) {
      const series = new SeriesSet();
      named = { series, counted: this.#make(name, series) };
      this.#named.set(name, named);
      const [oldest = ''] = this.#named.keys();
      if (this.#named.size > NAMES_MAX) {
        this.#named.get(oldest)?.series.release();
        this.#named.delete(oldest);
      }
    }
    return named.counted;
  }
}
