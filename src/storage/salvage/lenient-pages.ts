/**
 * Walks the pages of a file that may be damaged, and goes on where it can. A page that two lead to,
 * or one that counts as free, belongs to none of them: nobody can say whose its entries are.
 */
import { fstatSync, readSync } from 'node:fs';
import { appendAll } from '../../base/append-all.ts';
import {
  DEPTH_MAX,
  freePagesIn,
  LARGE_BYTES,
  NODE_BYTES,
  NODE_FLAGS,
  nodeBytes,
  PAGE,
  PAGE_FLAGS,
  pageBelow,
} from '../lmdb-page.ts';
import { HEADER_BYTES, NO_PAGE, TREE_BYTES, treeAt } from '../lmdb-root.ts';
import type { Root, Tree } from '../lmdb-root.ts';

/** What is told of a tree, in the order in which it stands there. */
export interface TreeVisitor {
  /** An entry; its bytes are valid until the call returns. */
  readonly entry: (key: Buffer, value: Buffer) => void;
  /** Something of the tree is unreadable here. */
  readonly lost: (what: string) => void;
}

type NodeVisitor = Omit<TreeVisitor, 'entry'> & {
  readonly node: (body: Buffer, node: number, keyEnd: number) => void;
};

/** How often a page is led to. */
const TWICE = 2;
const VALUE_BYTES_MAX = 64 * 1024 * 1024;
/** More than any file has. */
const PAGES_MAX = 2 ** 36;

export class LenientPages {
  readonly #descriptor: number;
  readonly #root: Root;
  readonly #fileBytes: number;
  /** No page is of a later transaction. */
  readonly #newest: bigint;
  readonly #claims: Uint8Array;
  readonly trees = new Map<string, Tree>();
  /** Of the names of trees. */
  readonly damage = new Set<string>();
  /** Of the list of free pages: it costs no entry. */
  readonly freeDamage = new Set<string>();

  constructor(descriptor: number, root: Root) {
    this.#descriptor = descriptor;
    this.#root = root;
    this.#fileBytes = fstatSync(descriptor).size;
    this.#newest = newestTransaction(descriptor, root);
    const pages = Math.min(root.lastPage + 1, Math.ceil(this.#fileBytes / root.pageSize));
    this.#claims = new Uint8Array(pages);
    this.#claimFree();
    this.#walk(root.trees, { node: () => undefined, lost: () => undefined }, true);
    this.#readNames();
    for (const tree of this.trees.values()) {
      this.#walk(
        tree,
        { node: (body, node, end) => this.#claimLarge(body, node, end), lost: () => undefined },
        true,
      );
    }
  }

  #claimFree(): void {
    const lost = (what: string): void =>
      void this.freeDamage.add(`the list of free pages: ${what}`);
    const runs: (readonly [number, number])[] = [];
    const visitor = {
      lost,
      node: (body: Buffer, node: number, keyEnd: number): void => {
        this.#claimLarge(body, node, keyEnd);
        const value = this.#valueOf(body, node, keyEnd);
        const free = value && freePagesIn(value, this.#root.lastPage);
        if (free === undefined) lost('a list of pages is none');
        else appendAll(runs, free);
      },
    };
    this.#walk(this.#root.freePages, visitor, true);
    for (const [first, pages] of runs) {
      const end = Math.min(first + pages, this.#claims.length);
      for (let page = first; page < end; page++) this.#claim(page);
    }
  }

  #readNames(): void {
    const visitor = {
      lost: (what: string): void => void this.damage.add(`the names of logs: ${what}`),
      node: (body: Buffer, node: number, keyEnd: number): void => {
        const isTree =
          body.readUInt16LE(node + 4) === NODE_FLAGS.tree &&
          body.readUInt32LE(node) === TREE_BYTES &&
          keyEnd + TREE_BYTES <= body.length;
        if (!isTree) {
          visitor.lost('an entry is none');
          return;
        }
        const name = body.toString('utf8', node + NODE_BYTES, keyEnd).replace(/\0$/, '');
        this.trees.set(name, treeAt(body, keyEnd));
      },
    };
    this.#walk(this.#root.trees, visitor, false);
  }

  /** Visits the entries of a tree. */
  visit(tree: Tree, { entry, lost }: TreeVisitor): void {
    let entries = 0n;
    let losses = 0;
    const tell = (what: string): void => {
      losses++;
      lost(what);
    };
    const node = (body: Buffer, at: number, keyEnd: number): void => {
      entries++;
      const value = this.#valueOf(body, at, keyEnd);
      // Those who are called keep none of it, and look at no other page meanwhile.
      if (value === undefined) tell('the pages of a long record are unreadable');
      else entry(body.subarray(at + NODE_BYTES, keyEnd), value);
    };
    this.#walk(tree, { node, lost: tell }, false);
    if (losses === 0 && entries !== tree.entries) {
      lost(`there are ${entries} entries, and ${tree.entries} were noted`);
    }
  }

  #walk(tree: Tree, visitor: NodeVisitor, isClaim: boolean): void {
    const isEmpty = tree.root === NO_PAGE;
    if (isEmpty && tree.depth === 0) return;
    if (isEmpty || tree.depth === 0 || tree.depth > DEPTH_MAX) visitor.lost('its root is none');
    else this.#page(Number(tree.root), tree.depth, visitor, isClaim);
  }

  #page(number: number, depth: number, visitor: NodeVisitor, isClaim: boolean): void {
    const page = this.#readPage(number, depth > 1 ? PAGE_FLAGS.branch : PAGE_FLAGS.leaf);
    if (page === undefined) {
      visitor.lost(`page ${number} is unreadable`);
      return;
    }
    if (isClaim && this.#claim(number) === TWICE) return;
    if (!isClaim && this.#claims[number] !== 1) {
      visitor.lost(`page ${number} is of something else as well`);
      return;
    }
    const lower = page.readUInt16LE(PAGE.lower);
    const upper = page.readUInt16LE(PAGE.upper);
    const body = page.subarray(HEADER_BYTES);
    if (lower < 2 || lower > upper || upper > body.length) {
      visitor.lost(`page ${number} is unreadable`);
      return;
    }
    let bytes = 0;
    for (let at = 0; at + 2 <= lower; at += 2) {
      const node = body.readUInt16LE(at);
      const keyEnd =
        node < upper || node + NODE_BYTES > body.length
          ? Infinity
          : node + NODE_BYTES + body.readUInt16LE(node + 6);
      if (keyEnd > body.length) {
        visitor.lost(`an entry of page ${number} is unreadable`);
        continue;
      }
      bytes += nodeBytes(body, node, depth > 1);
      if (depth === 1) visitor.node(body, node, keyEnd);
      else this.#below(pageBelow(body, node), depth, visitor, isClaim);
    }
    if (bytes !== body.length - upper) visitor.lost(`page ${number} is not as it was written`);
  }

  #below(number: number, depth: number, visitor: NodeVisitor, isClaim: boolean): void {
    if (number >= 2 && number <= this.#root.lastPage) {
      this.#page(number, depth - 1, visitor, isClaim);
    } else visitor.lost(`page ${number} is not there`);
  }

