/**
 * The format of the store in a file, read without the library, which would write to it: a version
 * before may have to open the file again.
 */
import { readSync } from 'node:fs';
import { FORMAT, SETTINGS } from '../lmdb-settings.ts';
import { DEPTH_MAX, NODE_BYTES, NODE_FLAGS, PAGE, PAGE_FLAGS, pageBelow } from '../lmdb-page.ts';
import { HEADER_BYTES, newestOf, readRoots, TREE_BYTES, treeAt } from '../lmdb-root.ts';
import type { Root, Tree } from '../lmdb-root.ts';

/** Undefined where it cannot be read: who checks the file says what is wrong. */
export function storedFormat(descriptor: number): string | undefined {
  try {
    const root = newestOf(readRoots(descriptor));
    const names = new Leaves(descriptor, root).find(root.trees, SETTINGS);
    if (names?.length !== TREE_BYTES) return undefined;
    return new Leaves(descriptor, root).find(treeAt(names, 0), FORMAT)?.toString();
  } catch {
    return undefined;
  }
}

/** The entries of small trees, which are looked through one by one. */
class Leaves {
  readonly #descriptor: number;
  readonly #root: Root;

  constructor(descriptor: number, root: Root) {
    this.#descriptor = descriptor;
    this.#root = root;
  }

  /** The value under a name; undefined where there is none, or it has pages of its own. */
  find({ root, depth }: Tree, name: string): Buffer | undefined {
    if (depth === 0 || depth > DEPTH_MAX) return undefined;
    return this.#inPage(Number(root), depth, name);
  }

  #inPage(number: number, depth: number, name: string): Buffer | undefined {
    const { pageSize, lastPage } = this.#root;
    const page = Buffer.alloc(pageSize);
    const isThere = number >= 2 && number <= lastPage;
    if (!isThere || readSync(this.#descriptor, page, 0, pageSize, number * pageSize) < pageSize) {
      return undefined;
    }
    const kind = depth > 1 ? PAGE_FLAGS.branch : PAGE_FLAGS.leaf;
    if (page.readUInt16LE(PAGE.flags) !== kind) return undefined;
    const body = page.subarray(HEADER_BYTES);
    const nodes = page.readUInt16LE(PAGE.lower) / 2;
    for (let at = 0; at < nodes; at++) {
      const node = body.readUInt16LE(at * 2);
      const value =
        depth > 1
          ? this.#inPage(pageBelow(body, node), depth - 1, name)
          : valueUnder(body, node, name);
      if (value !== undefined) return value;
    }
    return undefined;
  }
}

function valueUnder(body: Buffer, node: number, name: string): Buffer | undefined {
  const keyEnd = node + NODE_BYTES + body.readUInt16LE(node + 6);
  const key = body.toString('utf8', node + NODE_BYTES, keyEnd).replace(/\0$/, '');
  const isInPage = body.readUInt16LE(node + 4) !== NODE_FLAGS.large;
  if (key !== name || !isInPage) return undefined;
  return body.subarray(keyEnd, keyEnd + body.readUInt32LE(node));
}
