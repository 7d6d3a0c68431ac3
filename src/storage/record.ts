/**
 * The value of a log entry: a small binary header, then the object's wire bytes.
 *
 *     u8 operation | u8 flags | u16 zero | u32 headerBytes | f64 time | f64 previousRv
 *     | with the flag `writtenAs`: text
 *     | text key | u32 count, (text, text) … labels | u32 count, text … selectable fields
 *     | with the flag `owned`: u32 count, (u8 blocks, text uid) … owners
 *     | with the flag `managed`: u32 UTF-16 units of the text of `metadata.managedFields`
 *     | wire bytes
 *
 * `text` is u32 byteLength and UTF-8. `headerBytes` counts everything before the wire bytes. The
 * low bits of `flags` are what the object awaits; the flag `k8s` says that names in it are those of
 * `k8s.io`. Integers are little-endian. The wire bytes are the object's JSON from `"metadata":` to
 * the closing brace; those of a deletion are the last state with the version of the deletion.
 */
import { assert } from '../base/assert.ts';

export const OPERATION = { added: 1, modified: 2, deleted: 3 } as const;
export type Operation = (typeof OPERATION)[keyof typeof OPERATION];

/**
 * The work that the garbage collector has yet to do for a terminating object, a set of bits: let
 * its dependents go on without it, or delete them before it (src/shard/README.md#deletion).
 */
export const AWAITS = { nothing: 0, orphaning: 1, dependents: 2 } as const;

/** An owner of an object; where it is and of which kind, the object itself says. */
export interface OwnerLink {
  readonly uid: string;
  /** `blockOwnerDeletion`: deleted in the foreground, the owner waits for this object. */
  readonly blocks: boolean;
}

/** The dialect in which a record is written (src/semantics/dialect/README.md#names). */
export type RecordDomain = 'cluster.io' | 'k8s.io';

export interface RecordHeader {
  readonly operation: Operation;
  /**
   * Milliseconds since 1970 when it was written: decides which records have left the history
   * window.
   */
  readonly timeMs: number;
  /** The version that this one supersedes; 0 when the object did not exist. */
  readonly previousRv: number;
  /** `namespace/name`, or `name` of a cluster-scoped object. */
  readonly key: string;
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** Values of the kind's selectable fields, in the kind's order. */
  readonly fields: readonly string[];
  /** Undefined when it has none. */
  readonly owners?: readonly OwnerLink[] | undefined;
  /** Bits of `AWAITS`; nothing when absent. */
  readonly awaits?: number;
  /** UTF-16 units of the list `metadata.managedFields` in the wire text; 0 for none. */
  readonly managedFieldsLength?: number;
  /** `cluster.io` when absent. */
  readonly domain?: RecordDomain;
  /** The version and the schema under which a custom object was written. */
  readonly writtenAs?: string | undefined;
}

const OWNED = 4;
const MANAGED = 8;
const K8S = 16;
const WRITTEN_AS = 32;
const AWAITS_BITS = AWAITS.orphaning | AWAITS.dependents;
const FLAGS_MAX = WRITTEN_AS | K8S | OWNED | MANAGED | AWAITS_BITS;
const TIME_AT = 8;
const PREVIOUS_RV_AT = 16;
const FIXED_BYTES = 24;
const NO_FIELDS: readonly string[] = Object.freeze([]);

function textBytes(text: string): number {
  return 4 + Buffer.byteLength(text);
}

function writeText(target: Buffer, at: number, text: string): number {
  const length = target.write(text, at + 4);
  target.writeUInt32LE(length, at);
  return at + 4 + length;
}

function writeOwners(target: Buffer, start: number, owners: readonly OwnerLink[]): number {
  let at = target.writeUInt32LE(owners.length, start);
  for (const { uid, blocks } of owners) {
    at = writeText(target, target.writeUInt8(blocks ? 1 : 0, at), uid);
  }
  return at;
}

