/**
 * What one write to a segment holds: the appends of a turn, each to one log, in the form in which
 * the store has their records.
 *
 *     magic | u32 checksum of what follows | u32 length of the appends | u32 number in its segment
 *     | u64 name of the use of the segment | appends
 *
 * An append is its log, its records, and what leaves the log with it. Integers are little-endian,
 * versions are doubles.
 */
import { crc32 } from 'node:zlib';
import type { LogEntry, Removal } from '../store.ts';

const MAGIC = Buffer.from('SPWA');
const AT = { checksum: 4, length: 8, number: 12, use: 16 } as const;
export const GROUP_HEAD_BYTES = 24;
const LENGTH_BYTES = 4;
const RV_BYTES = 8;

/** Records of one log, and what leaves it in the same commit. */
export interface Append {
  readonly log: string;
  readonly entries: readonly LogEntry[];
  readonly removal?: Removal | undefined;
}

/** Where a group stands. */
export interface GroupPlace {
  readonly number: number;
  readonly use: bigint;
}

/** Bytes that an append takes in a group. */
export function appendBytes({ log, entries, removal }: Append): number {
  let bytes = 3 * LENGTH_BYTES + RV_BYTES + Buffer.byteLength(log);
  for (const { value } of entries) bytes += RV_BYTES + LENGTH_BYTES + value.length;
  return bytes + (removal?.rvs.length ?? 0) * RV_BYTES;
}

/** Writes a group at the start of `target`, which has room for it; gives its length. */
export function writeGroup(
  target: Buffer,
  appends: readonly Append[],
  { number, use }: GroupPlace,
): number {
  let at = GROUP_HEAD_BYTES;
  for (const append of appends) at = writeAppend(target, at, append);
  MAGIC.copy(target);
  target.writeUInt32LE(at - GROUP_HEAD_BYTES, AT.length);
  target.writeUInt32LE(number, AT.number);
  target.writeBigUInt64LE(use, AT.use);
  target.writeUInt32LE(crc32(target.subarray(AT.length, at)), AT.checksum);
  return at;
}

function writeAppend(target: Buffer, start: number, { log, entries, removal }: Append): number {
  const rvs = removal?.rvs ?? [];
  let at = start + LENGTH_BYTES + target.write(log, start + LENGTH_BYTES);
  target.writeUInt32LE(at - start - LENGTH_BYTES, start);
  // No log has a horizon of -1: nothing leaves this one.
  at = target.writeDoubleLE(removal?.horizon ?? -1, at);
  at = target.writeUInt32LE(rvs.length, at);
  for (let index = 0; index < rvs.length; index++) at = target.writeDoubleLE(rvs[index] ?? 0, at);
  at = target.writeUInt32LE(entries.length, at);
  for (const { rv, value } of entries) {
    at = target.writeDoubleLE(rv, at);
    at = target.writeUInt32LE(value.length, at);
    target.set(value, at);
    at += value.length;
  }
  return at;
}

export interface ReadGroup extends GroupPlace {
  readonly appends: readonly Append[];
  /** Where the next group stands. */
  readonly end: number;
}

/** The group at `start`, whose values are views; undefined where no whole one stands. */
export function readGroup(bytes: Buffer, start: number): ReadGroup | undefined {
  if (bytes.length - start < GROUP_HEAD_BYTES) return undefined;
  const head = bytes.subarray(start, start + GROUP_HEAD_BYTES);
  const end = start + GROUP_HEAD_BYTES + head.readUInt32LE(AT.length);
  const isWhole =
    head.subarray(0, MAGIC.length).equals(MAGIC) &&
    end <= bytes.length &&
    head.readUInt32LE(AT.checksum) === crc32(bytes.subarray(start + AT.length, end));
  if (!isWhole) return undefined;
  const appends: Append[] = [];
  for (let at = start + GROUP_HEAD_BYTES; at < end;) {
    const read = readAppend(bytes, at);
    appends.push(read.append);
    at = read.end;
  }
  return { number: head.readUInt32LE(AT.number), use: head.readBigUInt64LE(AT.use), appends, end };
}

function readAppend(bytes: Buffer, start: number): { append: Append; end: number } {
  let at = start + LENGTH_BYTES + bytes.readUInt32LE(start);
  const log = bytes.toString('utf8', start + LENGTH_BYTES, at);
  const horizon = bytes.readDoubleLE(at);
  const rvs = new Float64Array(bytes.readUInt32LE(at + RV_BYTES));
  at += RV_BYTES + LENGTH_BYTES;
  for (let index = 0; index < rvs.length; index++, at += RV_BYTES) {
    rvs[index] = bytes.readDoubleLE(at);
  }
  const entries: LogEntry[] = [];
  const count = bytes.readUInt32LE(at);
  at += LENGTH_BYTES;
  for (let index = 0; index < count; index++) {
    const rv = bytes.readDoubleLE(at);
    const valueStart = at + RV_BYTES + LENGTH_BYTES;
    at = valueStart + bytes.readUInt32LE(at + RV_BYTES);
    entries.push({ rv, value: bytes.subarray(valueStart, at) });
  }
  const removal = horizon < 0 ? undefined : { rvs, horizon };
  return { append: { log, entries, removal }, end: at };
}

/** All whole groups that stand anywhere from `start` on. */
export function groupsFrom(bytes: Buffer, start: number): ReadGroup[] {
  const groups: ReadGroup[] = [];
  for (let at = bytes.indexOf(MAGIC, start); at >= 0;) {
    const group = readGroup(bytes, at);
    if (group !== undefined) groups.push(group);
    at = bytes.indexOf(MAGIC, group?.end ?? at + 1);
  }
  return groups;
}
