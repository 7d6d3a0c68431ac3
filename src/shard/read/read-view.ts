/**
 * Reads are answered from a view: the state of a type at one version, the newest or one inside the
 * history window. A view is of the turn in which it was given; who reads on in a later turn asks
 * for the view at the same version again.
 */
import type { PastObject, PastState } from '../log/past-states.ts';
import type { Shard } from '../state/shard.ts';
import { afterKey } from '../table/object-table.ts';
import type { FieldValue, KeyRange, ObjectTable } from '../table/object-table.ts';
import type { TableEntry } from '../table/table-entry.ts';

export class ReadView {
  /** All changes up to this version are in it, and none above it. */
  readonly rv: number;
  readonly #table: ObjectTable;
  /** The objects that were replaced since; absent where none can have been. */
  readonly #past: PastState | undefined;
  readonly #asOf: number;

  constructor(rv: number, table: ObjectTable, past?: PastState) {
    this.rv = rv;
    this.#table = table;
    this.#past = past;
    this.#asOf = past === undefined ? Infinity : rv;
  }

  /** Whether it is older than the table: then its objects cannot be counted without a look. */
  get isPast(): boolean {
    return this.#past !== undefined;
  }

  /** The version of an object; undefined where there was none. */
  versionOf(key: string): number | undefined {
    return this.objectOf(key)?.rv;
  }

  /** An object; undefined where there was none. */
  objectOf(key: string): PastObject | undefined {
    const entry = this.#table.get(key);
    if (entry !== undefined && this.holds(entry)) return entry;
    return this.#replaced(key);
  }

  /** Whether it has an object of the table in this version, and not in an older one or none. */
  holds({ rv }: TableEntry): boolean {
    return rv <= this.#asOf;
  }

  /** Visits the table, in the order of lists, until `visit` returns false: see `holds`. */
  scanTable(
    range: KeyRange,
    visit: (entry: TableEntry) => boolean | void,
    only?: FieldValue,
  ): void {
    this.#table.scan(range, visit, only);
  }

  /** Visits the objects that were replaced or deleted since, until `visit` returns false. */
  scanReplaced({ from, to }: KeyRange, visit: (object: PastObject) => boolean | void): void {
    this.#past?.replaced.scan(from, to, (_key, object) => visit(object));
  }

  /** Counts the objects of a range. */
  count(range: KeyRange): number {
    const now = this.#table.count(range);
    if (this.#past === undefined) return now;
    let newer = 0;
    this.#table.scan(range, (entry) => {
      if (!this.holds(entry)) newer++;
    });
    return now - newer + this.#past.replaced.countRange(range.from, range.to);
  }

  #replaced(key: string): PastObject | undefined {
    let found: PastObject | undefined;
    this.scanReplaced({ from: key, to: afterKey(key) }, (object) => void (found = object));
    return found;
  }
}

/** The newest committed state, of this turn. */
export function newestView({ pipeline, table }: Shard): ReadView {
  return new ReadView(pipeline.listVersion(), table);
}

/**
 * Calls `then` with the state at an old version: at once, or after turns in which others were
 * served. With undefined when that version is no longer in the history window.
 */
export function viewAt(
  { past, table }: Shard,
  rv: number,
  then: (view: ReadView | undefined) => void,
): void {
  past.at(rv, (state) => then(state && new ReadView(rv, table, state)));
}
