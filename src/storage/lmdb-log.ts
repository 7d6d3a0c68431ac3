/**
 * A log in a sub-database of LMDB: key = resourceVersion (8 bytes, big-endian), so that every write
 * lands at the right edge of its B-tree; value = the record with its checksum.
 */
import type { Database } from 'lmdb';
import { assert } from '../base/assert.ts';
import type { Timers } from '../base/time/timers.ts';
import { FREE_SPACE_BYTES_MIN, FREE_SPACE_FOR_DELETIONS_BYTES_MIN } from '../limits.ts';
import { CheckedVersions } from './checked-versions.ts';
import { checkedValue, withChecksum } from './checksum.ts';
import type { FreeSpace } from './free-space.ts';
import { committed, damaged, onDisk } from './lmdb-errors.ts';
import { RecordDatabase } from './record-database.ts';
import type { RecordDatabaseOptions } from './record-database.ts';
import type { LogEntry, Removal, TypeLog } from './store.ts';
import type { LogAhead } from './write-ahead/read-ahead.ts';

const HORIZON_KEY = keyOf(0);
/**
 * Fills a page before the next is begun: a full one would be split otherwise, and stay half empty.
 * An option that the library takes here too; its types give it to `putSync` alone.
 */
const AT_THE_END = { append: true } as unknown as number;

function keyOf(rv: number): Buffer {
  const key = Buffer.allocUnsafeSlow(8);
  writeKey(key, rv);
  return key;
}

function writeKey(key: Buffer, rv: number): void {
  key.writeUInt32BE(Math.floor(rv / 0x1_0000_0000), 0);
  key.writeUInt32BE(rv % 0x1_0000_0000, 4);
}

function rvOf(key: Buffer): number {
  return key.readUInt32BE(0) * 0x1_0000_0000 + key.readUInt32BE(4);
}

interface LogOptions extends RecordDatabaseOptions {
  /** Below this version records have no checksums. */
  readonly checkedFrom: number;
  readonly timers: Timers;
}

/** A log in a database of its own. Throws StoreError where it is damaged. */
export class LmdbLog implements TypeLog {
  readonly #records: RecordDatabase;
  readonly #database: Database<Buffer, Buffer>;
  readonly #options: LogOptions;
  readonly #checked: CheckedVersions;
  // LMDB copies a key while the call runs, so one buffer serves all of them.
  readonly #key = Buffer.allocUnsafeSlow(8);
  readonly #space: FreeSpace;
  #horizon: number;

