/** The settings in a sub-database of LMDB: short texts under names, each with its checksum. */
import type { Database, RootDatabase } from 'lmdb';
import { checkedText, textWithChecksum } from './checksum.ts';
import { committed, damaged, onDisk } from './lmdb-errors.ts';
import { HIGH_WATER_SETTING, STORE_FORMAT } from './store.ts';

export const SETTINGS = '_settings';
export const FORMAT = 'format';
/** Records below this version have no checksums: an earlier version of the server wrote them. */
export const CHECKED_FROM = 'checkedFrom';

/** The format must be known to read anything else, so it stands as it is. */
function storedSetting(name: string, value: string): string {
  return name === FORMAT ? value : textWithChecksum(value, name);
}

function settingOf(name: string, stored: string): string {
  const value = name === FORMAT ? stored : checkedText(stored, name);
  if (value === undefined) throw damaged(`the setting ${name}`);
  return value;
}

/** All methods throw StoreError where a setting is damaged. */
export class LmdbSettings {
  readonly #database: Database<string, string>;

  constructor(root: RootDatabase<Buffer, Buffer>) {
    this.#database = root.openDB<string, string>({ name: SETTINGS, encoding: 'string' });
  }

  get(name: string): string | undefined {
    const stored = onDisk(SETTINGS, () => this.#database.get(name));
    return stored === undefined ? undefined : settingOf(name, stored);
  }

  /**
   * The settings whose names begin with `prefix`, a word and a space: rest of the name, and value.
   */
  *beginningWith(prefix: string): Generator<readonly [string, string]> {
    const end = `${prefix.slice(0, -1)}!`;
    const range = { start: prefix, end };
    const settings = onDisk(SETTINGS, () => Array.from(this.#database.getRange(range)));
    for (const { key, value } of settings) yield [key.slice(prefix.length), settingOf(key, value)];
  }

  async put(name: string, value: string): Promise<void> {
    await committed(this.#database.put(name, storedSetting(name, value)));
  }

  /** Runs `change` under the write lock, in one commit with its writes; none if it throws. */
  transaction<T>(change: () => T): T {
    return this.#database.transactionSync(change);
  }

  /** In one commit with the others where there is a transaction. */
  putNow(name: string, value: string): void {
    this.#database.putSync(name, storedSetting(name, value));
  }

  /** Within a transaction. */
  removeNow(name: string): void {
    this.#database.removeSync(name);
  }

  /** Within a batch: settles with its commit. */
  putLater(name: string, value: string): Promise<boolean> {
    return this.#database.put(name, storedSetting(name, value));
  }

  /** Within a batch: settles with its commit. */
  remove(name: string): Promise<boolean> {
    return this.#database.remove(name);
  }

  /** Throws when not all settings that were stored can be found. */
  checkCount(): void {
    onDisk(SETTINGS, () => {
      const { entryCount } = this.#database.getStats() as { entryCount: number };
      if (this.#database.getKeysCount() !== entryCount) throw new Error('some are missing');
    });
  }

  /**
   * Throws when any is damaged: also where its name is, by which nobody would ask for it, and where
   * the way to it is, so that a search does not find it.
   */
  checkAll(): void {
    for (const name of onDisk(SETTINGS, () => Array.from(this.#database.getKeys()))) {
      if (this.get(String(name)) === undefined) throw damaged(`the setting ${name}`);
    }
  }

  /** Takes over those of a format before. */
  adoptFormat(): void {
    this.putNow(FORMAT, String(STORE_FORMAT));
  }

  /** Takes over those of a new store, or of the first format, which had no checksums. */
  adoptUnchecked(): void {
    this.transaction(() => {
      // Other threads open the store as well.
      if (this.get(FORMAT) === String(STORE_FORMAT)) return;
      const highWater = this.#database.get(HIGH_WATER_SETTING);
      const checkedFrom = highWater === undefined ? 0 : Number(highWater) + 1;
      // They are read before any of them is changed.
      const settings = Array.from(this.#database.getRange());
      for (const { key, value } of settings) this.putNow(key, value);
      this.putNow(CHECKED_FROM, String(checkedFrom));
      this.putNow(FORMAT, String(STORE_FORMAT));
    });
  }
}
