import type { TableEntry } from './table-entry.ts';
import { SortedKeys } from './sorted-keys.ts';

export class FieldIndex {
  /** Where entries hold the field's value. */
  readonly #position: number;
  readonly #byValue = new Map<string, SortedKeys<TableEntry>>();

  constructor(position: number) {
    this.#position = position;
  }

  /** The entries with this value. */
  withValue(value: string): SortedKeys<TableEntry> | undefined {
    return this.#byValue.get(value);
  }

  set(entry: TableEntry, replaced: TableEntry | undefined): void {
    const value = this.#valueOf(entry);
    if (replaced !== undefined && this.#valueOf(replaced) !== value) this.delete(replaced);
    this.#keysOf(value).set(entry.key, entry);
  }

  delete(entry: TableEntry): void {
    const value = this.#valueOf(entry);
    const keys = this.#byValue.get(value);
    keys?.delete(entry.key);
    if (keys?.size === 0) this.#byValue.delete(value);
  }

  /** Replaces all content. */
  load(entries: ReadonlyMap<string, TableEntry>): void {
    const byValue = new Map<string, Map<string, TableEntry>>();
    for (const [key, entry] of entries) {
      const value = this.#valueOf(entry);
      const same = byValue.get(value);
      if (same === undefined) byValue.set(value, new Map([[key, entry]]));
      else same.set(key, entry);
    }
    this.#byValue.clear();
    for (const [value, same] of byValue) this.#keysOf(value).load(same);
  }

  #valueOf({ fields }: TableEntry): string {
    return fields[this.#position] ?? '';
  }

  #keysOf(value: string): SortedKeys<TableEntry> {
    let keys = this.#byValue.get(value);
    if (keys === undefined) {
      keys = new SortedKeys();
      this.#byValue.set(value, keys);
    }
    return keys;
  }
}
