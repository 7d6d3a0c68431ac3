/**
 * The roots of a file of LMDB: all that leads to its pages. The first two pages are roots, and
 * commits write them in turn.
 *
 *     page:  u64 number | u64 transaction | u16 | u16 flags | u16 lower | u16 upper | body
 *     root:  magic | version | u64 | u64 bytes of the map | tree of free pages
 *            | tree of trees by their names | u64 last page | u64 transaction | u64 boot
 *     tree:  u32 | u16 flags | u16 depth | u64 branch pages | u64 leaf pages | u64 large pages
 *            | u64 entries | u64 root
 *
 * The first member of the tree of free pages is the size of a page.
 */
import { readSync, writeSync } from 'node:fs';

const MAGIC = 0xbeefc0de;
const VERSION = 2;
/** In front of the body of any page. */
export const HEADER_BYTES = 24;
/** The flag of a page that is a root. */
const ROOT_PAGE = 8;
const PAGE_FLAGS_AT = 18;
/** Where the part of a root begins that commits write. */
export const RECORD_AT = HEADER_BYTES + 16;
/** All of it is in one sector of the disk: after a power cut it is the old one or the new one. */
export const ROOT_RECORD_BYTES = 128;
const ROOT_BYTES = RECORD_AT + ROOT_RECORD_BYTES;
const AT = { magic: 24, version: 28, address: 32, record: RECORD_AT } as const;
/** Within a record. */
const IN_RECORD = {
  mapBytes: 0,
  freePages: 8,
  trees: 56,
  lastPage: 104,
  transaction: 112,
  boot: 120,
} as const;
export const TREE_BYTES = 48;
export const NO_PAGE = 2n ** 64n - 1n;
/** Keys of free pages are numbers. */
const FREE_PAGES_FLAGS = 8;
/** An earlier version of the server had the library note here that a commit was not flushed. */
const UNFLUSHED_FLAG = 0x1000;
const PAGE_BYTES_MIN = 4_096;
const PAGE_BYTES_MAX = 65_536;

export interface Tree {
  readonly flags: number;
  readonly depth: number;
  readonly branchPages: bigint;
  readonly leafPages: bigint;
  readonly largePages: bigint;
  readonly entries: bigint;
  readonly root: bigint;
}

export interface Root {
  readonly pageSize: number;
  readonly lastPage: number;
  readonly transaction: bigint;
  /** A part of the name of the run of the system in which it was written. */
  readonly boot: bigint;
  readonly isMarkedUnflushed: boolean;
  readonly freePages: Tree;
  readonly trees: Tree;
  /** As it is written. */
  readonly record: Buffer;
}

/** Both roots, the one of even transactions first. Throws an Error where there are none. */
export function readRoots(descriptor: number): readonly [Root, Root] {
  const first = rootAt(descriptor, 0);
  return [first, rootAt(descriptor, first.pageSize)];
}

/** The one that was written last, of two that are whole. */
export function newestOf([first, second]: readonly [Root, Root]): Root {
  return first.transaction > second.transaction ? first : second;
}

/** The root that is there. Throws an Error where there is none. */
export function rootAt(descriptor: number, offset: number): Root {
  const page = Buffer.alloc(ROOT_BYTES);
  const length = readSync(descriptor, page, 0, ROOT_BYTES, offset);
  const root = parseRecord(page.subarray(AT.record));
  const isRoot =
    length === ROOT_BYTES &&
    page.readUInt16LE(PAGE_FLAGS_AT) === ROOT_PAGE &&
    page.readUInt32LE(AT.magic) === MAGIC &&
    page.readUInt32LE(AT.version) === VERSION &&
    page.readBigUInt64LE(AT.address) === 0n;
  if (!isRoot || root === undefined || (offset > 0 && offset !== root.pageSize)) {
    throw new Error('data.mdb is damaged: it has no root');
  }
  return root;
}

/** The root that a record describes; undefined for one that the library has not written. */
export function parseRecord(record: Buffer): Root | undefined {
  const pageSize = record.readUInt32LE(IN_RECORD.freePages);
  const isPower = (pageSize & (pageSize - 1)) === 0;
  if (!isPower || pageSize < PAGE_BYTES_MIN || pageSize > PAGE_BYTES_MAX) return undefined;
  const freePages = treeAt(record, IN_RECORD.freePages);
  const trees = treeAt(record, IN_RECORD.trees);
  if ((freePages.flags & ~UNFLUSHED_FLAG) !== FREE_PAGES_FLAGS) return undefined;
  return {
    pageSize,
    lastPage: Number(record.readBigUInt64LE(IN_RECORD.lastPage)),
    transaction: record.readBigUInt64LE(IN_RECORD.transaction),
    boot: record.readBigUInt64LE(IN_RECORD.boot),
    isMarkedUnflushed: (freePages.flags & UNFLUSHED_FLAG) !== 0,
    freePages,
    trees,
    record,
  };
}

export function treeAt(bytes: Buffer, at: number): Tree {
  return {
    flags: bytes.readUInt16LE(at + 4),
    depth: bytes.readUInt16LE(at + 6),
    branchPages: bytes.readBigUInt64LE(at + 8),
    leafPages: bytes.readBigUInt64LE(at + 16),
    largePages: bytes.readBigUInt64LE(at + 24),
    entries: bytes.readBigUInt64LE(at + 32),
    root: bytes.readBigUInt64LE(at + 40),
  };
}

/** Puts a root in the place of both, so that the file is as of its transaction. */
export function writeRoots(descriptor: number, { record, pageSize, transaction }: Root): void {
  const written = Buffer.from(record);
  written.writeUInt16LE(FREE_PAGES_FLAGS, IN_RECORD.freePages + 4);
  for (const page of [0n, 1n]) {
    const isOlder = transaction > 0n && transaction % 2n !== page;
    written.writeBigUInt64LE(isOlder ? transaction - 1n : transaction, IN_RECORD.transaction);
    writeSync(descriptor, written, 0, written.length, Number(page) * pageSize + AT.record);
  }
}

/** A file with nothing in it, as the library makes one. */
export function emptyFile(pageSize: number, mapBytes: number): Buffer {
  const bytes = Buffer.alloc(2 * pageSize);
  for (const number of [0, 1]) {
    const page = bytes.subarray(number * pageSize);
    page.writeBigUInt64LE(BigInt(number), 0);
    page.writeUInt16LE(ROOT_PAGE, PAGE_FLAGS_AT);
    page.writeUInt32LE(MAGIC, AT.magic);
    page.writeUInt32LE(VERSION, AT.version);
    const record = page.subarray(AT.record);
    record.writeBigUInt64LE(BigInt(mapBytes), IN_RECORD.mapBytes);
    record.writeUInt32LE(pageSize, IN_RECORD.freePages);
    record.writeUInt16LE(FREE_PAGES_FLAGS, IN_RECORD.freePages + 4);
    for (const tree of [IN_RECORD.freePages, IN_RECORD.trees]) {
      record.writeBigUInt64LE(NO_PAGE, tree + 40);
    }
    record.writeBigUInt64LE(1n, IN_RECORD.lastPage);
  }
  return bytes;
}
