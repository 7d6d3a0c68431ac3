/** The Store on LMDB: one environment, a sub-database for each log, and one for the settings. */
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import type { Database, RootDatabase } from 'lmdb';
import { SYSTEM_TIMERS } from '../base/time/timers.ts';
import type { Timers } from '../base/time/timers.ts';
import {
  FREE_SPACE_FOR_DELETIONS_BYTES_MIN,
  STORE_MAP_BYTES,
  STORE_PAGE_BYTES,
  STORE_TYPES_MAX,
} from '../limits.ts';
import type { Compression } from './record-database.ts';
import { Flusher, RegularFlusher } from './flusher.ts';
import { FreeSpace, type FreeBytes } from './free-space.ts';
import { CustomLogs } from './lmdb-custom-logs.ts';
import { damaged, onDisk } from './lmdb-errors.ts';
import { LmdbLog } from './lmdb-log.ts';
import { CHECKED_FROM, FORMAT, LmdbSettings, SETTINGS } from './lmdb-settings.ts';
import { settleFile, storeFile } from './settle-file.ts';
import { STORE_FORMAT, StoreError } from './store.ts';
import type { Durability, Store, TypeLog } from './store.ts';

/** Earlier ones. */
const FORMAT_WITHOUT_CHECKSUMS = '1';
const FORMAT_WITHOUT_COMPRESSION = '2';
const FORMAT_WITHOUT_MARK = '3';
/** The logs that there are: one that is missing has not just never been made. */
const LOGS = 'logs';
const SECRETS = 'secrets';

/** Where commits do not wait for the disk. */
interface Flushing {
  readonly flusher: Flusher;
  /** Present in the one thread that flushes now and then. */
  readonly regular: RegularFlusher | undefined;
}

class LmdbStore implements Store {
  readonly #root: RootDatabase<Buffer, Buffer>;
  readonly #flushing: Flushing | undefined;
  readonly settings: LmdbSettings;
  readonly #customLogs: CustomLogs;
  readonly #space: FreeSpace;
  readonly #timers: Timers;
  /** The names of the sub-databases that there were when the store was opened. */
  readonly #names: ReadonlySet<string>;

  constructor(
    root: RootDatabase<Buffer, Buffer>,
    flushing: Flushing | undefined,
    space: FreeSpace,
    timers: Timers,
  ) {
    this.#root = root;
    this.#flushing = flushing;
    this.#space = space;
    this.#timers = timers;
    this.#names = new Set(root.getKeys().map((key) => key.toString().replace(/\0$/, '')));
    this.settings = new LmdbSettings(root);
    this.#customLogs = new CustomLogs(root, this.settings, space, timers);
  }

  openLog(type: string): TypeLog {
    const checkedFrom = Number(this.getSetting(CHECKED_FROM) ?? 0);
    if (!this.#names.has(type) && this.notedLogs().includes(type)) throw damaged(`the log ${type}`);
    return new LmdbLog(this.#space, {
      name: type,
      open: (compression) => this.#open(type, compression),
      settings: this.settings,
      isSecret: type === SECRETS,
      checkedFrom,
      timers: this.#timers,
    });
  }

  #open(name: string, compression: Compression | false): Database<Buffer, Buffer> {
    const options = { name, encoding: 'binary', keyEncoding: 'binary', compression } as const;
    return onDisk(name, () => this.#root.openDB<Buffer, Buffer>(options));
  }

  openCustomLog(name: string): TypeLog {
    return this.#customLogs.open(name);
  }

  customLogs(): readonly string[] {
    return this.#customLogs.names();
  }

  dropLog(name: string): Promise<void> {
    return this.#customLogs.drop(name);
  }

  finishDrops(): Promise<void> {
    return this.#customLogs.finishDrops();
  }

  getSetting(name: string): string | undefined {
    return this.settings.get(name);
  }

  async putSetting(name: string, value: string): Promise<void> {
    this.#space.check(value.length, FREE_SPACE_FOR_DELETIONS_BYTES_MIN);
    await this.settings.put(name, value);
    await this.#flushing?.flusher.flush();
  }

  swapSetting(name: string, swap: (value: string | undefined) => string): void {
    this.settings.transaction(() => this.settings.putNow(name, swap(this.settings.get(name))));
  }

