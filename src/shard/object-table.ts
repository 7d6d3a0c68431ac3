/**
 * What a shard knows of its live objects without reading the store: version, labels and indexed
 * fields by key, in the order of lists (namespace, then name). Committed state only.
 */
import { SortedKeys } from './sorted-keys.ts';

export interface TableEntry {
  readonly key: string;
  readonly rv: number;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly fields: readonly string[];
}

/** Character after the `/` that ends a namespace in a key: bounds a scan of one namespace. */
const AFTER_SLASH = '0';

export class ObjectTable {
  #entries = new Map<string, TableEntry>();
  readonly #order = new SortedKeys<TableEntry>();

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): TableEntry | undefined {
    return this.#entries.get(key);
  }

  set(entry: TableEntry): void {
    this.#entries.set(entry.key, entry);
    this.#order.set(entry.key, entry);
  }

  delete(key: string): void {
    this.#entries.delete(key);
    this.#order.delete(key);
  }

  /** Replaces all content, and keeps the map: much faster than one `set` each. */
  load(entries: Map<string, TableEntry>): void {
    this.#entries = entries;
    this.#order.load(entries);
  }

  /** Visits the objects of a namespace, or all with '', in the order of lists. */
  scan(namespace: string, visit: (entry: TableEntry) => void): void {
    if (namespace === '') this.#order.scan('', undefined, (_key, entry) => visit(entry));
    else {
      const end = namespace + AFTER_SLASH;
      this.#order.scan(`${namespace}/`, end, (_key, entry) => visit(entry));
    }
  }
}
