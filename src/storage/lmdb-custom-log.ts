/**
 * The log of a custom type, in a sub-database that it shares with the others: key = number of the
 * log (4 bytes), resourceVersion (8 bytes), big-endian both; value = the record with its checksum.
 * At version 0 is its head: the horizon, and how many records there are.
 */
import { crc32 } from 'node:zlib';
import type { Database } from 'lmdb';
import { assert } from '../base/assert.ts';
import type { Timers } from '../base/time/timers.ts';
import { FREE_SPACE_BYTES_MIN, FREE_SPACE_FOR_DELETIONS_BYTES_MIN } from '../limits.ts';
import { CheckedVersions } from './checked-versions.ts';
import { checkedValue, withChecksum } from './checksum.ts';
import type { FreeSpace } from './free-space.ts';
import { damaged, onDisk } from './lmdb-errors.ts';
import { RecordDatabase } from './record-database.ts';
import type { RecordDatabaseOptions } from './record-database.ts';
import type { LogEntry, Removal, TypeLog } from './store.ts';
import type { LogAhead } from './write-ahead/read-ahead.ts';

export const KEY_BYTES = 12;
const VERSION_AT = 4;
const HEAD_BYTES = 16;
/** The first number that no log has. */
export const LOG_NUMBERS_END = 2 ** 32 - 1;

/** The range of a log's keys: from its head on, and before those of the next log. */
export function keysOf(log: number): { readonly start: Buffer; readonly end: Buffer } {
  return { start: keyOf(log, 0), end: keyOf(log + 1, 0) };
}

/** The seed of the checksum of a record. */
export function seedOf(log: number, rv: number): number {
  return crc32(keyOf(log, rv));
}

function keyOf(log: number, rv: number): Buffer {
  const key = Buffer.allocUnsafeSlow(KEY_BYTES);
  key.writeUInt32BE(log, 0);
  writeUint64(key, rv, VERSION_AT);
  return key;
}

function writeUint64(bytes: Buffer, value: number, at: number): void {
  bytes.writeUInt32BE(Math.floor(value / 0x1_0000_0000), at);
  bytes.writeUInt32BE(value % 0x1_0000_0000, at + 4);
}

function readUint64(bytes: Buffer, at: number): number {
  return bytes.readUInt32BE(at) * 0x1_0000_0000 + bytes.readUInt32BE(at + 4);
}

interface Head {
  readonly horizon: number;
  readonly count: number;
}

/** The head as it is stored at the first key of `log`. */
export function headEntry(log: number, { horizon, count }: Head): { key: Buffer; value: Buffer } {
  const head = Buffer.allocUnsafeSlow(HEAD_BYTES);
  writeUint64(head, horizon, 0);
  writeUint64(head, count, 8);
  const key = keyOf(log, 0);
  return { key, value: withChecksum(head, crc32(key)) };
}

interface CustomLogOptions extends RecordDatabaseOptions {
  readonly number: number;
  readonly timers: Timers;
}

/** A log that was made before. Throws StoreError where it is damaged. */
export class CustomLog implements TypeLog {
  readonly #records: RecordDatabase;
  readonly #database: Database<Buffer, Buffer>;
  readonly #space: FreeSpace;
  readonly #name: string;
  readonly #number: number;
  readonly #checked: CheckedVersions;
  // LMDB copies a key while the call runs, so one buffer serves all of them.
  readonly #key: Buffer;
  /** As it is on the disk. */
  #head: Head;
  #horizon: number;
  #lastRv: number;
  /** Settles with the last commit that was asked for. */
  #last: Promise<void> = Promise.resolve();

  constructor(space: FreeSpace, options: CustomLogOptions) {
    this.#records = new RecordDatabase(options, (rv) => crc32(this.#at(rv)));
    this.#database = this.#records.values;
    this.#space = space;
    this.#name = options.name;
    this.#number = options.number;
    this.#checked = new CheckedVersions(options.timers);
    this.#key = keyOf(options.number, 0);
    this.#head = this.#readHead();
    this.#horizon = this.#head.horizon;
    this.#lastRv = this.#newestRv();
  }

  /** For who does not own it: takes what is stored now. True where something was opened for it. */
  refresh(): boolean {
    if (this.#records.refresh()) return true;
    this.#head = this.#readHead();
    this.#horizon = this.#head.horizon;
    return false;
  }

  #readHead(): Head {
    const stored = this.#stored(0);
    const head = stored && checkedValue(stored, crc32(this.#key));
    if (head?.length !== HEAD_BYTES) throw damaged(`the log ${this.#name}`);
    return { horizon: readUint64(head, 0), count: readUint64(head, 8) };
  }

  #newestRv(): number {
    const { start, end } = keysOf(this.#number);
    const range = { start: end, end: start, reverse: true, limit: 2 };
    const keys = onDisk(this.#name, () => Array.from(this.#database.getKeys(range)));
    const newest = keys.find((key) => key.compare(end) < 0);
    return newest === undefined ? 0 : this.#rvOf(newest);
  }

  async append(entries: readonly LogEntry[], removal?: Removal): Promise<void> {
    // A write that only removes entries needs no free space.
    if (entries.length > 0) this.#space.take(entries, FREE_SPACE_FOR_DELETIONS_BYTES_MIN);
    for (const { rv } of entries) {
      assert(rv > this.#lastRv, `a version of ${rv} is not above those in the log`);
      this.#lastRv = rv;
    }
    // At once, not after the commit: readers must not count on what is about to go.
    if (removal !== undefined) this.#horizon = Math.max(this.#horizon, removal.horizon);
    await this.#inTurn(() => this.#commit(entries, removal, true));
  }

  checkRoom(bytes: number): void {
    this.#space.check(bytes, FREE_SPACE_BYTES_MIN);
  }

  async fill(entries: readonly LogEntry[]): Promise<void> {
    this.#space.take(entries, FREE_SPACE_BYTES_MIN);
    for (const { rv } of entries) this.#lastRv = Math.max(this.#lastRv, rv);
    // In any order: it is not written ahead, where versions only grow.
    await this.#inTurn(() => this.#commit(entries, undefined, false));
  }

  async rewrite(entries: readonly LogEntry[]): Promise<void> {
    this.#space.take(entries, FREE_SPACE_BYTES_MIN);
    await this.#inTurn(() => this.#write(entries, []));
  }

  /**
   * Runs commits one after another, since the number of records is known only when the one before
   * has succeeded or failed.
   */
  async #inTurn(commit: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(() => {
      // Its number must not come back with what nobody would find.
      assert(this.#stored(0) !== undefined, `the log ${this.#name} has been dropped`);
      return commit();
    });
    this.#last = turn.catch(() => {
      // Whoever asked for it is told.
    });
    await turn;
  }

