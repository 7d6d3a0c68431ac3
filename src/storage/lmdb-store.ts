/**
 * The Store on LMDB: one environment, a sub-database per resource type, key = resourceVersion
 * (8 bytes, big-endian), so that every write lands at the right edge of its B-tree.
 */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import type { Database, RootDatabase } from 'lmdb';
import { assert } from '../base/assert.ts';
import {
  FREE_SPACE_BYTES_MIN,
  FREE_SPACE_FOR_DELETIONS_BYTES_MIN,
  STORE_MAP_BYTES,
  STORE_TYPES_MAX,
} from '../limits.ts';
import { FreeSpace, type FreeBytes } from './free-space.ts';
import { STORE_FORMAT, StoreError } from './store.ts';
import type { Durability, LogEntry, Removal, Store, TypeLog } from './store.ts';

const SETTINGS = '_settings';
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

class LmdbLog implements TypeLog {
  readonly #database: Database<Buffer, Buffer>;
  // LMDB copies a key while the call runs, so one buffer serves all of them.
  readonly #key = Buffer.allocUnsafeSlow(8);
  readonly #space: FreeSpace;
  #horizon: number;

  constructor(database: Database<Buffer, Buffer>, space: FreeSpace) {
    this.#database = database;
    this.#space = space;
    const stored = database.getBinary(HORIZON_KEY);
    this.#horizon = stored === undefined ? 0 : rvOf(stored);
  }