/** Encodes header and wire text into one buffer, which may share its memory with others. */
export function encodeRecord(header: RecordHeader, wire: string): Buffer {
  const labels = header.labels === undefined ? [] : Object.entries(header.labels);
  let headerBytes = FIXED_BYTES + textBytes(header.key) + 8;
  for (const [key, value] of labels) headerBytes += textBytes(key) + textBytes(value);
  for (const field of header.fields) headerBytes += textBytes(field);
  const { owners, managedFieldsLength = 0, writtenAs } = header;
  if (writtenAs !== undefined) headerBytes += textBytes(writtenAs);
  if (managedFieldsLength > 0) headerBytes += 4;
  if (owners !== undefined) {
    headerBytes += 4;
    for (const { uid } of owners) headerBytes += 1 + textBytes(uid);
  }
  const record = Buffer.allocUnsafe(headerBytes + Buffer.byteLength(wire));
  const flags =
    (header.awaits ?? 0) |
    (owners === undefined ? 0 : OWNED) |
    (managedFieldsLength === 0 ? 0 : MANAGED) |
    (header.domain === 'k8s.io' ? K8S : 0) |
    (writtenAs === undefined ? 0 : WRITTEN_AS);
  record.writeUInt32LE(header.operation | (flags << 8), 0);
  record.writeUInt32LE(headerBytes, 4);
  record.writeDoubleLE(header.timeMs, TIME_AT);
  record.writeDoubleLE(header.previousRv, PREVIOUS_RV_AT);
  let at = FIXED_BYTES;
  if (writtenAs !== undefined) at = writeText(record, at, writtenAs);
  at = writeText(record, at, header.key);
  at = record.writeUInt32LE(labels.length, at);
  for (const [key, value] of labels) at = writeText(record, writeText(record, at, key), value);
  at = record.writeUInt32LE(header.fields.length, at);
  for (const field of header.fields) at = writeText(record, at, field);
  if (owners !== undefined) at = writeOwners(record, at, owners);
  if (managedFieldsLength > 0) at = record.writeUInt32LE(managedFieldsLength, at);
  assert(at === headerBytes, `record header of ${at} bytes, expected ${headerBytes}`);
  record.write(wire, at);
  return record;
}

/** A record whose version is not known yet: a hole in its text. */
export interface RecordDraft {
  readonly record: Buffer;
  /** Where the digits of the version are to be, in bytes. */
  readonly versionAt: number;
}

/** The version in the text of a draft. Nothing before it in a text could hold these bytes. */
export const DRAFT_VERSION = '0';
const VERSION_MEMBER = '"resourceVersion":"';
const DRAFT_MEMBER = `${VERSION_MEMBER}${DRAFT_VERSION}"`;

/** Encodes header and a text whose version is `DRAFT_VERSION`. */
export function draftRecord(header: RecordHeader, wire: string): RecordDraft {
  const record = encodeRecord(header, wire);
  const memberAt = record.indexOf(DRAFT_MEMBER, record.readUInt32LE(4));
  assert(memberAt >= 0, 'the text of a draft has a version');
  return { record, versionAt: memberAt + DRAFT_MEMBER.length - DRAFT_VERSION.length - 1 };
}

/** The record of a draft, with its version and its time. */
export function finishedRecord(
  draft: Uint8Array,
  versionAt: number,
  rv: number,
  timeMs: number,
): Buffer {
  const record = withVersion(draft, versionAt, versionAt + DRAFT_VERSION.length, rv);
  record.writeDoubleLE(timeMs, TIME_AT);
  return record;
}

/** What is not the same where a record is written once more. */
export type Repetition = Pick<RecordHeader, 'operation' | 'timeMs' | 'previousRv'> & {
  readonly rv: number;
};

/**
 * The record of an earlier version of an object as that of a later one. Only members that cannot
 * hold a quote stand before the version in the canonical order of its text.
 */
export function repeatedRecord(bytes: Uint8Array, { rv, ...header }: Repetition): Buffer {
  const earlier = asBuffer(bytes);
  const memberAt = earlier.indexOf(VERSION_MEMBER, earlier.readUInt32LE(4));
  assert(memberAt >= 0, 'the text of a record has a version');
  const versionAt = memberAt + VERSION_MEMBER.length;
  const record = withVersion(earlier, versionAt, earlier.indexOf('"', versionAt), rv);
  record.writeUInt8(header.operation, 0);
  record.writeDoubleLE(header.timeMs, TIME_AT);
  record.writeDoubleLE(header.previousRv, PREVIOUS_RV_AT);
  return record;
}

/** A copy with another version between these two places. */
function withVersion(record: Uint8Array, from: number, to: number, rv: number): Buffer {
  const version = String(rv);
  const copy = Buffer.allocUnsafe(record.length + version.length - (to - from));
  copy.set(record.subarray(0, from));
  copy.write(version, from, 'latin1');
  copy.set(record.subarray(to), from + version.length);
  return copy;
}

