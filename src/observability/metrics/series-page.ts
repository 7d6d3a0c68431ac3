/**
 * Some series of one metric, and their lines: written once, and again when a number has changed. A
 * page is what a scrape is made of, so that nothing large is ever made in one piece.
 */
import { cellsOf } from './cells.ts';
import type { MetricDefinition } from './metric-definition.ts';
import { LineBuffer } from './line-buffer.ts';
import { boundText, braced, type ScrapeFormat } from './scrape-format.ts';

/** A series of all threads together. */
export interface MergedSeries {
  readonly labels: string;
  /** The first store that has it, and its place there. */
  readonly store: number;
  readonly at: number;
  /** Pairs of other stores, and places there. */
  others: number[] | undefined;
}

/** Some 64 KiB, as lines go. */
const LINES_MAX = 400;
/** One page is written at a time. */
const LINES = new LineBuffer();

export class SeriesPage {
  readonly #name: string;
  readonly #definition: MetricDefinition;
  readonly #size: number;
  readonly #seriesMax: number;
  readonly #series: MergedSeries[] = [];
  /** The numbers that were told last, one series after the other. */
  readonly #numbers: Float64Array;
  readonly #texts = new Map<ScrapeFormat, Buffer>();

  constructor(name: string, definition: MetricDefinition) {
    const { buckets } = definition;
    this.#name = name;
    this.#definition = definition;
    this.#size = cellsOf(buckets);
    // Buckets, the infinite one, sum and count.
    const lines = buckets === undefined ? 1 : buckets.length + 3;
    this.#seriesMax = Math.ceil(LINES_MAX / lines);
    this.#numbers = new Float64Array(this.#seriesMax * this.#size);
  }

  get isFull(): boolean {
    return this.#series.length === this.#seriesMax;
  }

  /** Adds a series to a page that is not full. */
  add(series: MergedSeries): void {
    this.#series.push(series);
    this.#texts.clear();
  }

  /** The lines as they are now; `stores` has the numbers of each. */
  text(format: ScrapeFormat, stores: readonly Float64Array[]): Buffer {
    if (this.#sum(stores)) this.#texts.clear();
    let text = this.#texts.get(format);
    if (text === undefined) {
      const isHistogram = this.#definition.type === 'histogram';
      text = isHistogram ? this.#histograms(format) : Buffer.from(this.#cells());
      this.#texts.set(format, text);
    }
    return text;
  }

  /** Brings the numbers up to date; true where one has changed. */
  #sum(stores: readonly Float64Array[]): boolean {
    const numbers = this.#numbers;
    const size = this.#size;
    let hasChanged = false;
    let to = 0;
    for (const { store, at, others = [] } of this.#series) {
      const values = stores[store]!;
      for (let index = 0; index < size; index++) {
        let total = values[at + index]!;
        for (let other = 0; other < others.length; other += 2) {
          total += stores[others[other]!]![others[other + 1]! + index]!;
        }
        hasChanged ||= numbers[to] !== total;
        numbers[to++] = total;
      }
    }
    return hasChanged;
  }

  #cells(): string {
    let text = '';
    for (const [index, { labels }] of this.#series.entries()) {
      text += `${this.#name}${braced(labels)} ${this.#numbers[index]}\n`;
    }
    return text;
  }

  /** Written as bytes: strings of so many parts take longer to clean up than to make. */
  #histograms(format: ScrapeFormat): Buffer {
    const name = this.#name;
    const numbers = this.#numbers;
    const bounds = [...(this.#definition.buckets ?? []), Infinity];
    const ends = bounds.map((bound) => Buffer.from(`le="${boundText(bound, format)}"} `));
    LINES.restart();
    for (const [index, { labels }] of this.#series.entries()) {
      const at = index * this.#size;
      const from = LINES.length;
      const start = LINES.addText(`${name}_bucket{${labels === '' ? '' : `${labels},`}`);
      let count = 0;
      for (const [bucket, end] of ends.entries()) {
        count += numbers[at + 1 + bucket]!;
        if (bucket > 0) LINES.addAgain(from, start);
        LINES.addBytes(end);
        LINES.addText(`${count}\n`);
      }
      const all = braced(labels);
      LINES.addText(`${name}_sum${all} ${numbers[at]}\n${name}_count${all} ${count}\n`);
    }
    return LINES.taken();
  }
}
