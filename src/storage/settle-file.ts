/**
 * Before the library opens the file of a store: it is made where there is none, checked, and
 * brought to a state that is all there (README.md#power-cuts).
 */
import { closeSync, fsyncSync, lstatSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolderDurably, writeDurably } from '../base/durable-file.ts';
import { STORE_MAP_BYTES, STORE_PAGE_BYTES } from '../limits.ts';
import { checkPages } from './lmdb-file.ts';
import {
  emptyFile,
  newestOf,
  parseRecord,
  readRoots,
  RECORD_AT,
  ROOT_RECORD_BYTES,
  writeRoots,
} from './lmdb-root.ts';
import type { Root } from './lmdb-root.ts';
import { isSameWitness, libraryNameOf, readMark, witnessOf, writeMark } from './store-mark.ts';
import type { Mark, Witness } from './store-mark.ts';

export const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;

/** Whatever is said of damage in it begins with its name. */
export const STORE_FILE = 'data.mdb';

export function storeFile(folder: string): string {
  return join(folder, STORE_FILE);
}

/**
 * Settles a file that nobody has open, in `folder`; it may be a copy of the one in `original`, with
 * what the system has kept of that. Gives false where the newest commits are gone. Throws an Error
 * that names the damage.
 */
export function settleFile(folder: string, original = folder): boolean {
  const file = storeFile(folder);
  // Whatever else is wrong with it, it is not made anew.
  const isThere = lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  if (!isThere || statSync(file).size === 0) {
    makeFolderDurably(folder, FOLDER_MODE);
    writeDurably(file, emptyFile(STORE_PAGE_BYTES, STORE_MAP_BYTES), FILE_MODE);
  }
  // The library ends the process where it cannot have this one.
  closeSync(openSync(join(folder, 'lock.mdb'), 'a', FILE_MODE));
  const descriptor = openSync(file, 'r+');
  try {
    // The system may still hold what a process wrote that was killed.
    fsyncSync(descriptor);
    return settle(descriptor, witnessIn(original));
  } finally {
    closeSync(descriptor);
  }
}

/** Throws an Error that names the damage where a start would refuse a file; changes nothing. */
export function checkFile(descriptor: number): void {
  const roots = readRoots(descriptor);
  const mark = readMark(descriptor, newestOf(roots).pageSize);
  wholeRoot(descriptor, roots, mark, witnessOf(descriptor));
}

function witnessIn(folder: string): Witness {
  const descriptor = openSync(storeFile(folder), 'r');
  try {
    return witnessOf(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function settle(descriptor: number, witness: Witness): boolean {
  const roots = readRoots(descriptor);
  const newest = newestOf(roots);
  const mark = readMark(descriptor, newest.pageSize);
  const root = wholeRoot(descriptor, roots, mark, witness);
  if (root !== newest) {
    writeRoots(descriptor, root);
    fsyncSync(descriptor);
  }
  // Later commits are not on the disk at once.
  writeMark(descriptor, { isFlushed: false, witness: witnessOf(descriptor), root });
  fsyncSync(descriptor);
  return root.transaction === newest.transaction;
}

/** The newest root of which all is there. `witness` is of the file in which commits were made. */
function wholeRoot(
  descriptor: number,
  roots: readonly [Root, Root],
  mark: Mark | undefined,
  witness: Witness,
): Root {
  const newest = newestOf(roots);
  if (mark?.isFlushed ?? !newest.isMarkedUnflushed) {
    checkNewest(descriptor, roots);
    return newest;
  }
  const flushed = mark?.root ?? rootOfLibrary(descriptor, newest);
  if (flushed === undefined || flushed.transaction > newest.transaction) {
    throw new Error('data.mdb is damaged: what was flushed is not there');
  }
  const isOfThisRun =
    mark === undefined
      ? newest.boot === libraryNameOf(witness)
      : isSameWitness(mark.witness, witness);
  // Where only a process has ended the system has kept what it wrote.
  if (isOfThisRun && isWhole(descriptor, roots)) return newest;
  checkPages(descriptor, flushed);
  return flushed;
}

function isWhole(descriptor: number, roots: readonly [Root, Root]): boolean {
  try {
    checkNewest(descriptor, roots);
    return true;
  } catch {
    // The caller checks the flushed version next, and reports the damage that it finds there.
    return false;
  }
}

/** Commits write the two roots in turn: their numbers follow each other. */
function checkNewest(descriptor: number, roots: readonly [Root, Root]): void {
  const [first, second] = roots;
  const difference = first.transaction - second.transaction;
  const isInTurn =
    first.transaction % 2n === 0n &&
    second.transaction % 2n === 1n &&
    (difference === 1n || difference === -1n);
  // As it is made, before anything is committed.
  const isNew = first.transaction === 0n && second.transaction === 0n;
  if (!isInTurn && !isNew) throw new Error('data.mdb is damaged: its two roots do not fit');
  checkPages(descriptor, newestOf(roots));
}

/**
 * The root that the library has flushed, where an earlier version of the server had it note that.
 */
function rootOfLibrary(descriptor: number, { pageSize }: Root): Root | undefined {
  const record = Buffer.alloc(ROOT_RECORD_BYTES);
  readSync(descriptor, record, 0, ROOT_RECORD_BYTES, pageSize / 2 + RECORD_AT);
  const root = parseRecord(record);
  return root?.pageSize === pageSize && root.transaction > 0n ? root : undefined;
}
