import { FieldIndex } from './field-index.ts';
import type { OwnerIndex } from './owner-index.ts';
import { SortedKeys } from './sorted-keys.ts';
import type { TableEntry } from './table-entry.ts';

/** Keys from `from` on, below `to` (undefined: to the end). */
export interface KeyRange {
  readonly from: string;
  readonly to: string | undefined;
}

/** The objects whose field, the one at `position`, has this value. */
export interface FieldValue {
  readonly position: number;
  readonly value: string;
}

export const ALL_KEYS: KeyRange = { from: '', to: undefined };

/** Character after the `/` that ends a namespace in a key. */
const AFTER_SLASH = '0';

/** The keys of all objects in a namespace. */
export function keysOfNamespace(namespace: string): KeyRange {
  return { from: `${namespace}/`, to: namespace + AFTER_SLASH };
}

/** The least key above this one. */
export function afterKey(key: string): string {
  return `${key}\0`;
}

function isOwned(entry: TableEntry | undefined): boolean {
  return entry !== undefined && (entry.owners !== undefined || entry.awaits !== undefined);
}

/** Where records put the objects that they make. */
export interface EntryStore {
  get(key: string): TableEntry | undefined;
  set(entry: TableEntry): void;
  delete(key: string): void;
}

export class ObjectTable implements EntryStore {
  #entries = new Map<string, TableEntry>();
  readonly #order = new SortedKeys<TableEntry>();
  /** By the position of the field. */
  readonly #indexes: ReadonlyMap<number, FieldIndex>;
  /** Absent while nobody collects garbage. */
  readonly owners: OwnerIndex | undefined;

  constructor(indexedPositions: readonly number[] = [], owners?: OwnerIndex) {
    this.owners = owners;
    this.#indexes = new Map(
      indexedPositions.map((position) => [position, new FieldIndex(position)]),
    );
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): TableEntry | undefined {
    return this.#entries.get(key);
  }

  set(entry: TableEntry): void {
    const replaced = this.#entries.get(entry.key);
    for (const index of this.#indexes.values()) index.set(entry, replaced);
    if (isOwned(entry) || isOwned(replaced)) this.owners?.set(entry, replaced);
    this.#entries.set(entry.key, entry);
    this.#order.set(entry.key, entry);
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    for (const index of this.#indexes.values()) index.delete(entry);
    if (isOwned(entry)) this.owners?.delete(entry);
    this.#entries.delete(key);
    this.#order.delete(key);
  }

  /** Replaces all content by what `fill` puts in: much faster than to put it in one by one. */
  load(fill: (table: EntryStore) => void): void {
    const entries = new Map<string, TableEntry>();
    fill({
      get: (key) => entries.get(key),
      set: (entry) => void entries.set(entry.key, entry),
      delete: (key) => void entries.delete(key),
    });
    this.#entries = entries;
    this.#order.load(entries);
    for (const index of this.#indexes.values()) index.load(entries);
    this.owners?.load(entries);
  }

  /**
   * Visits the objects of a range in the order of lists, until `visit` returns false; with
   * `only`, of an indexed field, no others are looked at.
   */
  scan(
    { from, to }: KeyRange,
    visit: (entry: TableEntry) => boolean | void,
    only?: FieldValue,
  ): void {
    const order = only === undefined ? this.#order : this.#withValue(only);
    order?.scan(from, to, (_key, entry) => visit(entry));
  }

  /** Counts the objects of the range; costs much less than a scan. */
  count({ from, to }: KeyRange): number {
    return this.#order.countRange(from, to);
  }

  #withValue({ position, value }: FieldValue): SortedKeys<TableEntry> | undefined {
    return this.#indexes.get(position)?.withValue(value);
  }
}
