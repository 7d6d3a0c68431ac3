/** The reader's side of a store (metric-store.ts), from any thread. */
import { HEAD } from './metric-store.ts';
import type { MetricStore } from './metric-store.ts';

/** Is told of a series: its metric, its labels, and the place of its first number. */
export type VisitSeries = (metric: string, labels: string, at: number) => void;

/** A store that is being moved together each time is read as it was. */
const TRIES = 3;

export class StoreReader {
  readonly #store: MetricStore;
  #values = new Float64Array(0);
  #layout = 0;
  #textLength = 0;
  /** The names that were read at each look, in whole lines. */
  #texts: string[] = [];
  /** The number of texts that were visited, and the place up to which the next one was. */
  #textsVisited = 0;
  #visited = 0;
  /** Places whose series are gone. */
  #gone = new Set<number>();

  constructor(store: MetricStore) {
    this.#store = store;
  }

  /** The numbers, as they were at the last look. */
  get values(): Float64Array {
    return this.#values;
  }

  /** Looks at the store. False where what was visited is not what is there now. */
  look(): boolean {
    const { head } = this.#store;
    for (let tried = 0; tried < TRIES; tried++) {
      const layout = Atomics.load(head, HEAD.layout);
      if (layout % 2 !== 0) continue;
      const textLength = Atomics.load(head, HEAD.textLength);
      const isSame = layout === this.#layout;
      const from = isSame ? this.#textLength : 0;
      const text = Buffer.from(this.#store.series).toString('utf8', from, textLength);
      const values = new Float64Array(this.#store.cells).slice();
      if (Atomics.load(head, HEAD.layout) !== layout) continue;
      if (!isSame) this.#forget();
      this.#layout = layout;
      this.#textLength = textLength;
      this.#values = values;
      return this.#take(text) && isSame;
    }
    return true;
  }

  /** All that is there is to be visited, and not only what is new. */
  restart(): void {
    this.#textsVisited = 0;
    this.#visited = 0;
  }

  /** Visits so many series at most; false once there are no more. */
  visit(series: number, visit: VisitSeries): boolean {
    for (let count = 0; count < series; count++) {
      const text = this.#texts[this.#textsVisited];
      if (text === undefined) return false;
      const end = text.indexOf('\n', this.#visited);
      this.#visitLine(text, this.#visited, end, visit);
      this.#visited = end + 1;
      if (this.#visited < text.length) continue;
      this.#textsVisited++;
      this.#visited = 0;
    }
    return true;
  }

  #forget(): void {
    this.#texts = [];
    this.#gone = new Set();
    this.restart();
  }

  /** False where it says that series are gone. */
  #take(text: string): boolean {
    if (text === '') return true;
    this.#texts.push(text);
    const gone = [...text.matchAll(/^-(\d+)$/gm)].map(([, at]) => Number(at));
    for (const at of gone) this.#gone.add(at);
    return gone.length === 0;
  }

  #visitLine(text: string, start: number, end: number, visit: VisitSeries): void {
    if (text.startsWith('-', start)) return;
    const afterPlace = text.indexOf(' ', start);
    const at = Number(text.slice(start, afterPlace));
    if (this.#gone.has(at)) return;
    const afterMetric = text.indexOf(' ', afterPlace + 1);
    visit(text.slice(afterPlace + 1, afterMetric), text.slice(afterMetric + 1, end), at);
  }
}
