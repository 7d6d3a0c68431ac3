/** Ways in which the file of a store gets damaged. */
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { STORE_PAGE_BYTES } from '../../src/limits.ts';

export type Random = (below: number) => number;

/** Gives the same numbers for the same seed. */
export function randomOf(seed: number): Random {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export type Damage = (file: string, random: Random) => string;

function changed(file: string, change: (bytes: Buffer) => void): void {
  const bytes = readFileSync(file);
  change(bytes);
  writeFileSync(file, bytes);
}

function pageIn(bytes: Buffer, random: Random): Buffer {
  const start = random(bytes.length / STORE_PAGE_BYTES) * STORE_PAGE_BYTES;
  return bytes.subarray(start, start + STORE_PAGE_BYTES);
}

/** The newest pages that lead to others; of older ones most are no longer in use. */
function branchPagesIn(bytes: Buffer): Buffer[] {
  const pages: Buffer[] = [];
  for (let start = 2 * STORE_PAGE_BYTES; start < bytes.length; start += STORE_PAGE_BYTES) {
    const page = bytes.subarray(start, start + STORE_PAGE_BYTES);
    if ((page.readUInt16LE(18) & 0x0f) === 1) pages.push(page);
  }
  const transactionOf = (page: Buffer) => Number(page.readBigUInt64LE(8));
  return pages.sort((a, b) => transactionOf(b) - transactionOf(a)).slice(0, 4);
}

export const DAMAGES: readonly Damage[] = [
  (file, random) => {
    changed(file, (bytes) => {
      const at = random(bytes.length);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random(8)), at);
    });
    return 'a flipped bit';
  },
  (file, random) => {
    changed(file, (bytes) => pageIn(bytes, random).fill(0));
    return 'a page of zeros';
  },
  (file, random) => {
    changed(file, (bytes) => {
      const page = pageIn(bytes, random);
      for (let at = 0; at < page.length; at++) page[at] = random(256);
    });
    return 'a page of anything';
  },
  (file, random) => {
    changed(file, (bytes) => pageIn(bytes, random).copy(pageIn(bytes, random)));
    return 'a page in the place of another';
  },
  (file, random) => {
    changed(file, (bytes) => {
      const branches = branchPagesIn(bytes);
      const page = branches[random(branches.length)] ?? bytes;
      // Offsets of nodes count from the end of the header, and the key follows 8 bytes of each.
      const node = 24 + page.readUInt16LE(24 + 2 * (1 + random(page.readUInt16LE(20) / 2 - 1)));
      const at = node + 8 + random(page.readUInt16LE(node + 6));
      page.writeUInt8(page.readUInt8(at) ^ (1 << random(8)), at);
    });
    return 'a flipped bit where a search branches';
  },
  (file, random) => {
    changed(file, (bytes) => {
      const at = random(2) * STORE_PAGE_BYTES + random(168);
      bytes.writeUInt8(random(256), at);
    });
    return 'another byte in a root';
  },
  (file, random) => {
    changed(file, (bytes) => {
      const pages = bytes.length / STORE_PAGE_BYTES - 2;
      const at = (2 + random(pages)) * STORE_PAGE_BYTES + random(64);
      bytes.writeUInt8(random(256), at);
    });
    return 'another byte where a page begins';
  },
  (file, random) => {
    changed(file, (bytes) => {
      const [first = 0, second = 0] = [0, 1].map((root) =>
        Number(bytes.readBigUInt64LE(root * STORE_PAGE_BYTES + 152)),
      );
      const root = first > second ? 0 : STORE_PAGE_BYTES;
      const page = Number(bytes.readBigUInt64LE(root + 88)) * STORE_PAGE_BYTES;
      // Nodes are at the end of a page; most of these are numbers of pages.
      const upper = bytes.readUInt16LE(page + 22) + 24;
      const at = page + upper + random(STORE_PAGE_BYTES - upper);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random(4)), at);
    });
    return 'a flipped bit in the list of free pages';
  },
  (file, random) => {
    truncateSync(file, random(readFileSync(file).length));
    return 'a file cut off';
  },
];