/** The same bytes, as a Buffer over the same memory. */
export function asBuffer(bytes: Uint8Array): Buffer {
  if (bytes instanceof Buffer) return bytes;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

interface StoredLabels {
  /** As they stand in a record. */
  readonly bytes: Buffer;
  readonly labels: RecordHeader['labels'];
}

/** Those that were read last: many records after each other have the same. */
let lastLabels: StoredLabels = { bytes: Buffer.alloc(4), labels: undefined };

function labelsAt(record: Buffer, start: number): StoredLabels {
  if (isAt(lastLabels.bytes, record, start)) return lastLabels;
  const count = record.readUInt32LE(start);
  const labels = Object.create(null) as Record<string, string>;
  let at = start + 4;
  const next = (): string => {
    const text = textAt(record, at);
    at += 4 + record.readUInt32LE(at);
    return text;
  };
  for (let index = 0; index < count; index++) {
    const label = next();
    labels[label] = next();
  }
  const bytes = Buffer.from(record.subarray(start, at));
  lastLabels = { bytes, labels: count === 0 ? undefined : labels };
  return lastLabels;
}

function isAt(bytes: Buffer, record: Buffer, at: number): boolean {
  for (let index = 0; index < bytes.length; index++) {
    if (bytes[index] !== record[at + index]) return false;
  }
  return true;
}

function textAt(record: Buffer, at: number): string {
  return record.toString('utf8', at + 4, at + 4 + record.readUInt32LE(at));
}

/** Decodes the header; throws RangeError or AssertionError when the bytes are damaged. */
export function decodeRecordHeader(bytes: Uint8Array): RecordHeader {
  const record = asBuffer(bytes);
  const operation = record.readUInt32LE(0) & ~0xff00;
  const flags = record.readUInt8(1);
  assert(operation >= 1 && operation <= 3, `unknown operation ${operation} in a stored record`);
  assert(flags <= FLAGS_MAX, `unknown flags ${flags} in a stored record`);
  let at = FIXED_BYTES;
  const readText = (): string => {
    const text = textAt(record, at);
    at += 4 + record.readUInt32LE(at);
    return text;
  };
  const writtenAs = (flags & WRITTEN_AS) === 0 ? undefined : readText();
  const key = readText();
  const { bytes: labelBytes, labels } = labelsAt(record, at);
  at += labelBytes.length;
  const fieldCount = record.readUInt32LE(at);
  at += 4;
  const fields = fieldCount === 0 ? NO_FIELDS : Array.from({ length: fieldCount }, readText);
  let owners: OwnerLink[] | undefined;
  if ((flags & OWNED) !== 0) {
    const ownerCount = record.readUInt32LE(at);
    at += 4;
    // Not made beforehand: a damaged count may be of any size.
    owners = [];
    for (let index = 0; index < ownerCount; index++) {
      const blocks = record.readUInt8(at) !== 0;
      at += 1;
      owners.push({ uid: readText(), blocks });
    }
  }
  const managedFieldsLength = (flags & MANAGED) === 0 ? 0 : record.readUInt32LE(at);
  if (managedFieldsLength > 0) at += 4;
  const headerBytes = record.readUInt32LE(4);
  assert(
    at === headerBytes && at <= record.length,
    `stored record of ${record.length} bytes: its header ends at ${at}, not ${headerBytes}`,
  );
  return {
    operation: operation as Operation,
    timeMs: record.readDoubleLE(TIME_AT),
    previousRv: record.readDoubleLE(PREVIOUS_RV_AT),
    key,
    labels,
    fields,
    owners,
    awaits: flags & AWAITS_BITS,
    managedFieldsLength,
    domain: domainOf(flags),
    writtenAs,
  };
}

function domainOf(flags: number): RecordDomain {
  return (flags & K8S) === 0 ? 'cluster.io' : 'k8s.io';
}

/** `domain` of a record, without decoding its header. */
export function recordDomain(bytes: Uint8Array): RecordDomain {
  return domainOf(bytes[1] ?? 0);
}

/** `writtenAs` of a record, without decoding the rest of its header. */
export function recordWrittenAs(bytes: Uint8Array): string | undefined {
  const record = asBuffer(bytes);
  if ((record.readUInt8(1) & WRITTEN_AS) === 0) return undefined;
  const at = FIXED_BYTES + 4;
  return record.toString('utf8', at, at + record.readUInt32LE(FIXED_BYTES));
}

/** `operation` of a record, without decoding its header. */
export function recordOperation(bytes: Uint8Array): Operation {
  return bytes[0] as Operation;
}

/** `previousRv` of a record, without decoding its header. */
export function recordPreviousRv(bytes: Uint8Array): number {
  return asBuffer(bytes).readDoubleLE(PREVIOUS_RV_AT);
}

/** `key` of a record, without decoding the rest of its header. */
export function recordKey(bytes: Uint8Array): string {
  const record = asBuffer(bytes);
  const hasShape = (record.readUInt8(1) & WRITTEN_AS) !== 0;
  const before = hasShape ? 4 + record.readUInt32LE(FIXED_BYTES) : 0;
  const at = FIXED_BYTES + before + 4;
  return record.toString('utf8', at, at + record.readUInt32LE(at - 4));
}

/** `managedFieldsLength` of a record, without decoding the rest of its header. */
export function managedFieldsLength(bytes: Uint8Array): number {
  const record = asBuffer(bytes);
  if ((record.readUInt8(1) & MANAGED) === 0) return 0;
  return record.readUInt32LE(record.readUInt32LE(4) - 4);
}

/** The wire bytes of a record, as a view. */
export function wireBytes(bytes: Uint8Array): Uint8Array {
  const headerBytes = asBuffer(bytes).readUInt32LE(4);
  return bytes.subarray(headerBytes);
}