  constructor(space: FreeSpace, options: LogOptions) {
    this.#records = new RecordDatabase(options, (rv) =>
      rv < options.checkedFrom ? undefined : rv,
    );
    this.#database = this.#records.values;
    this.#space = space;
    this.#options = options;
    this.#checked = new CheckedVersions(options.timers);
    this.#horizon = this.#storedHorizon();
  }

  /** For who does not own it: takes what is stored now. True where something was opened for it. */
  refresh(): boolean {
    if (this.#records.refresh()) return true;
    this.#horizon = this.#storedHorizon();
    return false;
  }

  #storedHorizon(): number {
    const stored = onDisk(this.#options.name, () => this.#database.getBinary(HORIZON_KEY));
    return stored === undefined ? 0 : this.#horizonOf(stored);
  }

  /** Without a checksum it is of an earlier version. */
  #horizonOf(stored: Buffer): number {
    const { name, checkedFrom } = this.#options;
    const isOld = checkedFrom > 0 && stored.length === HORIZON_KEY.length;
    const value = isOld ? stored : checkedValue(stored, 0);
    if (value === undefined) throw damaged(`the horizon of ${name}`);
    return rvOf(value);
  }

  async append(entries: readonly LogEntry[], removal?: Removal): Promise<void> {
    // A write that only removes entries needs no free space.
    if (entries.length > 0) this.#space.take(entries, FREE_SPACE_FOR_DELETIONS_BYTES_MIN);
    // At once, not after the commit: readers must not count on what is about to go.
    if (removal !== undefined) this.#horizon = Math.max(this.#horizon, removal.horizon);
    const puts: Promise<boolean>[] = [];
    const write = (stored: readonly LogEntry[]): Iterable<Promise<unknown>> => {
      const removed = removal === undefined ? [] : [this.#remove(removal.rvs)];
      for (const { rv, value } of stored) {
        writeKey(this.#key, rv);
        puts.push(this.#database.put(this.#key, value as Buffer, AT_THE_END));
      }
      return [...removed, ...puts];
    };
    await this.#records.commit(entries, write, { removal });
    const isStored = (await Promise.all(puts)).every(Boolean);
    assert(isStored, `a version of ${entries[0]?.rv} and on is not above those in the log`);
  }

  checkRoom(bytes: number): void {
    this.#space.check(bytes, FREE_SPACE_BYTES_MIN);
  }

  fill(entries: readonly LogEntry[]): Promise<void> {
    return this.rewrite(entries);
  }

  async rewrite(entries: readonly LogEntry[]): Promise<void> {
    this.#space.take(entries, FREE_SPACE_BYTES_MIN);
    await this.#records.commit(entries, (stored) =>
      stored.map(({ rv, value }) => {
        writeKey(this.#key, rv);
        return this.#database.put(this.#key, value as Buffer);
      }),
    );
  }

  /** Within a transaction: takes over what was written ahead of the store and may be missing. */
  restore({ entries, removal }: LogAhead): void {
    const [newest] = onDisk(this.#options.name, () => [
      ...this.#database.getKeys({ reverse: true, limit: 1 }),
    ]);
    const newestRv = newest === undefined ? 0 : rvOf(newest);
    for (const { rv, value } of entries) {
      if (rv > newestRv) this.#database.putSync(keyOf(rv), value as Buffer);
    }
    if (removal === undefined) return;
    for (const rv of removal.rvs) this.#database.removeSync(keyOf(rv));
    this.#horizon = Math.max(this.#horizon, removal.horizon);
    this.#database.putSync(HORIZON_KEY, withChecksum(keyOf(this.#horizon), 0));
  }

  /** Within a batch: drops versions and stores the horizon. */
  #remove(rvs: ArrayLike<number>): Promise<void> {
    const database = this.#database;
    // Most of them share a promise.
    const removals = new Set<Promise<boolean>>();
    for (let at = 0; at < rvs.length; at++) {
      writeKey(this.#key, rvs[at] ?? 0);
      removals.add(database.remove(this.#key));
    }
    removals.add(database.put(HORIZON_KEY, withChecksum(keyOf(this.#horizon), 0)));
    return committed(...removals);
  }

  read(rv: number): Uint8Array | undefined {
    // One of an earlier version has no checksum.
    const isChecked = rv >= this.#options.checkedFrom && this.#checked.has(rv);
    const value = this.#read(rv, isChecked);
    if (!isChecked && value !== undefined) this.#checked.add(rv);
    return value;
  }

  #read(rv: number, isChecked: boolean): Buffer | undefined {
    writeKey(this.#key, rv);
    return this.#records.read(rv, this.#key, isChecked);
  }

  scan(afterRv: number, visit: (rv: number, value: Uint8Array) => boolean): void {
    let lastRv = afterRv;
    // Key 0 holds the horizon: a scan from the start must not meet it.
    for (const key of this.#keysFrom(afterRv + 1)) {
      const rv = rvOf(key);
      // A range with values would make a Buffer for each; this reads all into the same one.
      const value = rv > lastRv ? this.#read(rv, false) : undefined;
      if (value === undefined) throw damaged(`version ${rv} of ${this.#options.name}`);
      if (!visit(rv, value)) return;
      lastRv = rv;
    }
  }

  *#keysFrom(rv: number): Generator<Buffer> {
    const { name } = this.#options;
    const keys = this.#database.getKeys({ start: keyOf(rv) })[Symbol.iterator]();
    try {
      for (;;) {
        const { done, value } = onDisk(name, () => keys.next());
        if (done === true) return;
        if (value.length !== HORIZON_KEY.length) throw damaged(`a version of ${name}`);
        yield value;
      }
    } finally {
      keys.return?.();
    }
  }

  count(): number {
    return onDisk(this.#options.name, () => {
      const { entryCount } = this.#database.getStats() as { entryCount: number };
      return this.#database.doesExist(HORIZON_KEY) ? entryCount - 1 : entryCount;
    });
  }

  horizon(): number {
    return this.#horizon;
  }
}
