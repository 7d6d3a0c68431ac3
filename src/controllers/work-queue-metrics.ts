/** Metrics of a work queue, by the names that all controllers have for them. */
import type { Cell, Histogram } from '../observability/metrics/cells.ts';
import { sampleEverySecond, SeriesSet } from '../observability/metrics/thread-metrics.ts';

export class WorkQueueMetrics {
  readonly #series = new SeriesSet();
  readonly #adds: Cell;
  readonly #depth: Cell;
  readonly #retries: Cell;
  readonly #unfinished: Cell;
  readonly #longest: Cell;
  readonly #waited: Histogram;
  readonly #worked: Histogram;
  readonly #addedMs = new Map<string, number>();
  readonly #begunMs = new Map<string, number>();
  readonly #endSamples: () => void;

  constructor(name: string) {
    const series = this.#series;
    this.#adds = series.cell('workqueue_adds_total', { name });
    this.#depth = series.cell('workqueue_depth', { name });
    this.#retries = series.cell('workqueue_retries_total', { name });
    this.#unfinished = series.cell('workqueue_unfinished_work_seconds', { name });
    this.#longest = series.cell('workqueue_longest_running_processor_seconds', { name });
    this.#waited = series.histogram('workqueue_queue_duration_seconds', { name });
    this.#worked = series.histogram('workqueue_work_duration_seconds', { name });
    this.#endSamples = sampleEverySecond(() => this.#sample());
  }

  /** A key waits that did not before. */
  added(key: string): void {
    this.#adds.add();
    this.#depth.add(1);
    this.#addedMs.set(key, performance.now());
  }

  began(key: string): void {
    const nowMs = performance.now();
    this.#depth.add(-1);
    this.#waited.observe((nowMs - (this.#addedMs.get(key) ?? nowMs)) / 1_000);
    this.#addedMs.delete(key);
    this.#begunMs.set(key, nowMs);
  }

  ended(key: string): void {
    const nowMs = performance.now();
    this.#worked.observe((nowMs - (this.#begunMs.get(key) ?? nowMs)) / 1_000);
    this.#begunMs.delete(key);
  }

  retried(): void {
    this.#retries.add();
  }

  /** Nothing waits any more, and nothing is told. */
  stopped(): void {
    this.#endSamples();
    this.#series.release();
  }

  #sample(): void {
    const nowMs = performance.now();
    let unfinishedMs = 0;
    let longestMs = 0;
    for (const begunMs of this.#begunMs.values()) {
      unfinishedMs += nowMs - begunMs;
      longestMs = Math.max(longestMs, nowMs - begunMs);
    }
    this.#unfinished.set(unfinishedMs / 1_000);
    this.#longest.set(longestMs / 1_000);
  }
}
