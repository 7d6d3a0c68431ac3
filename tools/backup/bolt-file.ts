/**
 * Reads a file of bbolt, the store of etcd: pages of a B+tree, whose format is public and has been
 * the same since etcd 3.0. The file is of one moment: nobody writes to it.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { ToolError } from './tool-error.ts';

const MAGIC = 0xed0cdaed;
const VERSION = 2;
const HEAD_BYTES = 16;
const META_BYTES = 80;
const META_CHECKED_BYTES = 56;
const ELEMENT_BYTES = 16;
const BUCKET_HEAD_BYTES = 16;
const BRANCH = 0x01;
const LEAF = 0x02;
const BUCKET = 0x01;
/** Sizes that operating systems have, and more. */
const PAGE_BYTES_MIN = 512;
const PAGE_BYTES_MAX = 1024 * 1024;
/** No tree of such pages is deeper. */
const DEPTH_MAX = 64;
const FNV_START = 0xcbf29ce484222325n;
const FNV_PRIME = 0x100000001b3n;

export interface BoltEntry {
  readonly key: Buffer;
  readonly value: Buffer;
}

/** Where the tree of a moment begins. */
interface Meta {
  readonly pageBytes: number;
  readonly root: number;
  /** The later one is the newer. */
  readonly txid: bigint;
}

export class BoltFile {
  readonly #name: string;
  readonly #file: number;
  readonly #bytes: number;
  readonly #pageBytes: number;
  readonly #root: number;
  readonly #seen = new Set<number>();

  /** Throws ToolError for a file that is none of bbolt. */
  constructor(name: string) {
    this.#name = name;
    this.#file = openSync(name, 'r');
    this.#bytes = fstatSync(this.#file).size;
    const meta = this.#newestMeta();
    if (meta === undefined) {
      this.close();
      throw new ToolError(`${name} is no snapshot of etcd, and no file of its store`);
    }
    this.#pageBytes = meta.pageBytes;
    this.#root = meta.root;
  }

  close(): void {
    closeSync(this.#file);
  }

  /** All of a bucket, in the order of its keys. Throws ToolError where the file is damaged. */
  *entries(bucket: string): Generator<BoltEntry> {
    this.#seen.clear();
    for (const { key, value, flags } of this.#tree(this.#page(this.#root), 0)) {
      if ((flags & BUCKET) === 0 || key.toString('latin1') !== bucket) continue;
      if (value.length < BUCKET_HEAD_BYTES) throw this.#damaged();
      const root = this.#number(value.readBigUInt64LE(0));
      // A small bucket has its page inside.
      const page = root === 0 ? value.subarray(BUCKET_HEAD_BYTES) : this.#page(root);
      yield* this.#tree(page, 0);
      return;
    }
    throw new ToolError(`${this.#name} has no bucket "${bucket}": it is of no etcd`);
  }

  *#tree(page: Buffer, depth: number): Generator<BoltEntry & { readonly flags: number }> {
    if (page.length < HEAD_BYTES || depth > DEPTH_MAX) throw this.#damaged();
    const kind = page.readUInt16LE(8) & (BRANCH | LEAF);
    const count = page.readUInt16LE(10);
    if (kind === 0 || HEAD_BYTES + count * ELEMENT_BYTES > page.length) throw this.#damaged();
    for (let at = HEAD_BYTES; at < HEAD_BYTES + count * ELEMENT_BYTES; at += ELEMENT_BYTES) {
      if (kind === BRANCH) {
        const child = this.#number(page.readBigUInt64LE(at + 8));
        yield* this.#tree(this.#page(child), depth + 1);
        continue;
      }
      const start = at + page.readUInt32LE(at + 4);
      const middle = start + page.readUInt32LE(at + 8);
      const end = middle + page.readUInt32LE(at + 12);
      if (end > page.length) throw this.#damaged();
      const [key, value] = [page.subarray(start, middle), page.subarray(middle, end)];
      yield { key, value, flags: page.readUInt32LE(at) };
    }
  }

  /** A page, and those that go on with it. */
  #page(id: number): Buffer {
    // Each is in one tree once; a circle would have no end.
    if (this.#seen.has(id)) throw this.#damaged();
    this.#seen.add(id);
    const start = id * this.#pageBytes;
    const more = this.#read(start, HEAD_BYTES)?.readUInt32LE(12) ?? 0;
    const page = this.#read(start, (1 + more) * this.#pageBytes);
    if (page === undefined) throw this.#damaged();
    return page;
  }

  /** The first two pages tell where the newest tree begins; one may be half written. */
  #newestMeta(): Meta | undefined {
    const first = this.#metaAt(0);
    const sizes = first === undefined ? pageSizes() : [first.pageBytes];
    const metas = [first, ...sizes.map((size) => this.#metaAt(size))];
    let newest: Meta | undefined;
    for (const meta of metas) if (meta && meta.txid >= (newest?.txid ?? 0n)) newest = meta;
    return newest;
  }

  #metaAt(start: number): Meta | undefined {
    const meta = this.#read(start, META_BYTES)?.subarray(HEAD_BYTES);
    const isMeta = meta?.readUInt32LE(0) === MAGIC && meta.readUInt32LE(4) === VERSION;
    if (meta === undefined || !isMeta) return undefined;
    if (meta.readBigUInt64LE(META_CHECKED_BYTES) !== fnv(meta.subarray(0, META_CHECKED_BYTES))) {
      return undefined;
    }
    const pageBytes = meta.readUInt32LE(8);
    if (!pageSizes().includes(pageBytes)) return undefined;
    return {
      pageBytes,
      root: this.#number(meta.readBigUInt64LE(16)),
      txid: meta.readBigUInt64LE(48),
    };
  }

  #number(value: bigint): number {
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw this.#damaged();
    return Number(value);
  }

  /** Undefined beyond the end of the file. */
  #read(start: number, length: number): Buffer | undefined {
    if (start + length > this.#bytes) return undefined;
    const bytes = Buffer.allocUnsafe(length);
    return readSync(this.#file, bytes, 0, length, start) === length ? bytes : undefined;
  }

  #damaged(): ToolError {
    return new ToolError(`${this.#name} is damaged, or was written to while it was copied`);
  }
}

function pageSizes(): readonly number[] {
  const sizes: number[] = [];
  for (let size = PAGE_BYTES_MIN; size <= PAGE_BYTES_MAX; size *= 2) sizes.push(size);
  return sizes;
}

/** FNV-1a of 64 bits. */
function fnv(bytes: Uint8Array): bigint {
  let hash = FNV_START;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * FNV_PRIME);
  return hash;
}
