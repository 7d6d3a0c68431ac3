/**
 * Checks a file of LMDB before the library opens it. The library trusts its pages: it ends the
 * process, or writes over pages in use, where they are not as it wrote them. The values in the
 * pages have checksums of their own. Keys stand in order: those of free pages are numbers.
 *
 * `lmdb-page.ts` describes the pages, `lmdb-root.ts` the roots that lead here.
 */
import { fstatSync, readSync } from 'node:fs';
import { appendAll } from '../base/append-all.ts';
import { HEADER_BYTES, NO_PAGE, TREE_BYTES, treeAt } from './lmdb-root.ts';
import type { Root, Tree } from './lmdb-root.ts';
import {
  DEPTH_MAX,
  freePagesIn,
  LARGE_BYTES,
  NODE_BYTES,
  NODE_FLAGS,
  nodeBytes,
  NUMBER_BYTES,
  PAGE,
  PAGE_FLAGS,
  pageBelow,
} from './lmdb-page.ts';

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
    const free = freePagesIn(value, this.#root.lastPage);
    if (free === undefined) throw damaged(name, page);
    appendAll(this.#free, free);
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

  /** Throws where a page counts as free that is in use, or twice: it would be written over. */
  freeAreFree(): void {
    for (const [first, pages] of this.#free) this.#use(first, pages, 'the free pages');
  }
}

function damaged(name: string, page: number | bigint): Error {
  return new Error(`data.mdb is damaged: page ${page} of ${name}`);
}
