/**
 * The memory in which the metrics of a thread stand. It is shared: its thread alone writes, and
 * whoever renders reads all stores without asking anybody.
 *
 * - `cells` are numbers: one of a counter or a gauge; of a histogram its sum, then its buckets.
 * - `series` is text, a line for each series in the order in which they were taken: the place of
 *   its first cell, its metric, its labels. `-` and a place say that the series there is gone.
 * - `head` says how much of the text counts, and in which layout: it is even, and another one
 *   after all series were moved. While they are moved it is odd.
 */
import { METRIC_CELLS_BYTES_MAX, METRIC_SERIES_BYTES_MAX } from '../limits.ts';

export const HEAD = { layout: 0, textLength: 1 } as const;

export interface MetricStore {
  readonly head: Int32Array;
  readonly cells: SharedArrayBuffer;
  readonly series: SharedArrayBuffer;
}

/** The memory of all metrics, which the main thread makes and gives to all others. */
export interface SharedMetrics {
  readonly stores: readonly MetricStore[];
  /** See `COUNTERS`. */
  readonly counters: Int32Array;
}

/**
 * Places of counters: stores that are taken, threads with a number, and 1 while one is profiled.
 */
export const COUNTERS = { claimed: 0, numbered: 1, isProfiling: 2 } as const;

const BYTES_AT_FIRST = 16 * 1024;

export function newMetricStore(): MetricStore {
  return {
    head: new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)),
    cells: new SharedArrayBuffer(BYTES_AT_FIRST, { maxByteLength: METRIC_CELLS_BYTES_MAX }),
    series: new SharedArrayBuffer(BYTES_AT_FIRST, { maxByteLength: METRIC_SERIES_BYTES_MAX }),
  };
}

/** Stores for so many threads. */
export function newSharedMetrics(threads: number): SharedMetrics {
  return {
    stores: Array.from({ length: threads }, newMetricStore),
    counters: new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT)),
  };
}

/** A store that nobody else has. Throws when there are more threads than were said. */
export function claimStore({ stores, counters }: SharedMetrics): MetricStore {
  const store = stores[Atomics.add(counters, COUNTERS.claimed, 1)];
  if (store === undefined) throw new Error(`more than ${stores.length} threads have metrics`);
  return store;
}
