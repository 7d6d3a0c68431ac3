/**
 * What can be said of a file of LMDB before the library opens it. The library trusts its pages: it
 * ends the process, or goes back to an older state, where they are not as it wrote them. The values
 * in the pages have checksums of their own.
 *
 *     page:  u64 number | u64 transaction | u16 | u16 flags | u16 lower | u16 upper | body
 *     body:  u16 offset … of `lower / 2` nodes; the nodes are from `upper` on
 *     node:  u32 value bytes | u16 flags | u16 key bytes | key | value
 *            of a branch the first six bytes are the number of the page below
 *     tree:  u32 | u16 flags | u16 depth | u64 … of three kinds of pages | u64 entries | u64 root
 *     root:  magic and more | tree of free pages | tree of trees by their names | u64 last page
 *            | u64 transaction
 *
 * Offsets count from the body. The first two pages are roots, written in turn.
 */
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';

const MAGIC = 0xbeefc0de;
const HEADER_BYTES = 24;
const TREE_BYTES = 48;
const ROOT = {
  pageSize: 48,
  freePages: 48,
  trees: 96,
  lastPage: 144,
  transaction: 152,
  bytes: 160,
};
const PAGE = { transaction: 8, flags: 18, lower: 20, upper: 22 };
const NODE_BYTES = 8;
const PAGE_FLAGS = { branch: 1, leaf: 2, kinds: 0x0f };
/** Of nodes: the value is in pages of its own, or is a tree. */
const NODE_FLAGS = { large: 1, tree: 2 };
const REFERENCE_BYTES = 24;
const NO_PAGE = 2n ** 64n - 1n;
const DEPTH_MAX = 32;

interface Root {
  readonly pageSize: number;
  readonly lastPage: number;
  readonly transaction: bigint;
  readonly freePages: Tree;
  readonly trees: Tree;
}

interface Tree {
  readonly depth: number;
  readonly entries: bigint;
  readonly root: bigint;
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
    if (size > 0) checkPages(descriptor, newestRoot(descriptor, size));
  } finally {
    closeSync(descriptor);
  }
}

/** Commits write the two roots in turn, each in one piece: their numbers follow each other. */
function newestRoot(descriptor: number, size: number): Root {
  const first = rootAt(descriptor, 0);
  const second = rootAt(descriptor, first.pageSize);
  const difference = first.transaction - second.transaction;
  const isInTurn =
    first.transaction % 2n === 0n &&
    second.transaction % 2n === 1n &&
    (difference === 1n || difference === -1n);
  // As it is made, before anything is committed.
  const isNew = first.transaction === 0n && second.transaction === 0n;
  if (!isInTurn && !isNew) throw new Error('data.mdb is damaged: its two roots do not fit');
  const newest = difference > 0n ? first : second;
  const needed = (newest.lastPage + 1) * newest.pageSize;
  // Touching pages beyond the end of a file kills the process.
  if (size < needed) throw new Error(`data.mdb has ${size} bytes and needs ${needed}`);
  return newest;
}

function rootAt(descriptor: number, offset: number): Root {
  const page = Buffer.alloc(ROOT.bytes);
  const length = readSync(descriptor, page, 0, ROOT.bytes, offset);
  const pageSize = page.readUInt32LE(ROOT.pageSize);
  const isPageSize = pageSize >= 512 && pageSize <= 65_536 && (pageSize & (pageSize - 1)) === 0;
  if (length < ROOT.bytes || page.readUInt32LE(HEADER_BYTES) !== MAGIC || !isPageSize) {
    throw new Error('data.mdb is damaged: it has no root');
  }
  return {
    pageSize,
    lastPage: Number(page.readBigUInt64LE(ROOT.lastPage)),
    transaction: page.readBigUInt64LE(ROOT.transaction),
    freePages: treeAt(page, ROOT.freePages),
    trees: treeAt(page, ROOT.trees),
  };
}

function treeAt(bytes: Buffer, at: number): Tree {
  return {
    depth: bytes.readUInt16LE(at + 6),
    entries: bytes.readBigUInt64LE(at + 32),
    root: bytes.readBigUInt64LE(at + 40),
  };
}