  async #commit(
    entries: readonly LogEntry[],
    removal: Removal | undefined,
    isAppend: boolean,
  ): Promise<void> {
    const removed = new Set(Array.from(removal?.rvs ?? []));
    for (const rv of removed) if (!this.#has(rv)) removed.delete(rv);
    const head = {
      horizon: Math.max(this.#head.horizon, removal?.horizon ?? 0),
      count: this.#head.count + entries.length - removed.size,
    };
    const left = { rvs: Array.from(removed), horizon: head.horizon };
    await this.#write(entries, removed, head, isAppend ? { removal: left } : undefined);
    this.#head = head;
  }

  /** Within a transaction: takes over what was written ahead of the store and may be missing. */
  restore({ entries, removal }: LogAhead): void {
    const missing = entries.filter(({ rv }) => rv > this.#lastRv);
    const removed = [...(removal?.rvs ?? [])].filter((rv) => this.#has(rv));
    const database = this.#database;
    for (const rv of removed) database.removeSync(this.#at(rv));
    for (const { rv, value } of missing) database.putSync(this.#at(rv), value as Buffer);
    this.#head = {
      horizon: Math.max(this.#head.horizon, removal?.horizon ?? 0),
      count: this.#head.count + missing.length - removed.length,
    };
    const { key, value } = headEntry(this.#number, this.#head);
    database.putSync(key, value);
  }

  /** Puts and removes, in one commit; `appended` as in `RecordDatabase.commit`. */
  #write(
    entries: readonly LogEntry[],
    removed: Iterable<number>,
    head?: Head,
    appended?: { readonly removal: Removal },
  ): Promise<void> {
    const database = this.#database;
    const write = (stored: readonly LogEntry[]): Iterable<Promise<unknown>> => {
      const writes = new Set<Promise<unknown>>();
      for (const rv of removed) writes.add(database.remove(this.#at(rv)));
      for (const { rv, value } of stored) writes.add(database.put(this.#at(rv), value as Buffer));
      if (head === undefined) return writes;
      const { key, value } = headEntry(this.#number, head);
      return writes.add(database.put(key, value));
    };
    return this.#records.commit(entries, write, appended);
  }

  #at(rv: number): Buffer {
    writeUint64(this.#key, rv, VERSION_AT);
    return this.#key;
  }

  #stored(rv: number): Buffer | undefined {
    return onDisk(this.#name, () => this.#database.getBinaryFast(this.#at(rv)));
  }

  #has(rv: number): boolean {
    return rv > 0 && this.#stored(rv) !== undefined;
  }

  read(rv: number): Uint8Array | undefined {
    const isChecked = this.#checked.has(rv);
    const value = this.#read(rv, isChecked);
    if (!isChecked && value !== undefined) this.#checked.add(rv);
    return value;
  }

  #read(rv: number, isChecked: boolean): Buffer | undefined {
    return rv > 0 ? this.#records.read(rv, this.#at(rv), isChecked) : undefined;
  }

  scan(afterRv: number, visit: (rv: number, value: Uint8Array) => boolean): void {
    let lastRv = afterRv;
    for (const key of this.#keysAfter(afterRv)) {
      const rv = this.#rvOf(key);
      // A range with values would make a Buffer for each; this reads all into the same one.
      const value = rv > lastRv ? this.#read(rv, false) : undefined;
      if (value === undefined) throw damaged(`version ${rv} of ${this.#name}`);
      if (!visit(rv, value)) return;
      lastRv = rv;
    }
  }

  *#keysAfter(rv: number): Generator<Buffer> {
    const range = { start: keyOf(this.#number, rv + 1), end: keysOf(this.#number).end };
    const keys = this.#database.getKeys(range)[Symbol.iterator]();
    try {
      for (;;) {
        const { done, value } = onDisk(this.#name, () => keys.next());
        if (done === true) return;
        yield value;
      }
    } finally {
      keys.return?.();
    }
  }

  #rvOf(key: Buffer): number {
    if (key.length !== KEY_BYTES || key.readUInt32BE(0) !== this.#number) {
      throw damaged(`a version of ${this.#name}`);
    }
    return readUint64(key, VERSION_AT);
  }

  count(): number {
    return this.#head.count;
  }

  horizon(): number {
    return this.#horizon;
  }
}