  makeLogs(types: readonly string[]): void {
    const noted = this.notedLogs();
    const others = types.filter((type) => !noted.includes(type));
    if (others.length === 0) return;
    this.settings.transaction(() => {
      for (const type of others) if (!this.#names.has(type)) this.#open(type, false);
      this.settings.putNow(LOGS, JSON.stringify([...noted, ...others]));
    });
  }

  notedLogs(): readonly string[] {
    return JSON.parse(this.getSetting(LOGS) ?? '[]') as readonly string[];
  }

  /** Nothing was ever stored in it. */
  get isNew(): boolean {
    return [...this.#names].every((name) => name === SETTINGS);
  }

  async close(): Promise<void> {
    const { flusher, regular } = this.#flushing ?? {};
    await regular?.stop();
    await this.#root.close();
    if (regular !== undefined) flusher?.markAllFlushed();
    flusher?.close();
  }
}

function storeFolder(dataDir: string): string {
  return join(dataDir, 'store');
}

/** A disk that loses commits must not go unnoticed. */
function fail(error: Error): never {
  throw error;
}

function unusable(dataDir: string, { message }: Error): StoreError {
  return new StoreError(
    `cannot use the data folder ${dataDir}: ${message}. ` +
      'Give a folder that this user may write to with --data-dir, or restore it from a backup',
  );
}

interface StoreOptions {
  /** Tells it how much room the disk has. */
  readonly freeBytes?: FreeBytes;
  /** For how long records count as checked; when the store is flushed. */
  readonly timers?: Timers;
  /** Is told, in a line, of writes that a power cut has cost. */
  readonly tell?: (line: string) => void;
  /** The disk does not take commits: nothing more may be committed. */
  readonly onFlushError?: (error: Error) => void;
}

/**
 * Opens the store in `<dataDir>/store`, made if missing, after a look at all of its pages. Nobody
 * has it open; other threads of this process may join. Throws `StoreError` when the folder cannot
 * be used, its store is damaged, or of a format that this version does not know.
 */
export function openLmdbStore(
  dataDir: string,
  durability: Durability,
  options: StoreOptions = {},
): Store {
  const flushesLater = durability === 'relaxed';
  const { tell = () => undefined } = options;
  const folder = storeFolder(dataDir);
  try {
    settleFile(folder, { flushesLater, tell });
  } catch (error) {
    throw unusable(dataDir, error as Error);
  }
  return openFile(dataDir, durability, options, true);
}

/** Opens a store that another thread of this process has open. */
export function joinLmdbStore(dataDir: string, durability: Durability): Store {
  return openFile(dataDir, durability, {}, false);
}

function openFile(
  dataDir: string,
  durability: Durability,
  { freeBytes, timers = SYSTEM_TIMERS, onFlushError = fail }: StoreOptions,
  isFirst: boolean,
): Store {
  const path = storeFolder(dataDir);
  let store: LmdbStore;
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    const root = open<Buffer, Buffer>({
      path,
      encoding: 'binary',
      keyEncoding: 'binary',
      // A resolved put is visible; with the second it is not yet on the disk.
      overlappingSync: false,
      noSync: durability === 'relaxed',
      mapSize: STORE_MAP_BYTES,
      pageSize: STORE_PAGE_BYTES,
      maxDbs: STORE_TYPES_MAX,
      cache: false,
      // `append` makes its own batches. Those that the library would add have a promise that
      // nobody can wait for, so a failed commit would end the process.
      eventTurnBatching: false,
      noSubdir: false,
    });
    let flushing: Flushing | undefined;
    if (durability === 'relaxed') {
      const flusher = new Flusher(root, storeFile(path));
      // Before anything is committed.
      const regular = isFirst ? new RegularFlusher(root, flusher, timers, onFlushError) : undefined;
      flushing = { flusher, regular };
    }
    store = new LmdbStore(root, flushing, new FreeSpace(path, freeBytes), timers);
  } catch (error) {
    throw unusable(dataDir, error as Error);
  }
  try {
    checkFormat(store, dataDir);
  } catch (error) {
    void store.close();
    throw error;
  }
  return store;
}

function checkFormat({ settings, isNew }: LmdbStore, dataDir: string): void {
  settings.checkCount();
  const format = settings.get(FORMAT);
  if (format === undefined && !isNew) throw damaged('the setting format');
  if (format === undefined || format === FORMAT_WITHOUT_CHECKSUMS) {
    settings.adoptUnchecked();
    return;
  }
  if ([String(STORE_FORMAT), FORMAT_WITHOUT_MARK, FORMAT_WITHOUT_COMPRESSION].includes(format)) {
    settings.checkAll();
    // From now on an earlier version could not read all, or not tell what is flushed.
    if (format !== String(STORE_FORMAT)) settings.adoptFormat();
    return;
  }
  throw new StoreError(
    `the data folder ${dataDir} has storage format ${format}, this version knows format ` +
      `${STORE_FORMAT}: run the version that wrote it, or choose another --data-dir`,
  );
}
