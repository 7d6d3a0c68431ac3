/**
 * The pages of a file of LMDB.
 *
 *     body of a page:  u16 offset … of `lower / 2` nodes; the nodes are from `upper` on
 *     node:            u32 value bytes | u16 flags | u16 key bytes | key | value
 *                      of a branch the first six bytes are the number of the page below
 *     large value:     u64 first page | u64 transaction | u64 pages
 *     free pages:      u64 count | i64 page, or minus how many and then the first …
 *
 * Offsets count from the body. `lmdb-root.ts` describes the header in front of it.
 */
export const PAGE = { transaction: 8, flags: 18, lower: 20, upper: 22 };
export const NODE_BYTES = 8;
export const PAGE_FLAGS = { branch: 1, leaf: 2, large: 4 };
/** Flags of nodes: the value is in pages of its own, or is a tree. */
export const NODE_FLAGS = { none: 0, large: 1, tree: 2 };
export const LARGE_BYTES = 24;
export const NUMBER_BYTES = 8;
export const DEPTH_MAX = 32;

/** All of a node, which begins at an even place. */
export function nodeBytes(body: Buffer, node: number, isBranch: boolean): number {
  const isLarge = body.readUInt16LE(node + 4) === NODE_FLAGS.large;
  const valueBytes = isLarge ? LARGE_BYTES : body.readUInt32LE(node);
  const bytes = NODE_BYTES + body.readUInt16LE(node + 6) + (isBranch ? 0 : valueBytes);
  return bytes + (bytes % 2);
}

export function pageBelow(body: Buffer, node: number): number {
  return body.readUIntLE(node, 6);
}

/** First page and number of pages of each run in a list of free pages; undefined for no list. */
export function freePagesIn(
  value: Buffer,
  lastPage: number,
): (readonly [first: number, pages: number])[] | undefined {
  if (value.length < NUMBER_BYTES) return undefined;
  const count = Number(value.readBigUInt64LE(0));
  if ((count + 1) * NUMBER_BYTES > value.length) return undefined;
  const runs: (readonly [number, number])[] = [];
  for (let at = 1; at <= count; at++) {
    let entry = Number(value.readBigInt64LE(at * NUMBER_BYTES));
    let pages = 1;
    if (entry < 0 && at < count) {
      pages = -entry;
      at++;
      entry = Number(value.readBigInt64LE(at * NUMBER_BYTES));
    }
    if (entry === 0) continue;
    if (entry < 2 || entry + pages - 1 > lastPage) return undefined;
    runs.push([entry, pages]);
  }
  return runs;
}
