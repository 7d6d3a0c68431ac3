/**
 * The thread's side of its store (metric-store.ts): which series there are, and where. A series
 * that nobody uses any more leaves a line behind; when there are more such lines than series, what
 * is left is moved together. So a store is never larger than twice what was in use at a time.
 */
import { cellsOf, Cell, Histogram } from './cells.ts';
import type { AnyCell } from './cells.ts';
import type { MetricDefinition } from './metric-definition.ts';
import { HEAD, newMetricStore } from './metric-store.ts';
import type { MetricStore } from './metric-store.ts';

/** A series, shared by all of the thread who count in it. */
export interface Series {
  readonly metric: string;
  readonly labels: string;
  readonly size: number;
  readonly cell: AnyCell;
  at: number;
  users: number;
}

/** Lines of gone series that are never too many. */
const GONE_MIN = 256;

export class SeriesWriter {
  #store: MetricStore = newMetricStore();
  /** All of the cells as they are now; cells that were taken before may stand in a shorter view. */
  #values = new Float64Array(this.#store.cells, 0, this.#store.cells.byteLength / 8);
  #text = Buffer.from(this.#store.series);
  readonly #series = new Map<string, Series>();
  #cellsUsed = 0;
  #textLength = 0;
  #goneLines = 0;
  #refused = 0;

  /** Series for which there was no room. */
  get refused(): number {
    return this.#refused;
  }

  /** Moves everything to another store, of which nobody has read anything. */
  moveTo(store: MetricStore): void {
    const values = this.#values;
    this.#store = store;
    this.#values = new Float64Array(store.cells, 0, store.cells.byteLength / 8);
    this.#text = Buffer.from(store.series);
    this.#layOut(values);
  }

  /** The series of a metric with such labels, as they are shown: `a="b",c="d"`. */
  take(metric: string, { buckets }: MetricDefinition, labels: string): Series {
    const key = `${metric} ${labels}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      const cell = buckets === undefined ? new Cell() : new Histogram(buckets);
      series = { metric, labels, size: cellsOf(buckets), cell, at: -1, users: 0 };
      if (!this.#place(series)) {
        this.#refused++;
        return series;
      }
      this.#series.set(key, series);
    }
    series.users++;
    return series;
  }

  /** One of its users needs it no more; when it was the last one the series is gone. */
  release(series: Series): void {
    series.users--;
    const key = `${series.metric} ${series.labels}`;
    if (series.users > 0 || this.#series.get(key) !== series) return;
    this.#series.delete(key);
    series.cell.detach();
    this.#goneLines++;
    const isNoted = this.#write(`-${series.at}\n`);
    const limit = Math.max(GONE_MIN, this.#series.size);
    if (!isNoted || this.#goneLines > limit) this.#layOut(this.#values.slice(0, this.#cellsUsed));
  }

  /** False, and nothing is done, where it has no room. */
  #place(series: Series): boolean {
    if (!this.#makeRoom(series.size)) return false;
    const at = this.#cellsUsed;
    this.#values.fill(0, at, at + series.size);
    if (!this.#write(`${at} ${series.metric} ${series.labels}\n`)) return false;
    series.at = at;
    this.#cellsUsed += series.size;
    series.cell.moveTo(this.#values, at);
    return true;
  }

  #makeRoom(cells: number): boolean {
    const needed = (this.#cellsUsed + cells) * 8;
    const { cells: shared } = this.#store;
    if (needed <= shared.byteLength) return true;
    if (needed > shared.maxByteLength) return false;
    shared.grow(Math.min(Math.max(needed, shared.byteLength * 2), shared.maxByteLength));
    this.#values = new Float64Array(shared, 0, shared.byteLength / 8);
    return true;
  }

  /** Adds lines; whoever reads sees all of it or nothing. */
  #write(lines: string): boolean {
    const needed = this.#textLength + Buffer.byteLength(lines);
    const { series: shared, head } = this.#store;
    if (needed > shared.maxByteLength) return false;
    if (needed > shared.byteLength) {
      shared.grow(Math.min(Math.max(needed, shared.byteLength * 2), shared.maxByteLength));
      this.#text = Buffer.from(shared);
    }
    this.#textLength += this.#text.write(lines, this.#textLength);
    Atomics.store(head, HEAD.textLength, this.#textLength);
    return true;
  }

  /** Puts all series side by side again, with their numbers as they are in `values`. */
  #layOut(values: Float64Array): void {
    const { head } = this.#store;
    Atomics.add(head, HEAD.layout, 1);
    Atomics.store(head, HEAD.textLength, 0);
    this.#cellsUsed = 0;
    this.#textLength = 0;
    this.#goneLines = 0;
    for (const series of this.#series.values()) {
      const numbers = values.slice(series.at, series.at + series.size);
      // It had room before.
      this.#place(series);
      this.#values.set(numbers, series.at);
    }
    Atomics.add(head, HEAD.layout, 1);
  }
}
