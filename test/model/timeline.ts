/**
 * Tells what was known when. Versions are given out in the order of time, so that each moment
 * splits them: below are those that somebody had seen by then, above those of writes not yet begun.
 */
import type { HistoryRecord } from './records.ts';

interface Mark {
  readonly time: number;
  readonly version: number;
}

/** The highest version that was seen before each moment. */
export class Seen {
  readonly #marks: Mark[] = [];

  constructor(marks: Iterable<Mark>) {
    let highest = 0;
    for (const { time, version } of [...marks].toSorted((a, b) => a.time - b.time)) {
      if (version <= highest) continue;
      highest = version;
      this.#marks.push({ time, version });
    }
  }

  before(time: number): number {
    return this.#marks[countWhile(this.#marks, (mark) => mark.time < time) - 1]?.version ?? 0;
  }
}

/** The lowest version of the writes that began after each moment. */
export class Begun {
  readonly #marks: Mark[] = [];

  constructor(marks: Iterable<Mark>) {
    let lowest = Infinity;
    for (const { time, version } of [...marks].toSorted((a, b) => b.time - a.time)) {
      if (version >= lowest) continue;
      lowest = version;
      this.#marks.unshift({ time, version });
    }
  }

  after(time: number): number {
    return this.#marks[countWhile(this.#marks, (mark) => mark.time <= time)]?.version ?? Infinity;
  }
}

/** How many items stand before the first that fails; the ones that pass come first. */
export function countWhile<T>(items: readonly T[], passes: (item: T) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(items[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Every version that a record shows, with the moment at which its client had it. */
export function marksOf(record: HistoryRecord): Mark[] {
  switch (record.record) {
    case 'write':
    case 'get':
      if (record.answer === undefined) return [];
      return [{ time: record.end, version: record.answer.version }];
    case 'list':
      return record.pages.slice(0, 1).map(({ version }) => ({ time: record.end, version }));
    case 'watch':
      return record.events.map(({ time, version }) => ({ time, version }));
    case 'deletecollection':
    case 'redefinition':
    case 'restore':
    case 'server':
      return [];
  }
}
