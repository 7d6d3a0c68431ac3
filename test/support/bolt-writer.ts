/** Writes small files of bbolt as etcd has them: two leaves below a branch. */

const PAGE = 4096;
const HEAD = 16;
const ELEMENT = 16;
const [BRANCH, LEAF, META] = [1, 2, 4];

/** A revision of a key: its value, or `null` where it was removed. */
export type Revision = readonly [key: string, value: Buffer | null];

/** The bytes of a file with these revisions, of which the second meta page is the newer one. */
export function boltFile(revisions: readonly Revision[]): Buffer {
  const entries = revisions.map(([key, value], at) => {
    const revision = Buffer.alloc(value === null ? 18 : 17, '_');
    revision.writeBigUInt64BE(BigInt(at + 2), 0);
    revision.writeBigUInt64BE(0n, 9);
    if (value === null) revision.write('t', 17);
    const fields = [field(1, Buffer.from(key)), Buffer.from([0x10, 0x02, 0x18, 0x03])];
    return [revision, Buffer.concat([...fields, ...(value === null ? [] : [field(5, value)])])];
  }) as [Buffer, Buffer][];
  const half = Math.ceil(entries.length / 2);
  const first = leaf(4, entries.slice(0, half));
  const secondId = 4 + first.length / PAGE;
  const second = leaf(secondId, entries.slice(half));
  const branch = page(3, BRANCH, 2);
  for (const [at, child] of [4, secondId].entries()) {
    const start = HEAD + at * ELEMENT;
    branch.writeUInt32LE(2 * ELEMENT - at * ELEMENT, start);
    branch.writeBigUInt64LE(BigInt(child), start + 8);
  }
  const bucket = Buffer.alloc(16);
  bucket.writeBigUInt64LE(3n, 0);
  const root = leaf(2, [[Buffer.from('key'), bucket]], 1);
  // The older tree is gone.
  return Buffer.concat([meta(0, 99n, 1n), meta(1, 2n, 2n), root, branch, first, second]);
}

function field(number: number, bytes: Buffer): Buffer {
  const lengths: number[] = [];
  for (let rest = bytes.length; ; rest >>>= 7) {
    if (rest < 128) {
      lengths.push(rest);
      break;
    }
    lengths.push((rest & 127) | 128);
  }
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...lengths]), bytes]);
}

function page(id: number, flags: number, count: number, pages = 1): Buffer {
  const bytes = Buffer.alloc(pages * PAGE);
  bytes.writeBigUInt64LE(BigInt(id), 0);
  bytes.writeUInt16LE(flags, 8);
  bytes.writeUInt16LE(count, 10);
  bytes.writeUInt32LE(pages - 1, 12);
  return bytes;
}

function leaf(id: number, entries: readonly [Buffer, Buffer][], flags = 0): Buffer {
  const data = Buffer.concat(entries.flat());
  const start = HEAD + entries.length * ELEMENT;
  const bytes = page(id, LEAF, entries.length, Math.ceil((start + data.length) / PAGE));
  data.copy(bytes, start);
  let to = start;
  for (const [at, [key, value]] of entries.entries()) {
    const element = HEAD + at * ELEMENT;
    const numbers = [flags, to - element, key.length, value.length];
    for (const [index, number] of numbers.entries()) {
      bytes.writeUInt32LE(number, element + index * 4);
    }
    to += key.length + value.length;
  }
  return bytes;
}

function meta(id: number, root: bigint, txid: bigint): Buffer {
  const bytes = page(id, META, 0);
  const body = bytes.subarray(HEAD);
  body.writeUInt32LE(0xed0cdaed, 0);
  body.writeUInt32LE(2, 4);
  body.writeUInt32LE(PAGE, 8);
  body.writeBigUInt64LE(root, 16);
  body.writeBigUInt64LE(txid, 48);
  let hash = 0xcbf29ce484222325n;
  for (const byte of body.subarray(0, 56)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  body.writeBigUInt64LE(hash, 56);
  return bytes;
}
