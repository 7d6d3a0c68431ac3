/**
 * Checks a file of LMDB before the library opens it. The library trusts its pages: it ends the
 * process, or writes over pages in use, where they are not as it wrote them. The values in the
 * pages have checksums of their own. Keys stand in order: those of free pages are numbers.
 *
 *     body of a page:  u16 offset … of `lower / 2` nodes; the nodes are from `upper` on
 *     node:            u32 value bytes | u16 flags | u16 key bytes | key | value
 *                      of a branch the first six bytes are the number of the page below
 *     large value:     u64 first page | u64 transaction | u64 pages
 *     free pages:      u64 count | i64 page, or minus how many and then the first …
 *
 * Offsets count from the body. `lmdb-root.ts` describes the header in front of it, and the roots
 * that lead here.
 */
import { fstatSync, readSync } from 'node:fs';
import { HEADER_BYTES, NO_PAGE, TREE_BYTES, treeAt } from './lmdb-root.ts';
import type { Root, Tree } from './lmdb-root.ts';

const PAGE = { transaction: 8, flags: 18, lower: 20, upper: 22 };
const NODE_BYTES = 8;
const PAGE_FLAGS = { branch: 1, leaf: 2, large: 4 };
/** Flags of nodes: the value is in pages of its own, or is a tree. */
const NODE_FLAGS = { none: 0, large: 1, tree: 2 };
const LARGE_BYTES = 24;
const NUMBER_BYTES = 8;
const DEPTH_MAX = 32;

/** A key, in the page that it is in. */
interface Key {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  /** It stands in a branch: keys below may be the same. */
  readonly isBound: boolean;
}

/** The number of pages of each kind. */
interface PageCounts {
  branch: bigint;
  leaf: bigint;
  large: bigint;
}

/** Throws an Error that names the damage in the pages to which the root of a file leads. */
export function checkPages(descriptor: number, root: Root): void {
  const { size } = fstatSync(descriptor);
  const needed = (root.lastPage + 1) * root.pageSize;
  // Touching pages beyond the end of a file kills the process.
  if (size < needed) throw new Error(`data.mdb has ${size} bytes and needs ${needed}`);
  const check = new PageCheck(descriptor, root);
  check.freePages();
  for (const [name, tree] of check.names()) check.tree(tree, `the log ${name}`);
  check.freeAreFree();
}

/** Walks trees, each page once. */
class PageCheck {
  readonly #descriptor: number;
  readonly #root: Root;
  readonly #bodyBytes: number;
  /** Pages that are in use, a bit for each. */
  readonly #used: Uint8Array;
  readonly #free: (readonly [first: number, pages: number])[] = [];
  /** By depth: that of a branch is read on after those below it. */
  readonly #pages: Buffer[] = [];
  /** The kind of value that leaves must have. */
  #leafValue: 'free' | 'tree' | 'record' = 'record';
  #named = new Map<string, Tree>();
  #entries = 0n;
  #counts: PageCounts = { branch: 0n, leaf: 0n, large: 0n };
  /** The one before, in the order of the tree. */
  #last: Key | undefined;

  constructor(descriptor: number, root: Root) {
    this.#descriptor = descriptor;
    this.#root = root;
    this.#bodyBytes = root.pageSize - HEADER_BYTES;
    this.#used = new Uint8Array(Math.ceil((root.lastPage + 1) / 8));
  }

  freePages(): void {
    this.#leafValue = 'free';
    this.#walk(this.#root.freePages, 'the free pages');
  }

  names(): ReadonlyMap<string, Tree> {
    this.#leafValue = 'tree';
    this.#flagless(this.#root.trees, 'the names of logs');
    return this.#named;
  }

  tree(tree: Tree, name: string): void {
    this.#leafValue = 'record';
    this.#flagless(tree, name);
  }

