/**
 * Keeps the store that an earlier version wrote when this one takes it over (README.md). The old
 * files are moved aside as they are, and a copy takes their place.
 */
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { flushNames, makeFolderDurably, writeDurably } from '../../base/durable-file.ts';
import { FREE_SPACE_BYTES_MIN } from '../../limits.ts';
import { freeBytesOf, mebibytes, type FreeBytes } from '../free-space.ts';
import { newestOf, readRoots } from '../lmdb-root.ts';
import { FILE_MODE, FOLDER_MODE, settleFile, storeFile } from '../settle-file.ts';
import { STORE_FORMAT, StoreError } from '../store.ts';
import { aheadFiles } from '../write-ahead/read-ahead.ts';
import { AHEAD_FOLDER } from '../write-ahead/write-ahead.ts';
import { storedFormat } from './stored-format.ts';

const STORE = 'store';
/** The old store, in the data folder. */
export const OLD_STORE = 'store-before';
/** It becomes the store once all of it is on the disk. */
const COPY = 'store-copy';
/** In the old store: a server has served what was made of it. */
const SERVED = 'served';

export interface Keeping {
  readonly dataDir: string;
  /** Whether this version takes over a store of a format. */
  readonly isOlder: (format: string) => boolean;
  readonly freeBytes?: FreeBytes | undefined;
  readonly tell?: ((line: string) => void) | undefined;
}

/**
 * Where the store is of an earlier format, puts a copy in its place, which is settled. Gives false
 * where the newest commits are gone. Throws StoreError where there is no room, and an Error that
 * names the damage.
 */
export function keepOld({ dataDir, isOlder, freeBytes, tell }: Keeping): boolean {
  finishKeeping(dataDir);
  const { store, old, copy } = placesIn(dataDir);
  rmSync(copy, { recursive: true, force: true });
  const format = formatIn(store);
  if (format === undefined || !isOlder(format)) {
    if (existsSync(old)) tell?.(`the store as it was before stays in ${old}${wayBack(store)}`);
    return true;
  }
  // Else a start was killed after its moves, and nobody has written since.
  const isNewest = isCopyOf(old, store) || moveAside(dataDir, format, freeBytes);
  tell?.(
    `the store goes from format ${format} to ${STORE_FORMAT}; as it was it stays in ${old}, ` +
      `until this version has started on the new one${wayBack(store)}`,
  );
  return isNewest;
}

function moveAside(dataDir: string, format: string, freeBytes: FreeBytes | undefined): boolean {
  const { store, old, copy } = placesIn(dataDir);
  let isNewest: boolean;
  try {
    isNewest = copyStore(dataDir, format, freeBytes);
  } catch (error) {
    rmSync(copy, { recursive: true, force: true });
    throw error;
  }
  // The earlier version has gone on with a copy of it.
  rmSync(old, { recursive: true, force: true });
  renameSync(store, old);
  finishKeeping(dataDir);
  return isNewest;
}

function wayBack(store: string): string {
  return `: to go back to the version that wrote it, stop the server, and move it to ${store}`;
}

/** Goes on where a start was killed between moving the old store and its copy. */
export function finishKeeping(dataDir: string): void {
  const { store, old, copy } = placesIn(dataDir);
  if (existsSync(store) || !existsSync(old) || !existsSync(copy)) return;
  flushNames(dataDir);
  renameSync(copy, store);
  flushNames(dataDir);
}

/**
 * A server serves: everything that is stored was read. What an earlier version wrote goes when that
 * is so once more, on what this version has written itself.
 */
export function storeServes(dataDir: string, tell: (line: string) => void): void {
  const { old } = placesIn(dataDir);
  if (!existsSync(old)) return;
  const served = join(old, SERVED);
  if (existsSync(served)) {
    rmSync(old, { recursive: true });
    tell(`${old} is removed: this version has started on what it wrote itself`);
  } else writeDurably(served, '', FILE_MODE);
}

function placesIn(dataDir: string) {
  return {
    store: join(dataDir, STORE),
    old: join(dataDir, OLD_STORE),
    copy: join(dataDir, COPY),
  };
}

function formatIn(store: string): string | undefined {
  return inFile(store, storedFormat);
}

function isCopyOf(old: string, store: string): boolean {
  const newest = (descriptor: number): Buffer => newestOf(readRoots(descriptor)).record;
  const before = inFile(old, newest);
  return before !== undefined && inFile(store, newest)?.equals(before) === true;
}

/** Undefined where there is no such store. */
function inFile<T>(store: string, read: (descriptor: number) => T): T | undefined {
  const file = storeFile(store);
  if (!existsSync(file)) return undefined;
  const descriptor = openSync(file, 'r');
  try {
    return read(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** All of the copy is on the disk when it returns. */
function copyStore(dataDir: string, format: string, freeBytes: FreeBytes | undefined): boolean {
  const { store, copy } = placesIn(dataDir);
  mkdirSync(copy, { mode: FOLDER_MODE });
  const [from, to] = [storeFile(store), storeFile(copy)];
  try {
    // It takes no room until one of the two is written to.
    copyFileSync(from, to, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL);
  } catch {
    rmSync(to, { force: true });
    checkRoom(dataDir, format, statSync(from).size, freeBytes);
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  }
  const ahead = join(copy, AHEAD_FOLDER);
  for (const file of aheadFiles(store)) {
    makeFolderDurably(ahead, FOLDER_MODE);
    writeDurably(join(ahead, basename(file)), readFileSync(file), FILE_MODE);
  }
  const isNewest = settleFile(copy, store);
  flushNames(copy);
  flushNames(dataDir);
  return isNewest;
}

function checkRoom(dataDir: string, format: string, bytes: number, freeBytes = freeBytesOf): void {
  const free = freeBytes(dataDir);
  const needed = bytes + FREE_SPACE_BYTES_MIN;
  if (free >= needed) return;
  throw new StoreError(
    `the data folder ${dataDir} has storage format ${format}, and a copy of its store is to ` +
      `become format ${STORE_FORMAT}: that takes ${mebibytes(needed)} MiB, and its disk has ` +
      `${mebibytes(free)} MiB left: make room on it, or run the version that wrote it`,
  );
}