function checkPages(descriptor: number, root: Root): void {
  const check = new PageCheck(descriptor, root);
  check.tree(root.freePages, 'the free pages');
  const named = check.tree(root.trees, 'the names of logs');
  for (const [name, tree] of named) check.tree(tree, `the log ${name}`);
}

/** Walks trees, each page once. */
class PageCheck {
  readonly #descriptor: number;
  readonly #root: Root;
  readonly #bodyBytes: number;
  readonly #seen = new Set<number>();
  /** By depth: that of a branch is read on after those below it. */
  readonly #pages: Buffer[] = [];
  #named = new Map<string, Tree>();
  #entries = 0n;

  constructor(descriptor: number, root: Root) {
    this.#descriptor = descriptor;
    this.#root = root;
    this.#bodyBytes = root.pageSize - HEADER_BYTES;
  }

  /** Throws where a page is not what the library takes it for; gives the trees that it names. */
  tree({ depth, entries, root }: Tree, name: string): ReadonlyMap<string, Tree> {
    this.#named = new Map();
    this.#entries = 0n;
    const isEmpty = root === NO_PAGE;
    if (depth > DEPTH_MAX || isEmpty !== (depth === 0)) throw damaged(name, root);
    if (!isEmpty) this.#page(Number(root), depth, name);
    if (this.#entries !== entries) {
      throw new Error(`data.mdb is damaged: ${name} has ${this.#entries} of ${entries} entries`);
    }
    return this.#named;
  }

  #page(number: number, depth: number, name: string): void {
    const { pageSize, lastPage, transaction } = this.#root;
    if (number < 2 || number > lastPage || this.#seen.has(number)) throw damaged(name, number);
    this.#seen.add(number);
    const page = (this.#pages[depth] ??= Buffer.allocUnsafe(pageSize));
    readSync(this.#descriptor, page, 0, pageSize, number * pageSize);
    const kind = page.readUInt16LE(PAGE.flags) & PAGE_FLAGS.kinds;
    const lower = page.readUInt16LE(PAGE.lower);
    const upper = page.readUInt16LE(PAGE.upper);
    const isSound =
      page.readBigUInt64LE(0) === BigInt(number) &&
      page.readBigUInt64LE(PAGE.transaction) <= transaction &&
      kind === (depth > 1 ? PAGE_FLAGS.branch : PAGE_FLAGS.leaf) &&
      lower >= 2 &&
      lower % 2 === 0 &&
      lower <= upper &&
      upper <= this.#bodyBytes;
    if (!isSound) throw damaged(name, number);
    const body = page.subarray(HEADER_BYTES);
    for (let at = 0; at < lower; at += 2) {
      const node = body.readUInt16LE(at);
      if (node < upper || node + NODE_BYTES > body.length) throw damaged(name, number);
      if (depth > 1) this.#page(pageBelow(body, node), depth - 1, name);
      else if (!this.#leafNode(body, node)) throw damaged(name, number);
    }
  }

  /** False where a node reaches beyond its page or the file. */
  #leafNode(body: Buffer, node: number): boolean {
    this.#entries++;
    const valueBytes = body.readUInt32LE(node);
    const flags = body.readUInt16LE(node + 4);
    const keyEnd = node + NODE_BYTES + body.readUInt16LE(node + 6);
    const isLarge = (flags & NODE_FLAGS.large) !== 0;
    if (keyEnd + (isLarge ? REFERENCE_BYTES : valueBytes) > body.length) return false;
    if (isLarge) {
      const first = Number(body.readBigUInt64LE(keyEnd));
      const pages = Number(body.readBigUInt64LE(keyEnd + 16));
      const { lastPage, pageSize } = this.#root;
      return first >= 2 && first + pages - 1 <= lastPage && valueBytes <= pages * pageSize;
    }
    if ((flags & NODE_FLAGS.tree) === 0) return true;
    if (valueBytes !== TREE_BYTES) return false;
    const name = body.toString('utf8', node + NODE_BYTES, keyEnd).replace(/\0$/, '');
    this.#named.set(name, treeAt(body, keyEnd));
    return true;
  }
}

function pageBelow(body: Buffer, node: number): number {
  return body.readUIntLE(node, 6);
}

function damaged(name: string, page: number | bigint): Error {
  return new Error(`data.mdb is damaged: page ${page} of ${name}`);
}
