/**
 * Writes the answer to a scrape: the series of all threads, summed where several have the same, as
 * Prometheus text or OpenMetrics. No other thread is asked, and other work has its turns meanwhile.
 * Series stand in the order in which they came.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SCRAPE_TURN_MS } from '../limits.ts';
import type { MetricDefinition } from './metric-definition.ts';
import type { MetricStore } from './metric-store.ts';
import { braced, headOf, type ScrapeFormat } from './scrape-format.ts';
import { SeriesPage, type MergedSeries } from './series-page.ts';
import { StoreReader } from './store-reader.ts';
import type { VisitSeries } from './store-reader.ts';

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

/** Series that are taken before somebody looks at the clock. */
const SERIES_AT_ONCE = 128;

/** A metric, and all of its series. */
interface Family {
  readonly definition: MetricDefinition;
  readonly byLabels: Map<string, MergedSeries>;
  readonly pages: SeriesPage[];
}

export class Exposition {
  readonly #options: ExpositionOptions;
  readonly #readers: readonly StoreReader[];
  #families: ReadonlyMap<string, Family>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ExpositionOptions) {
    this.#options = options;
    this.#readers = options.stores.map((store) => new StoreReader(store));
    this.#families = this.#noFamilies();
  }

  /** The parts of a scrape, one after the other; none of them is large. */
  render(format: ScrapeFormat): Promise<readonly Buffer[]> {
    const rendered = this.#last.then(() => this.#render(format));
    this.#last = rendered.catch(() => undefined);
    return rendered;
  }

  async #render(format: ScrapeFormat): Promise<readonly Buffer[]> {
    const turn = new Turn();
    await this.#merge(turn);
    const stores = this.#readers.map(({ values }) => values);
    const found = Map.groupBy(this.#options.samples(), ({ metric }) => metric);
    const parts: Buffer[] = [];
    const add = (text: string): void => void parts.push(Buffer.from(text));
    for (const [name, { definition, pages }] of this.#families) {
      const sampled = found.get(name) ?? [];
      if (pages.length + sampled.length > 0) add(headOf(name, definition, format));
      for (const page of pages) {
        parts.push(page.text(format, stores));
        if (turn.isOver) await turn.end();
      }
      for (const { labels, value } of sampled) add(`${name}${braced(labels)} ${value}\n`);
    }
    if (format === 'openmetrics') add('# EOF\n');
    return parts;
  }

  /** Finds which places of which stores are the same series. */
  async #merge(turn: Turn): Promise<void> {
    const areSame = this.#readers.map((reader) => reader.look());
    if (areSame.includes(false)) {
      this.#families = this.#noFamilies();
      for (const reader of this.#readers) reader.restart();
    }
    for (const [store, reader] of this.#readers.entries()) {
      const add: VisitSeries = (metric, labels, at) => this.#add(store, metric, labels, at);
      while (reader.visit(SERIES_AT_ONCE, add)) if (turn.isOver) await turn.end();
    }
  }

  #add(store: number, metric: string, labels: string, at: number): void {
    const family = this.#families.get(metric);
    if (family === undefined) return;
    const { definition, byLabels, pages } = family;
    const known = byLabels.get(labels);
    if (known !== undefined) {
      (known.others ??= []).push(store, at);
      return;
    }
    const series: MergedSeries = { labels, store, at, others: undefined };
    byLabels.set(labels, series);
    let page = pages.at(-1);
    if (page === undefined || page.isFull) pages.push((page = new SeriesPage(metric, definition)));
    page.add(series);
  }

  #noFamilies(): ReadonlyMap<string, Family> {
    const { metrics } = this.#options;
    return new Map(
      Object.entries(metrics).map(([name, definition]) => [
        name,
        { definition, byLabels: new Map(), pages: [] },
      ]),
    );
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
