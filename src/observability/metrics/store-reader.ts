/** The reader's side of a store (metric-store.ts), from any thread. */
import { HEAD } from './metric-store.ts';
import type { MetricStore } from './metric-store.ts';

/** A series as one store has it. */
export interface ReadSeries {
  readonly metric: string;
  readonly labels: string;
  readonly at: number;
}

/** What a store has at one moment. */
export interface Snapshot {
  readonly values: Float64Array;
  /** By place. The same object for as long as nothing was added or has gone. */
  readonly series: ReadonlyMap<number, ReadSeries>;
  /** Another one after each change of `series`. */
  readonly change: number;
}

/** A store that is being moved together each time is read as it was. */
const TRIES = 3;

const EMPTY: Snapshot = { values: new Float64Array(0), series: new Map(), change: 0 };

export class StoreReader {
  readonly #store: MetricStore;
  readonly #series = new Map<number, ReadSeries>();
  #layout = 0;
  #textRead = 0;
  #change = 0;
  #last = EMPTY;

  constructor(store: MetricStore) {
    this.#store = store;
  }

  read(): Snapshot {
    const { head } = this.#store;
    for (let tried = 0; tried < TRIES; tried++) {
      const layout = Atomics.load(head, HEAD.layout);
      if (layout % 2 !== 0) continue;
      const textLength = Atomics.load(head, HEAD.textLength);
      const text = this.#newText(layout, textLength);
      const values = new Float64Array(this.#store.cells).slice();
      if (Atomics.load(head, HEAD.layout) !== layout) continue;
      this.#take(layout, textLength, text);
      this.#last = { values, series: this.#series, change: this.#change };
      break;
    }
    return this.#last;
  }

  /** What is not known yet. */
  #newText(layout: number, textLength: number): string {
    const from = layout === this.#layout ? this.#textRead : 0;
    return Buffer.from(this.#store.series).toString('utf8', from, textLength);
  }

  #take(layout: number, textLength: number, text: string): void {
    if (layout !== this.#layout) {
      this.#series.clear();
      this.#layout = layout;
      this.#change++;
    }
    this.#textRead = textLength;
    if (text === '') return;
    this.#change++;
    for (const line of text.split('\n')) {
      if (line === '') continue;
      if (line.startsWith('-')) this.#series.delete(Number(line.slice(1)));
      else this.#add(line);
    }
  }

  #add(line: string): void {
    const afterPlace = line.indexOf(' ');
    const afterMetric = line.indexOf(' ', afterPlace + 1);
    const at = Number(line.slice(0, afterPlace));
    const metric = line.slice(afterPlace + 1, afterMetric);
    this.#series.set(at, { metric, labels: line.slice(afterMetric + 1), at });
  }
}
