/** The metrics of this thread: where cells are taken. */
import { SAMPLE_INTERVAL_MS } from '../limits.ts';
import type { Cell, Histogram } from './cells.ts';
import type { MetricDefinition } from './metric-definition.ts';
import { claimStore, COUNTERS } from './metric-store.ts';
import type { SharedMetrics } from './metric-store.ts';
import { ownDefinition } from './metric-forms.ts';
import type { METRICS } from './metric-table.ts';
import { SeriesWriter } from './series-writer.ts';
import type { Series } from './series-writer.ts';

type Table = typeof METRICS;
type NameOf<T extends MetricDefinition['type'] | 'counter' | 'gauge'> = {
  [N in keyof Table]: Table[N]['type'] extends T ? N : never;
}[keyof Table];
type LabelsOf<N extends keyof Table> = { readonly [L in Table[N]['labels'][number]]: string };

/** Metrics that are one number. */
type CellName = NameOf<'counter' | 'gauge'>;
type HistogramName = NameOf<'histogram'>;

const writer = new SeriesWriter();
const samplers = new Set<() => void>();
let threadName: string | undefined;
let shared: SharedMetrics | undefined;

/**
 * Gives the thread a place among those that are scraped, once; what was counted before goes there.
 * `name` is told by the figures that are of a thread; absent for one with a number. False for a
 * thread that has joined.
 */
export function joinMetrics(all: SharedMetrics, givenName?: string): boolean {
  if (shared !== undefined) return false;
  const name = givenName ?? `worker-${Atomics.add(all.counters, COUNTERS.numbered, 1)}`;
  shared = all;
  threadName = name;
  writer.moveTo(claimStore(all));
  const refused = new SeriesSet().cell('shardplane_metric_series_refused', { thread: name });
  samplers.add(() => refused.set(writer.refused));
  setInterval(sampleNow, SAMPLE_INTERVAL_MS).unref();
  return true;
}

/** The metrics that this thread has joined, and its name there. */
export function joinedMetrics(): { readonly shared: SharedMetrics; readonly name: string } {
  if (shared === undefined || threadName === undefined) {
    throw new Error('the thread has no metrics');
  }
  return { shared, name: threadName };
}

/** Has `sample` run every second, for figures that are looked at; gives what ends that. */
export function sampleEverySecond(sample: () => void): () => void {
  samplers.add(sample);
  return () => samplers.delete(sample);
}

/** Runs all samples of the thread. */
export function sampleNow(): void {
  for (const sample of samplers) sample();
}

/**
 * Cells of one owner, which are gone when it is: of a type that is served no more. The same series
 * may have several owners.
 */
export class SeriesSet {
  readonly #series = new Set<Series>();
  #isReleased = false;

  /** A counter or a gauge. */
  cell<N extends CellName>(name: N, labels: LabelsOf<N>): Cell {
    return this.#take(name, labels).cell as Cell;
  }

  histogram<N extends HistogramName>(name: N, labels: LabelsOf<N>): Histogram {
    return this.#take(name, labels).cell as Histogram;
  }

  /** Whoever still counts does it for nobody. */
  release(): void {
    this.#isReleased = true;
    for (const series of this.#series) writer.release(series);
    this.#series.clear();
  }

  #take<N extends keyof Table>(name: N, labels: LabelsOf<N>): Series {
    const definition = ownDefinition(name);
    const texts = labels as Readonly<Record<string, string>>;
    const series = writer.take(name, definition, labelText(definition.labels, texts));
    if (this.#isReleased || this.#series.has(series)) writer.release(series);
    else this.#series.add(series);
    return series;
  }
}

/** For series that are there for as long as the thread. */
export const THREAD_SERIES = new SeriesSet();

/** `a="b",c="d"`, escaped as scrapes have it. */
export function labelText(
  names: readonly string[],
  labels: Readonly<Record<string, string>>,
): string {
  return names.map((name) => `${name}="${escaped(labels[name] ?? '')}"`).join(',');
}

function escaped(text: string): string {
  if (!/[\\"\n]/.test(text)) return text;
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