  /** Undefined where it is not such a page. */
  #readPage(number: number, kind: number): Buffer | undefined {
    const { pageSize } = this.#root;
    const page = Buffer.allocUnsafe(pageSize);
    if (number >= this.#claims.length) return undefined;
    if (readSync(this.#descriptor, page, 0, pageSize, number * pageSize) < pageSize) {
      return undefined;
    }
    return this.#isHeader(page, number, kind) ? page : undefined;
  }

  #isHeader(page: Buffer, number: number, kind: number): boolean {
    return (
      page.readBigUInt64LE(0) === BigInt(number) &&
      page.readBigUInt64LE(PAGE.transaction) <= this.#newest &&
      page.readUInt16LE(PAGE.flags) === kind
    );
  }

  #claim(page: number): number {
    const claims = Math.min(TWICE, (this.#claims[page] ?? TWICE) + 1);
    if (page < this.#claims.length) this.#claims[page] = claims;
    return claims;
  }

  #claimLarge(body: Buffer, node: number, keyEnd: number): void {
    if (body.readUInt16LE(node + 4) !== NODE_FLAGS.large) return;
    const run = this.#largeRun(body, node, keyEnd);
    if (run === undefined) return;
    for (let page = run.first; page < run.first + run.pages; page++) this.#claim(page);
  }

  /** The pages of a long value; undefined where it has none. */
  #largeRun(
    body: Buffer,
    node: number,
    keyEnd: number,
  ): { readonly first: number; readonly pages: number } | undefined {
    if (keyEnd + LARGE_BYTES > body.length) return undefined;
    const first = Number(body.readBigUInt64LE(keyEnd));
    const pages = Number(body.readBigUInt64LE(keyEnd + 16));
    const { pageSize } = this.#root;
    const isThere = first >= 2 && pages >= 1 && first + pages <= this.#claims.length;
    const bytes = body.readUInt32LE(node);
    if (!isThere || bytes > pages * pageSize - HEADER_BYTES) return undefined;
    const header = Buffer.alloc(HEADER_BYTES);
    readSync(this.#descriptor, header, 0, HEADER_BYTES, first * pageSize);
    const isRun =
      this.#isHeader(header, first, PAGE_FLAGS.large) && header.readUInt32LE(PAGE.lower) === pages;
    return isRun ? { first, pages } : undefined;
  }

  #valueOf(body: Buffer, node: number, keyEnd: number): Buffer | undefined {
    const bytes = body.readUInt32LE(node);
    const flags = body.readUInt16LE(node + 4);
    if (flags === NODE_FLAGS.none) {
      return keyEnd + bytes <= body.length ? body.subarray(keyEnd, keyEnd + bytes) : undefined;
    }
    const run = flags === NODE_FLAGS.large ? this.#largeRun(body, node, keyEnd) : undefined;
    if (run === undefined || bytes > VALUE_BYTES_MAX) return undefined;
    for (let page = run.first; page < run.first + run.pages; page++) {
      if (this.#claims[page] === TWICE) return undefined;
    }
    const value = Buffer.allocUnsafe(bytes);
    const start = run.first * this.#root.pageSize + HEADER_BYTES;
    return readSync(this.#descriptor, value, 0, bytes, start) === bytes ? value : undefined;
  }
}

/** That of the page of all names, which each commit writes: its root may say another one. */
export function newestTransaction(descriptor: number, root: Root): bigint {
  const { transaction, trees, pageSize, lastPage } = root;
  if (trees.root > BigInt(lastPage) || lastPage > PAGES_MAX) return transaction;
  const header = Buffer.alloc(HEADER_BYTES);
  const bytes = readSync(descriptor, header, 0, HEADER_BYTES, Number(trees.root) * pageSize);
  const isPage = bytes === HEADER_BYTES && header.readBigUInt64LE(0) === trees.root;
  const written = header.readBigUInt64LE(PAGE.transaction);
  return isPage && written > transaction ? written : transaction;
}
