/**
 * What can be said of a file of LMDB before the library opens it: the library trusts its pages, and
 * ends the process, or goes back to an older state, where they are not as it wrote them.
 */
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';

/** Of the two pages that name the root: a header, then what is read here. */
const MAGIC_OFFSET = 24;
const PAGE_SIZE_OFFSET = 48;
const LAST_PAGE_OFFSET = 144;
const TRANSACTION_OFFSET = 152;
const META_BYTES = 160;
const MAGIC = 0xbeefc0de;

interface Meta {
  readonly pageSize: number;
  readonly lastPage: bigint;
  readonly transaction: bigint;
}

/**
 * Throws an Error that says what is wrong with `data.mdb`. A missing or empty file is made anew by
 * the library, and passes.
 */
export function checkLmdbFile(file: string): void {
  if (!existsSync(file)) return;
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    if (size > 0) checkMetas(descriptor, size);
  } finally {
    closeSync(descriptor);
  }
}

/** Commits write the two pages in turn, each in one piece: their numbers follow each other. */
function checkMetas(descriptor: number, size: number): void {
  const first = metaAt(descriptor, 0);
  const second = metaAt(descriptor, first.pageSize);
  const difference = first.transaction - second.transaction;
  const isInTurn =
    first.transaction % 2n === 0n &&
    second.transaction % 2n === 1n &&
    (difference === 1n || difference === -1n);
  // As it is made, before anything is committed.
  const isNew = first.transaction === 0n && second.transaction === 0n;
  if (!isInTurn && !isNew) throw new Error('data.mdb is damaged: its two roots do not fit');
  const newest = difference > 0n ? first : second;
  const needed = (Number(newest.lastPage) + 1) * newest.pageSize;
  // Touching pages beyond the end of a file kills the process.
  if (size < needed) throw new Error(`data.mdb has ${size} bytes and needs ${needed}`);
}

function metaAt(descriptor: number, offset: number): Meta {
  const page = Buffer.alloc(META_BYTES);
  const length = readSync(descriptor, page, 0, META_BYTES, offset);
  const pageSize = page.readUInt32LE(PAGE_SIZE_OFFSET);
  const isPageSize = pageSize >= 512 && pageSize <= 65_536 && (pageSize & (pageSize - 1)) === 0;
  if (length < META_BYTES || page.readUInt32LE(MAGIC_OFFSET) !== MAGIC || !isPageSize) {
    throw new Error('data.mdb is damaged: it has no root');
  }
  return {
    pageSize,
    lastPage: page.readBigUInt64LE(LAST_PAGE_OFFSET),
    transaction: page.readBigUInt64LE(TRANSACTION_OFFSET),
  };
}