  async append(entries: readonly LogEntry[], removal?: Removal): Promise<void> {
    // What only removes makes room.
    if (entries.length > 0) this.#takeRoom(entries, FREE_SPACE_FOR_DELETIONS_BYTES_MIN);
    const database = this.#database;
    // At once, not after the commit: readers must not count on what is about to go.
    if (removal !== undefined) this.#horizon = Math.max(this.#horizon, removal.horizon);
    const puts: Promise<boolean>[] = [];
    let removed: Promise<void> = Promise.resolve();
    const batch = database.batch(() => {
      if (removal !== undefined) removed = this.#remove(removal.rvs);
      for (const { rv, value } of entries) {
        writeKey(this.#key, rv);
        puts.push(database.put(this.#key, value as Buffer, AT_THE_END));
      }
    });
    await committed(batch, removed, ...puts);
    const isStored = (await Promise.all(puts)).every(Boolean);
    assert(isStored, `a version of ${entries[0]?.rv} and on is not above those in the log`);
  }

  #takeRoom(entries: readonly LogEntry[], leftBytesMin: number): void {
    let bytes = 0;
    for (const { value } of entries) bytes += value.length;
    this.#space.check(bytes, leftBytesMin);
    this.#space.note(bytes);
  }

  checkRoom(bytes: number): void {
    this.#space.check(bytes, FREE_SPACE_BYTES_MIN);
  }

  async rewrite(entries: readonly LogEntry[]): Promise<void> {
    this.#takeRoom(entries, FREE_SPACE_BYTES_MIN);
    const database = this.#database;
    const puts: Promise<boolean>[] = [];
    const batch = database.batch(() => {
      for (const { rv, value } of entries) {
        writeKey(this.#key, rv);
        puts.push(database.put(this.#key, value as Buffer));
      }
    });
    await committed(batch, ...puts);
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
    removals.add(database.put(HORIZON_KEY, keyOf(this.#horizon)));
    return committed(...removals);
  }

  read(rv: number): Uint8Array | undefined {
    writeKey(this.#key, rv);
    // The library's buffer is longer than it says: a view of it is what it says.
    return this.#database.getBinaryFast(this.#key)?.subarray(0);
  }

  scan(afterRv: number, visit: (rv: number, value: Uint8Array) => boolean): void {
    // Key 0 holds the horizon: a scan from the start must not meet it.
    for (const key of this.#database.getKeys({ start: keyOf(afterRv + 1) })) {
      const rv = rvOf(key);
      // A range with values would make a Buffer for each; this reads all into the same one.
      const value = this.read(rv);
      if (value !== undefined && !visit(rv, value)) return;
    }
  }

  horizon(): number {
    return this.#horizon;
  }
}

/**
 * Waits for writes, and throws what the commit of them failed with. Each write has a promise, and
 * a failed commit a further one with the cause: all must be waited for.
 */
async function committed(...writes: Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(writes)) {
    if (outcome.status === 'rejected') throw await causeOf(outcome.reason);
  }
}

async function causeOf(reason: unknown): Promise<unknown> {
  const { commitError } = reason as { commitError?: Promise<never> };
  return commitError === undefined ? reason : commitError.catch((cause: unknown) => cause);
}

class LmdbStore implements Store {
  readonly #root: RootDatabase<Buffer, Buffer>;
  readonly #settings: Database<string, string>;
  readonly #space: FreeSpace;

  constructor(root: RootDatabase<Buffer, Buffer>, space: FreeSpace) {
    this.#root = root;
    this.#space = space;
    this.#settings = root.openDB<string, string>({ name: SETTINGS, encoding: 'string' });
  }

  openLog(type: string): TypeLog {
    const options = { name: type, encoding: 'binary', keyEncoding: 'binary' } as const;
    return new LmdbLog(this.#root.openDB<Buffer, Buffer>(options), this.#space);
  }

  getSetting(name: string): string | undefined {
    return this.#settings.get(name);
  }

  async putSetting(name: string, value: string): Promise<void> {
    this.#space.check(value.length, FREE_SPACE_FOR_DELETIONS_BYTES_MIN);
    await committed(this.#settings.put(name, value));
    await this.#settings.flushed;
  }

  swapSetting(name: string, swap: (value: string | undefined) => string): void {
    this.#settings.transactionSync(() => {
      this.#settings.putSync(name, swap(this.#settings.get(name)));
    });
  }

  async close(): Promise<void> {
    await this.#root.close();
  }
}

/**
 * Opens the store in `<dataDir>/store`, made if missing. Throws `StoreError` when the folder
 * cannot be used or holds a format that this version does not know. `freeBytes` is how it learns
 * whether the disk has room.
 */
export function openLmdbStore(
  dataDir: string,
  durability: Durability,
  freeBytes?: FreeBytes,
): Store {
  const path = join(dataDir, 'store');
  let store: LmdbStore;
  try {
    mkdirSync(path, { recursive: true });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    checkMagic(join(path, 'data.mdb'));
    const root = open<Buffer, Buffer>({
      path,
      encoding: 'binary',
      keyEncoding: 'binary',
      // With it on, a resolved put is visible but not yet on the disk.
      overlappingSync: durability === 'relaxed',
      mapSize: STORE_MAP_BYTES,
      maxDbs: STORE_TYPES_MAX,
      cache: false,
      // `append` makes its own batches. Those that the library would add have a promise that
      // nobody can wait for, so a failed commit would end the process.
      eventTurnBatching: false,
      noSubdir: false,
    });
    checkSize(root, path);
    store = new LmdbStore(root, new FreeSpace(path, freeBytes));
  } catch (error) {
    throw new StoreError(
      `cannot use the data folder ${dataDir}: ${(error as Error).message}. ` +
        'Give a folder that this user may write to with --data-dir, or restore it from a backup',
    );
  }
  try {
    checkFormat(store, dataDir);
  } catch (error) {
    void store.close();
    throw error;
  }
  return store;
}

/** Where a data file says what it is, and that it does. */
const MAGIC_OFFSET = 24;
const MAGIC = 0xbeefc0de;
const META_BYTES = 28;

/** The library crashes on a file that is not its own. A missing or empty one is made anew. */
function checkMagic(file: string): void {
  if (!existsSync(file) || statSync(file).size === 0) return;
  const head = Buffer.alloc(META_BYTES);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, head);
  closeSync(descriptor);
  if (head.readUInt32LE(MAGIC_OFFSET) !== MAGIC) throw new Error('data.mdb is damaged');
}

/** Pages beyond the end of a file that was cut off cannot be touched: that kills the process. */
function checkSize(root: RootDatabase<Buffer, Buffer>, path: string): void {
  const { lastPageNumber, pageSize } = root.getStats() as {
    lastPageNumber: number;
    pageSize: number;
  };
  const needed = (lastPageNumber + 1) * pageSize;
  const { size } = statSync(join(path, 'data.mdb'));
  if (size < needed) throw new Error(`data.mdb has ${size} bytes and needs ${needed}`);
}

function checkFormat(store: Store, dataDir: string): void {
  const format = store.getSetting('format');
  if (format === String(STORE_FORMAT)) return;
  if (format === undefined) {
    store.swapSetting('format', (value) => value ?? String(STORE_FORMAT));
    return;
  }
  throw new StoreError(
    `the data folder ${dataDir} has storage format ${format}, this version knows format ` +
      `${STORE_FORMAT}: run the version that wrote it, or choose another --data-dir`,
  );
}
