/**
 * The mark in a file of LMDB: which of its states is on the disk for sure, all of it, and in which
 * run of the system the file was written. It stands in the first page, where the library writes
 * only when it makes a file, and takes one sector: after a power cut it is the old one or the new
 * one (README.md#power-cuts).
 *
 *     magic | u32 1 where all of the file is on the disk | name of the run | u64 inode
 *     | u64 birth of the file | root | checksum
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fstatSync, readFileSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { parseRecord, ROOT_RECORD_BYTES } from './lmdb-root.ts';
import type { Root } from './lmdb-root.ts';

const MAGIC = Buffer.from('SPMARK01');
const RUN_BYTES = 16;
const AT = { isFlushed: 8, run: 12, inode: 28, birth: 36, root: 44 } as const;
const CHECKSUM_AT = AT.root + ROOT_RECORD_BYTES;
const MARK_BYTES = CHECKSUM_AT + 4;

/** Another one after a power cut, and in a copy; the same one after the end of a process. */
export interface Witness {
  /** The run of the system: another one each time that it starts. */
  readonly run: Buffer;
  readonly inode: bigint;
  readonly birth: bigint;
}

export interface Mark {
  /** Whether all of the file is on the disk, not only the pages to which the root leads. */
  readonly isFlushed: boolean;
  readonly witness: Witness;
  /** All that it leads to is on the disk. */
  readonly root: Root;
}

/** Undefined where there is none: an earlier version made the file. Throws where it is damaged. */
export function readMark(descriptor: number, pageSize: number): Mark | undefined {
  const bytes = Buffer.alloc(MARK_BYTES);
  readSync(descriptor, bytes, 0, MARK_BYTES, markAt(pageSize));
  if (bytes.every((byte) => byte === 0)) return undefined;
  const isWhole =
    bytes.subarray(0, MAGIC.length).equals(MAGIC) &&
    bytes.readUInt32LE(CHECKSUM_AT) === crc32(bytes.subarray(0, CHECKSUM_AT));
  const root = parseRecord(bytes.subarray(AT.root, CHECKSUM_AT));
  if (!isWhole || root?.pageSize !== pageSize) {
    throw new Error('data.mdb is damaged: its mark cannot be read');
  }
  return {
    isFlushed: bytes.readUInt32LE(AT.isFlushed) === 1,
    witness: {
      run: bytes.subarray(AT.run, AT.run + RUN_BYTES),
      inode: bytes.readBigUInt64LE(AT.inode),
      birth: bytes.readBigUInt64LE(AT.birth),
    },
    root,
  };
}

export function writeMark(descriptor: number, { isFlushed, witness, root }: Mark): void {
  const bytes = Buffer.alloc(MARK_BYTES);
  MAGIC.copy(bytes);
  bytes.writeUInt32LE(isFlushed ? 1 : 0, AT.isFlushed);
  witness.run.copy(bytes, AT.run);
  bytes.writeBigUInt64LE(witness.inode, AT.inode);
  bytes.writeBigUInt64LE(witness.birth, AT.birth);
  root.record.copy(bytes, AT.root);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, CHECKSUM_AT)), CHECKSUM_AT);
  writeSync(descriptor, bytes, 0, MARK_BYTES, markAt(root.pageSize));
}

function markAt(pageSize: number): number {
  return (pageSize * 3) / 4;
}

/** The witness of a file in this run of the system. */
export function witnessOf(descriptor: number): Witness {
  const { ino, birthtimeNs } = fstatSync(descriptor, { bigint: true });
  return { run: runOfSystem(), inode: ino, birth: BigInt.asUintN(64, birthtimeNs) };
}

export function isSameWitness(one: Witness, other: Witness): boolean {
  return one.run.equals(other.run) && one.inode === other.inode && one.birth === other.birth;
}

/**
 * The run of the system. Where the system does not tell, it is another one each time: only the mark
 * is trusted then.
 */
function runOfSystem(): Buffer {
  const bytes = Buffer.alloc(RUN_BYTES);
  try {
    const name =
      process.platform === 'darwin'
        ? execFileSync('sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8' })
        : readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    bytes.write(name.trim().replaceAll('-', ''), 'hex');
  } catch {
    return randomBytes(RUN_BYTES);
  }
  return bytes;
}

/** The run as the library writes it into roots: the first digits of its name. */
export function libraryNameOf({ run }: Witness): bigint {
  return BigInt(run.readUInt32BE(0));
}
