/**
 * The logs of custom types, which come and go: all in one sub-database (`lmdb-custom-log.ts`).
 * Settings say which there are, under which number, and which are being dropped. A number is never
 * used twice, so that the rest of a log that was dropped cannot be taken for another one.
 */
import type { Database, RootDatabase } from 'lmdb';
import { assert } from '../base/assert.ts';
import type { Timers } from '../base/time/timers.ts';
import { DROP_STEP_RECORDS, FREE_SPACE_FOR_DELETIONS_BYTES_MIN } from '../limits.ts';
import type { Commits } from './commits.ts';
import { DICTIONARY_OF } from './record-database.ts';
import type { Compression } from './record-database.ts';
import type { FreeSpace } from './free-space.ts';
import { CustomLog, headEntry, KEY_BYTES, keysOf, LOG_NUMBERS_END } from './lmdb-custom-log.ts';
import { committed, damaged, onDisk } from './lmdb-errors.ts';
import type { LmdbSettings } from './lmdb-settings.ts';
import type { TypeLog } from './store.ts';

export const CUSTOM_LOGS = '_customLogs';
/** By the name of a log, its number. */
export const NUMBER_OF = 'customLog ';
/** By the number of a log that is being dropped, the name that it had. */
export const DROPPED = 'droppedCustomLog ';
const LAST_NUMBER = 'lastCustomLog';

export class CustomLogs {
  readonly #root: RootDatabase<Buffer, Buffer>;
  readonly #settings: LmdbSettings;
  readonly #space: FreeSpace;
  readonly #timers: Timers;
  readonly #commits: Commits;
  #opened: Database<Buffer, Buffer> | undefined;

  constructor(
    root: RootDatabase<Buffer, Buffer>,
    settings: LmdbSettings,
    space: FreeSpace,
    timers: Timers,
    commits: Commits,
  ) {
    this.#root = root;
    this.#settings = settings;
    this.#space = space;
    this.#timers = timers;
    this.#commits = commits;
  }

  /** Made when it is first needed: a store without custom types has none. */
  get #database(): Database<Buffer, Buffer> {
    this.#opened ??= this.#open(false);
    return this.#opened;
  }

  #open(compression: Compression | false): Database<Buffer, Buffer> {
    const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
    const options = { name: CUSTOM_LOGS, ...binary, compression };
    return onDisk(CUSTOM_LOGS, () => this.#root.openDB<Buffer, Buffer>(options));
  }

  open(name: string): TypeLog {
    // Another thread may have made or dropped it in this very turn.
    this.#root.resetReadTxn();
    return this.#log(name, this.#numberOf(name) ?? this.#make(name));
  }

  /** One that is there; undefined where it has been dropped. */
  find(name: string): CustomLog | undefined {
    const number = this.#numberOf(name);
    return number === undefined ? undefined : this.#log(name, number);
  }

  #log(name: string, number: number): CustomLog {
    const database = this.#database;
    return new CustomLog(this.#space, {
      name,
      number,
      open: (compression) => (compression === false ? database : this.#open(compression)),
      settings: this.#settings,
      isSecret: false,
      timers: this.#timers,
      ahead: this.#commits.ahead,
    });
  }

  #numberOf(name: string): number | undefined {
    const number = this.#settings.get(NUMBER_OF + name);
    return number === undefined ? undefined : Number(number);
  }

  #make(name: string): number {
    this.#space.check(name.length, FREE_SPACE_FOR_DELETIONS_BYTES_MIN);
    const database = this.#database;
    const made = this.#settings.transaction(() => {
      const existing = this.#numberOf(name);
      if (existing !== undefined) return existing;
      const number = Number(this.#settings.get(LAST_NUMBER) ?? 0) + 1;
      assert(number < LOG_NUMBERS_END, 'all numbers of logs have been used');
      this.#settings.putNow(LAST_NUMBER, String(number));
      this.#settings.putNow(NUMBER_OF + name, String(number));
      const { key, value } = headEntry(number, { horizon: 0, count: 0 });
      database.putSync(key, value);
      return number;
    });
    this.#commits.ensureDurable();
    return made;
  }

  /** Throws StoreError when there are records of a log that has lost its name. */
  names(): string[] {
    this.#root.resetReadTxn();
    return this.namesNow();
  }

  /** As of the moment that this thread reads. */
  namesNow(): string[] {
    if (this.#settings.get(LAST_NUMBER) === undefined) return [];
    const logs = Array.from(this.#settings.beginningWith(NUMBER_OF));
    const dropped = Array.from(this.#settings.beginningWith(DROPPED), ([number]) => Number(number));
    this.#checkNumbers(new Set([...dropped, ...logs.map(([, number]) => Number(number))]));
    return logs.map(([name]) => name);
  }

  #checkNumbers(known: ReadonlySet<number>): void {
    let { start } = keysOf(0);
    for (;;) {
      const [key] = this.#keys({ start, limit: 1 });
      if (key === undefined) return;
      const number = key.readUInt32BE(0);
      if (!known.has(number)) throw damaged(`the name of custom log ${number}`);
      start = keysOf(number).end;
    }
  }

  #keys(range: { start: Buffer; end?: Buffer; limit: number }): Buffer[] {
    return onDisk(CUSTOM_LOGS, () => {
      const keys = Array.from(this.#database.getKeys(range));
      // A search in a damaged tree may lead back, and who goes on from there would never end.
      const isInPlace = keys.every(
        (key) => key.length === KEY_BYTES && key.compare(range.start) >= 0,
      );
      if (!isInPlace) throw new Error('keys are not in their places');
      return keys;
    });
  }

  async drop(name: string): Promise<void> {
    const number = this.#settings.transaction(() => {
      const dropped = this.#numberOf(name);
      if (dropped === undefined) return undefined;
      this.#settings.removeNow(NUMBER_OF + name);
      this.#settings.removeNow(DICTIONARY_OF + name);
      this.#settings.putNow(DROPPED + dropped, name);
      return dropped;
    });
    this.#commits.ensureDurable();
    if (number !== undefined) await this.#remove(number);
  }

  async finishDrops(): Promise<void> {
    this.#root.resetReadTxn();
    for (const [number] of Array.from(this.#settings.beginningWith(DROPPED))) {
      await this.#remove(Number(number));
    }
  }

  /**
   * Removes the records of a dropped log, and with the last of them the note that it is being
   * dropped.
   */
  async #remove(log: number): Promise<void> {
    const database = this.#database;
    let { start } = keysOf(log);
    const { end } = keysOf(log);
    for (let left = true; left;) {
      const keys = this.#keys({ start, end, limit: DROP_STEP_RECORDS });
      left = keys.length === DROP_STEP_RECORDS;
      start = keys.at(-1) ?? end;
      const writes = new Set<Promise<unknown>>();
      const batch = database.batch(() => {
        for (const key of keys) writes.add(database.remove(key));
        if (!left) writes.add(this.#settings.remove(DROPPED + log));
      });
      await committed(batch, ...writes);
    }
  }
}
