/**
 * What a scrape gets: the series of all threads, summed where several have the same, as Prometheus
 * text or OpenMetrics. Nobody else is asked, and others have their turns while it is made.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SCRAPE_TURN_MS } from '../limits.ts';
import { helpOf } from './metric-definition.ts';
import type { MetricDefinition } from './metric-definition.ts';
import type { MetricStore } from './metric-store.ts';
import { StoreReader } from './store-reader.ts';
import type { Snapshot } from './store-reader.ts';

export type ScrapeFormat = 'text' | 'openmetrics';

/** A number that is found at the scrape, of a metric that no thread counts. */
export interface Sample {
  readonly metric: string;
  readonly labels: string;
  readonly value: number;
}

export interface ExpositionOptions {
  readonly stores: readonly MetricStore[];
  /** Those that are shown, in the order of their names. */
  readonly metrics: Readonly<Record<string, MetricDefinition>>;
  readonly samples: () => readonly Sample[];
}

/** A series of all threads together. */
interface Merged {
  readonly labels: string;
  /** Pairs: the store, and the place there. */
  readonly parts: number[];
  /** What it was when it was last told, and how. */
  readonly numbers: Float64Array;
  readonly texts: Map<ScrapeFormat, Buffer>;
}

export class Exposition {
  readonly #options: ExpositionOptions;
  readonly #readers: readonly StoreReader[];
  #changes = '';
  #merged: ReadonlyMap<string, readonly Merged[]> = new Map();

  constructor(options: ExpositionOptions) {
    this.#options = options;
    this.#readers = options.stores.map((store) => new StoreReader(store));
  }

  async render(format: ScrapeFormat): Promise<Buffer> {
    const { metrics, samples } = this.#options;
    const turn = new Turn();
    const snapshots = this.#readers.map((reader) => reader.read());
    await turn.end();
    await this.#merge(snapshots, turn);
    const found = Map.groupBy(samples(), ({ metric }) => metric);
    const parts: Buffer[] = [];
    const add = (text: string): void => void parts.push(Buffer.from(text));
    for (const [name, definition] of Object.entries(metrics)) {
      const all = this.#merged.get(name) ?? [];
      const sampled = found.get(name) ?? [];
      if (all.length + sampled.length > 0) add(headOf(name, definition, format));
      for (const series of all) {
        parts.push(textOf(name, definition, series, snapshots, format));
        if (turn.isOver) await turn.end();
      }
      for (const { labels, value } of sampled) add(`${name}${braced(labels)} ${value}\n`);
    }
    if (format === 'openmetrics') add('# EOF\n');
    return Buffer.concat(parts);
  }

  /** Which places of which stores are the same series. */
  async #merge(snapshots: readonly Snapshot[], turn: Turn): Promise<void> {
    const changes = snapshots.map(({ change }) => change).join();
    if (changes === this.#changes) return;
    const { metrics } = this.#options;
    const known = new Map<string, Map<string, Merged>>();
    for (const name of Object.keys(metrics)) known.set(name, new Map());
    for (const [store, { series }] of snapshots.entries()) {
      for (const { metric, labels, at } of series.values()) {
        const all = known.get(metric);
        const merged = all?.get(labels);
        if (merged !== undefined) merged.parts.push(store, at);
        else all?.set(labels, newMerged(metrics[metric]!, labels, [store, at]));
        if (turn.isOver) await turn.end();
      }
    }
    const sorted = new Map<string, readonly Merged[]>();
    for (const [name, all] of known) {
      const byLabels = [...all.values()].sort((a, b) => (a.labels < b.labels ? -1 : 1));
      sorted.set(name, byLabels);
      if (turn.isOver) await turn.end();
    }
    this.#merged = sorted;
    this.#changes = changes;
  }
}

/** Puts an end to what has taken long enough in one piece. */
class Turn {
  #endsMs = performance.now() + SCRAPE_TURN_MS;

  get isOver(): boolean {
    return performance.now() >= this.#endsMs;
  }

  async end(): Promise<void> {
    await nextTurn();
    this.#endsMs = performance.now() + SCRAPE_TURN_MS;
  }
}

function newMerged({ buckets }: MetricDefinition, labels: string, parts: number[]): Merged {
  const size = buckets === undefined ? 1 : buckets.length + 2;
  return { labels, parts, numbers: new Float64Array(size).fill(Number.NaN), texts: new Map() };
}

/** The lines of a series: those of before where no number has changed. */
function textOf(
  name: string,
  definition: MetricDefinition,
  series: Merged,
  snapshots: readonly Snapshot[],
  format: ScrapeFormat,
): Buffer {
  if (sum(series, snapshots)) series.texts.clear();
  let text = series.texts.get(format);
  if (text === undefined) {
    text = Buffer.from(
      definition.type === 'histogram'
        ? histogramText(name, definition, series, format)
        : `${name}${braced(series.labels)} ${series.numbers[0]}\n`,
    );
    series.texts.set(format, text);
  }
  return text;
}

/** Brings the numbers up to date; true where one has changed. */
function sum({ parts, numbers }: Merged, snapshots: readonly Snapshot[]): boolean {
  let hasChanged = false;
  for (let index = 0; index < numbers.length; index++) {
    let total = 0;
    for (let part = 0; part < parts.length; part += 2) {
      total += snapshots[parts[part]!]!.values[parts[part + 1]! + index]!;
    }
    hasChanged ||= numbers[index] !== total;
    numbers[index] = total;
  }
  return hasChanged;
}

function histogramText(
  name: string,
  { buckets = [] }: MetricDefinition,
  { labels, numbers }: Merged,
  format: ScrapeFormat,
): string {
  const before = labels === '' ? '' : `${labels},`;
  let count = 0;
  let text = '';
  for (const [index, bound] of [...buckets, Infinity].entries()) {
    count += numbers[index]!;
    text += `${name}_bucket{${before}le="${boundText(bound, format)}"} ${count}\n`;
  }
  const all = braced(labels);
  return `${text}${name}_sum${all} ${numbers[buckets.length + 1]}\n${name}_count${all} ${count}\n`;
}

/** As the reference's language writes numbers; OpenMetrics has a point in each. */
function boundText(bound: number, format: ScrapeFormat): string {
  if (bound === Infinity) return '+Inf';
  const [digits = '', power = ''] = bound.toExponential().split('e');
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 6) {
    const sign = exponent < 0 ? '-' : '+';
    return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
  }
  return format === 'openmetrics' && Number.isInteger(bound) ? `${bound}.0` : String(bound);
}

function braced(labels: string): string {
  return labels === '' ? '' : `{${labels}}`;
}

const TOTAL = '_total';

/** The counters of release 1.23 whose names do not say that they are some have no type there. */
function headOf(name: string, definition: MetricDefinition, format: ScrapeFormat): string {
  const help = helpOf(definition).replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  if (format === 'text') return `# HELP ${name} ${help}\n# TYPE ${name} ${definition.type}\n`;
  const isCounter = definition.type === 'counter';
  const type = isCounter && !name.endsWith(TOTAL) ? 'unknown' : definition.type;
  const family = type === 'counter' ? name.slice(0, -TOTAL.length) : name;
  const escaped = help.replaceAll('"', '\\"');
  return `# HELP ${family} ${escaped}\n# TYPE ${family} ${type}\n`;
}
