/**
 * Opens the store, for the server, each of its threads and for tests: the one place that says what
 * it is made of.
 */
import { accessSync, constants, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { open } from 'lmdb';
import { SYSTEM_TIMERS } from '../base/time/timers.ts';
import type { Timers } from '../base/time/timers.ts';
import {
  FREE_SPACE_BYTES_MIN,
  STORE_MAP_BYTES,
  STORE_PAGE_BYTES,
  STORE_TYPES_MAX,
} from '../limits.ts';
import { Commits } from './commits.ts';
import { Flusher, RegularFlusher } from './flusher.ts';
import { FreeSpace, type FreeBytes } from './free-space.ts';
import { damaged, REMEDY } from './lmdb-errors.ts';
import { FORMAT } from './lmdb-settings.ts';
import { LmdbStore } from './lmdb-store.ts';
import { FLUSH_MS_MAX } from './limits.ts';
import { FOLDER_MODE, settleFile, STORE_FILE, storeFile } from './settle-file.ts';
import { STORE_FORMAT, StoreError } from './store.ts';
import type { Durability, Store } from './store.ts';
import { keepOld } from './upgrade/keep-old.ts';
import { aheadFiles, readAhead } from './write-ahead/read-ahead.ts';
import { WriteAhead } from './write-ahead/write-ahead.ts';

/** Earlier ones. */
const FORMAT_WITHOUT_CHECKSUMS = '1';
const FORMAT_WITHOUT_COMPRESSION = '2';
const FORMAT_WITHOUT_MARK = '3';
const FORMAT_WITHOUT_WRITE_AHEAD = '4';
const EARLIER_FORMATS: readonly string[] = [
  FORMAT_WITHOUT_WRITE_AHEAD,
  FORMAT_WITHOUT_MARK,
  FORMAT_WITHOUT_COMPRESSION,
  FORMAT_WITHOUT_CHECKSUMS,
];

/** How long a flush may take before commits wait for it. */
const FLUSH_MS: Readonly<Record<Durability, number>> = {
  // The write-ahead log bounds how much is not flushed.
  fsync: Infinity,
  relaxed: FLUSH_MS_MAX,
};
const LOST =
  'the store was not all on the disk: it goes on as it was flushed last, without the writes ' +
  'of the moments after that';

function storeFolder(dataDir: string): string {
  return join(dataDir, 'store');
}

/** A disk that loses commits must not go unnoticed. */
function fail(error: Error): never {
  throw error;
}

function unusable(dataDir: string, { message }: Error): StoreError {
  const isDamaged = message.startsWith(STORE_FILE);
  const remedy = isDamaged ? REMEDY : 'Give a folder that this user may write to with --data-dir';
  return new StoreError(`cannot use the data folder ${dataDir}: ${message}. ${upperFirst(remedy)}`);
}

function upperFirst(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Where a store is and how it commits: the same for each thread that opens it. */
export interface StorePlace {
  /** The data folder: the store is in its folder `store`. */
  readonly dataDir: string;
  readonly durability: Durability;
}

export interface StoreOptions {
  /** Tells it how much room the disk has. */
  readonly freeBytes?: FreeBytes;
  /** For how long records count as checked; when the store is flushed. */
  readonly timers?: Timers;
  /** Is told, in a line, of writes that a power cut has cost. */
  readonly tell?: (line: string) => void;
  /** What is in it is elsewhere too: nothing is kept of what an earlier version wrote. */
  readonly isView?: true;
  /** It was copied a moment ago from a store in use: all of it is there, if not on the disk. */
  readonly isNewCopy?: boolean;
  /** The disk does not take commits: nothing more may be committed. */
  readonly onFlushError?: (error: Error) => void;
}

/**
 * Opens the store, made if missing, after a look at all of its pages. Nobody has it open; other
 * threads of this process may join. Throws `StoreError` when the folder cannot be used, its store
 * is damaged, or of a format that this version does not know.
 */
export function openStore(place: StorePlace, options: StoreOptions = {}): Store {
  const { dataDir } = place;
  const folder = storeFolder(dataDir);
  const files = aheadFiles(folder);
  try {
    const { isView = false, isNewCopy = false } = options;
    const isKept = isView || isNewCopy || keepOld({ dataDir, isOlder, ...options });
    const isNewest = (isNewCopy || settleFile(folder)) && isKept;
    if (!isNewest && files.length === 0) options.tell?.(LOST);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw unusable(dataDir, error as Error);
  }
  const store = openFile(place, options, true);
  try {
    if (files.length > 0) store.restore(readAhead(files, refuseDamaged));
  } catch (error) {
    void store.close();
    throw error;
  }
  return store;
}

function isOlder(format: string): boolean {
  return EARLIER_FORMATS.includes(format);
}

function refuseDamaged(file: string): never {
  throw damaged(`the write-ahead file ${basename(file)}`);
}

/** Opens a store that another thread of this process has open. */
export function joinStore(place: StorePlace): Store {
  return openFile(place, {}, false);
}

/**
 * Makes the store of a new folder, as it is at `from`, which threads of this process have open.
 * Its pages are not on the disk: it is for what does not outlive this process.
 */
export async function copyStore(from: StorePlace, dataDir: string): Promise<void> {
  const folder = storeFolder(dataDir);
  mkdirSync(folder, { mode: FOLDER_MODE });
  // Nothing is written to it.
  const store = openFile({ ...from, durability: 'relaxed' }, {}, false);
  try {
    store.copyFile(storeFile(storeFolder(from.dataDir)), storeFile(folder));
  } finally {
    await store.close();
  }
}

function openFile(
  { dataDir, durability }: StorePlace,
  { freeBytes, timers = SYSTEM_TIMERS, onFlushError = fail }: StoreOptions,
  isFirst: boolean,
): LmdbStore {
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
      // README.md#power-cuts says what commits wait for instead.
      noSync: true,
      mapSize: STORE_MAP_BYTES,
      pageSize: STORE_PAGE_BYTES,
      maxDbs: STORE_TYPES_MAX,
      cache: false,
      // `append` makes its own batches. Those that the library would add have a promise that
      // nobody can wait for, so a failed commit would end the process.
      eventTurnBatching: false,
      noSubdir: false,
    });
    const flusher = new Flusher(root, storeFile(path));
    // Before anything is committed.
    const regular = isFirst
      ? new RegularFlusher(root, flusher, timers, FLUSH_MS[durability], onFlushError)
      : undefined;
    const space = new FreeSpace(path, freeBytes);
    const checkRoom = (bytes: number): void => space.check(bytes, FREE_SPACE_BYTES_MIN);
    const flush = (): Promise<void> => flusher.flush();
    const ahead =
      durability === 'fsync' ? new WriteAhead({ folder: path, checkRoom, flush }) : undefined;
    const commits = new Commits({ folder: path, flusher, regular, ahead });
    store = new LmdbStore(root, commits, space, timers);
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
  if (format === String(STORE_FORMAT) || isOlder(format)) {
    settings.checkAll();
    // From now on an earlier version could not read all, or not tell what is on the disk.
    if (isOlder(format)) settings.adoptFormat();
    return;
  }
  throw new StoreError(
    `the data folder ${dataDir} has storage format ${format}, this version knows format ` +
      `${STORE_FORMAT}: run the version that wrote it, or choose another --data-dir`,
  );
}