  /** Keys and values of all trees are plain ones. */
  #flagless(tree: Tree, name: string): void {
    if (tree.flags !== 0) throw damaged(name, tree.root);
    this.#walk(tree, name);
  }

  /** Throws where a page is not as the library expects it. */
  #walk({ depth, entries, root, branchPages, leafPages, largePages }: Tree, name: string): void {
    this.#entries = 0n;
    this.#counts = { branch: 0n, leaf: 0n, large: 0n };
    this.#last = undefined;
    const isEmpty = root === NO_PAGE;
    if (depth > DEPTH_MAX || isEmpty !== (depth === 0)) throw damaged(name, root);
    if (!isEmpty) this.#page(Number(root), depth, name);
    if (this.#entries !== entries) {
      throw new Error(`data.mdb is damaged: ${name} has ${this.#entries} of ${entries} entries`);
    }
    const { branch, leaf, large } = this.#counts;
    if (branch !== branchPages || leaf !== leafPages || large !== largePages) {
      throw new Error(`data.mdb is damaged: pages of ${name} are missing`);
    }
  }

  #page(number: number, depth: number, name: string): void {
    const { pageSize } = this.#root;
    const kind = depth > 1 ? PAGE_FLAGS.branch : PAGE_FLAGS.leaf;
    this.#use(number, 1, name);
    const page = (this.#pages[depth] ??= Buffer.allocUnsafe(pageSize));
    readSync(this.#descriptor, page, 0, pageSize, number * pageSize);
    const lower = page.readUInt16LE(PAGE.lower);
    const upper = page.readUInt16LE(PAGE.upper);
    const isSound =
      this.#isHeader(page, number, kind) &&
      lower >= 2 &&
      lower % 2 === 0 &&
      lower <= upper &&
      upper <= this.#bodyBytes;
    if (!isSound) throw damaged(name, number);
    if (depth > 1) this.#counts.branch++;
    else this.#counts.leaf++;
    const body = page.subarray(HEADER_BYTES);
    let nodesBytes = 0;
    for (let at = 0; at < lower; at += 2) {
      const node = body.readUInt16LE(at);
      if (node < upper || node + NODE_BYTES > body.length) throw damaged(name, number);
      nodesBytes += nodeBytes(body, node, depth > 1);
      // The key of the first page below a branch is nowhere looked at.
      if (depth === 1 || at > 0) this.#key(body, node, depth > 1, name, number);
      if (depth > 1) this.#page(pageBelow(body, node), depth - 1, name);
      else this.#leafNode(body, node, name, number);
    }
    // There is nothing between them.
    if (nodesBytes !== body.length - upper) throw damaged(name, number);
    // The buffer that holds the last key is read over next.
    if (depth === 1) this.#keepLast();
  }

  /** Throws where a key does not come after the one before. */
  #key(body: Buffer, node: number, isBound: boolean, name: string, page: number): void {
    const start = node + NODE_BYTES;
    const end = start + body.readUInt16LE(node + 6);
    if (end > body.length) throw damaged(name, page);
    const key = { bytes: body, start, end, isBound };
    const isNumber = this.#leafValue !== 'free' || end - start === NUMBER_BYTES;
    const order = this.#last === undefined || !isNumber ? 1 : this.#order(this.#last, key);
    const isInOrder = order > 0 || (order === 0 && this.#last?.isBound === true && !isBound);
    if (!isNumber || !isInOrder) throw damaged(name, page);
    this.#last = key;
  }

  /** Above 0 where the second comes after the first. */
  #order(one: Key, other: Key): number {
    if (this.#leafValue !== 'free') {
      return -one.bytes.compare(other.bytes, other.start, other.end, one.start, one.end);
    }
    const [before, after] = [one, other].map(({ bytes, start }) => bytes.readBigUInt64LE(start));
    return Number((after ?? 0n) - (before ?? 0n));
  }

  #keepLast(): void {
    if (this.#last === undefined) return;
    const { bytes, start, end, isBound } = this.#last;
    const copy = Buffer.from(bytes.subarray(start, end));
    this.#last = { bytes: copy, start: 0, end: copy.length, isBound };
  }

  #isHeader(page: Buffer, number: number, kind: number): boolean {
    return (
      page.readBigUInt64LE(0) === BigInt(number) &&
      page.readBigUInt64LE(PAGE.transaction) <= this.#root.transaction &&
      page.readUInt16LE(PAGE.flags) === kind
    );
  }

  /** Throws where pages are in use already, or there are no such pages. */
  #use(first: number, pages: number, name: string): void {
    const isThere = first >= 2 && pages >= 1 && first + pages - 1 <= this.#root.lastPage;
    if (!isThere) throw damaged(name, first);
    for (let page = first; page < first + pages; page++) {
      if (this.#isUsed(page)) throw damaged(name, page);
      this.#used[page >> 3] = (this.#used[page >> 3] ?? 0) | (1 << (page & 7));
    }
  }

  #isUsed(page: number): boolean {
    return ((this.#used[page >> 3] ?? 0) & (1 << (page & 7))) !== 0;
  }

  /** Throws where a node reaches beyond its page or the file. */
  #leafNode(body: Buffer, node: number, name: string, page: number): void {
    this.#entries++;
    const valueBytes = body.readUInt32LE(node);
    const flags = body.readUInt16LE(node + 4);
    const keyEnd = node + NODE_BYTES + body.readUInt16LE(node + 6);
    const inlineBytes = flags === NODE_FLAGS.large ? LARGE_BYTES : valueBytes;
    const isTree = this.#leafValue === 'tree';
    const isKnown = isTree
      ? flags === NODE_FLAGS.tree && valueBytes === TREE_BYTES
      : flags === NODE_FLAGS.none || flags === NODE_FLAGS.large;
    if (!isKnown || keyEnd + inlineBytes > body.length) throw damaged(name, page);
    if (isTree) {
      const named = body.toString('utf8', node + NODE_BYTES, keyEnd).replace(/\0$/, '');
      this.#named.set(named, treeAt(body, keyEnd));
      return;
    }
    const isLarge = flags === NODE_FLAGS.large;
    if (isLarge) this.#large(body, keyEnd, valueBytes, name);
    if (this.#leafValue !== 'free') return;
    const freedBy = body.readBigUInt64LE(node + NODE_BYTES);
    if (freedBy > this.#root.transaction) throw damaged(name, page);
    const value = isLarge
      ? this.#largeValue(Number(body.readBigUInt64LE(keyEnd)), valueBytes)
      : body.subarray(keyEnd, keyEnd + valueBytes);
    if (!this.#freeList(value)) throw damaged(name, page);
  }

  #large(body: Buffer, at: number, valueBytes: number, name: string): void {
    const first = Number(body.readBigUInt64LE(at));
    const pages = Number(body.readBigUInt64LE(at + 16));
    if (valueBytes > pages * this.#root.pageSize - HEADER_BYTES) throw damaged(name, first);
    this.#use(first, pages, name);
    this.#counts.large += BigInt(pages);
    const header = Buffer.alloc(HEADER_BYTES);
    readSync(this.#descriptor, header, 0, HEADER_BYTES, first * this.#root.pageSize);
    // Where other pages have two offsets it says how many there are.
    const isSound =
      this.#isHeader(header, first, PAGE_FLAGS.large) && header.readUInt32LE(PAGE.lower) === pages;
    if (!isSound) throw damaged(name, first);
  }

  #largeValue(first: number, bytes: number): Buffer {
    const value = Buffer.alloc(bytes);
    readSync(this.#descriptor, value, 0, bytes, first * this.#root.pageSize + HEADER_BYTES);
    return value;
  }

  /** False where a list of free pages is none. */
  #freeList(value: Buffer): boolean {
    if (value.length < NUMBER_BYTES) return false;
    const count = Number(value.readBigUInt64LE(0));
    if ((count + 1) * NUMBER_BYTES > value.length) return false;
    for (let at = 1; at <= count; at++) {
      let entry = Number(value.readBigInt64LE(at * NUMBER_BYTES));
      let pages = 1;
      if (entry < 0 && at < count) {
        pages = -entry;
        at++;
        entry = Number(value.readBigInt64LE(at * NUMBER_BYTES));
      }
      if (entry === 0) continue;
      if (entry < 2 || entry + pages - 1 > this.#root.lastPage) return false;
      this.#free.push([entry, pages]);
    }
    return true;
  }

  /** Throws where a page counts as free that is in use, or twice: it would be written over. */
  freeAreFree(): void {
    for (const [first, pages] of this.#free) this.#use(first, pages, 'the free pages');
  }
}

/** All of a node, which begins at an even place. */
function nodeBytes(body: Buffer, node: number, isBranch: boolean): number {
  const isLarge = body.readUInt16LE(node + 4) === NODE_FLAGS.large;
  const valueBytes = isLarge ? LARGE_BYTES : body.readUInt32LE(node);
  const bytes = NODE_BYTES + body.readUInt16LE(node + 6) + (isBranch ? 0 : valueBytes);
  return bytes + (bytes % 2);
}

function pageBelow(body: Buffer, node: number): number {
  return body.readUIntLE(node, 6);
}

function damaged(name: string, page: number | bigint): Error {
  return new Error(`data.mdb is damaged: page ${page} of ${name}`);
}
