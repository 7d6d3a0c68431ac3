/** Metrics of a queue whose items are worked on in rounds, as `workqueue_*` (README.md). */
import type { Cell, Histogram } from '../observability/metrics/cells.ts';
import { sampleEverySecond, SeriesSet } from '../observability/metrics/thread-metrics.ts';

export class RoundMetrics {
  readonly #series = new SeriesSet();
  readonly #retries: Cell;
  readonly #worked: Histogram;
  readonly #endSamples: () => void;
  #taken = 0;
  #begunMs: number | undefined;

  /** `size` gives how many items wait. */
  constructor(name: string, size: () => number) {
    const series = this.#series;
    const depth = series.cell('workqueue_depth', { name });
    const adds = series.cell('workqueue_adds_total', { name });
    this.#retries = series.cell('workqueue_retries_total', { name });
    this.#worked = series.histogram('workqueue_work_duration_seconds', { name });
    this.#endSamples = sampleEverySecond(() => {
      const waiting = size();
      depth.set(waiting);
      adds.set(this.#taken + waiting);
    });
  }

  /** A round of so many items begins. */
  began(items: number): void {
    this.ended();
    this.#taken += items;
    this.#begunMs = performance.now();
  }

  /** No round is under way. */
  ended(): void {
    if (this.#begunMs === undefined) return;
    this.#worked.observe((performance.now() - this.#begunMs) / 1_000);
    this.#begunMs = undefined;
  }

  /** The round has failed, and its items wait again. */
  failed(items: number): void {
    this.ended();
    this.#taken -= items;
    this.#retries.add(items);
  }

  stopped(): void {
    this.#endSamples();
    this.#series.release();
  }
}
