/**
 * A group of writes of one type, as one transaction of etcd brings it: the newest record of each
 * object stands under the object's key, and the key of the group says which versions there are, in
 * order. Records that stand nowhere else are a part of the group: those of deletions, and those
 * that another write of the same group replaces.
 *
 * The value of an object is the version (f64, little-endian), then the record. The value of a group
 * is u32 length | JSON header | records that stand nowhere else.
 */
import { asBuffer, OPERATION, recordKey, recordOperation } from '../storage/record.ts';
import type { LogEntry } from '../storage/store.ts';

const RV_BYTES = 8;
const LENGTH_BYTES = 4;

/** `own` is how many bytes of the group are its record; absent where it is under its object. */
interface GroupWrite {
  readonly rv: number;
  readonly key: string;
  readonly own?: number;
}

interface GroupHeader {
  /** The version up to which all changes of all types are in etcd. */
  readonly safeRv: number;
  /** The newest version of the type: that of its last write, or of one before this group. */
  readonly lastRv: number;
  readonly writes: readonly GroupWrite[];
}

/** What is stored of a group, besides its key. */
export interface StoredGroup {
  readonly value: Buffer;
  /** The version up to which all changes of all types are in etcd with it. */
  readonly safeRv: number;
  /** Values of objects that are there afterwards, by their keys. */
  readonly puts: ReadonlyMap<string, Buffer>;
  /** Objects that are gone. */
  readonly deletes: readonly string[];
}

export function encodeGroup(entries: readonly LogEntry[], safeRv: number): StoredGroup {
  const newest = new Map<string, LogEntry>();
  const keys = entries.map((entry) => {
    const key = recordKey(entry.value);
    newest.set(key, entry);
    return key;
  });
  const own: Uint8Array[] = [];
  const writes = entries.map((entry, at): GroupWrite => {
    const key = keys[at] as string;
    const { rv, value } = entry;
    if (newest.get(key) === entry && !isDeletion(value)) return { rv, key };
    own.push(value);
    return { rv, key, own: value.length };
  });
  const puts = new Map<string, Buffer>();
  const deletes: string[] = [];
  for (const [key, { rv, value }] of newest) {
    if (isDeletion(value)) deletes.push(key);
    else puts.set(key, objectValue(rv, value));
  }
  const lastRv = entries.at(-1)?.rv ?? 0;
  return { value: groupValue({ safeRv, lastRv, writes }, own), safeRv, puts, deletes };
}

/** A group that writes nothing: what was to come in its place never comes. */
export function emptyGroup(safeRv: number, lastRv: number): Buffer {
  return groupValue({ safeRv, lastRv, writes: [] }, []);
}

function isDeletion(record: Uint8Array): boolean {
  return recordOperation(record) === OPERATION.deleted;
}

function isCreation(record: Uint8Array): boolean {
  return recordOperation(record) === OPERATION.added;
}

function groupValue(header: GroupHeader, own: readonly Uint8Array[]): Buffer {
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.allocUnsafe(LENGTH_BYTES);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text, ...own]);
}

export function objectValue(rv: number, record: Uint8Array): Buffer {
  const value = Buffer.allocUnsafe(RV_BYTES + record.length);
  value.writeDoubleLE(rv);
  value.set(record, RV_BYTES);
  return value;
}

/** Throws RangeError where it is damaged. */
export function objectEntry(stored: Uint8Array): LogEntry {
  return { rv: asBuffer(stored).readDoubleLE(), value: stored.subarray(RV_BYTES) };
}

/** Throws where it is damaged. */
export function groupHeader(stored: Uint8Array): GroupHeader {
  const bytes = asBuffer(stored);
  return JSON.parse(bytes.toString('utf8', LENGTH_BYTES, ownRecordsAt(bytes))) as GroupHeader;
}

/**
 * The objects of which etcd tells that they have changed with the group. It says nothing of one
 * that the group creates and deletes: it was not there before, and is not there afterwards.
 */
export function changedKeys(stored: Uint8Array, { writes }: GroupHeader): ReadonlySet<string> {
  const changed = new Set<string>();
  const passing = new Set<string>();
  let at = ownRecordsAt(stored);
  for (const { key, own } of writes) {
    const isNew = !changed.has(key) && !passing.has(key);
    if (own !== undefined && isNew && isCreation(stored.subarray(at, at + own))) passing.add(key);
    else if (own === undefined || isNew) changed.add(key);
    at += own ?? 0;
  }
  return changed;
}

/** Where the records of a group begin that stand nowhere else. */
function ownRecordsAt(stored: Uint8Array): number {
  return LENGTH_BYTES + asBuffer(stored).readUInt32LE();
}

/** Its entries in order; `objects` are the values under the keys of objects. */
export function groupEntries(
  stored: Uint8Array,
  header: GroupHeader,
  objects: ReadonlyMap<string, Uint8Array>,
): readonly LogEntry[] {
  let at = ownRecordsAt(stored);
  return header.writes.map(({ rv, key, own }) => {
    if (own !== undefined) {
      const value = stored.subarray(at, at + own);
      at += own;
      return { rv, value };
    }
    const object = objects.get(key);
    if (object === undefined) throw new RangeError(`version ${rv} of ${key} is missing in etcd`);
    return { rv, value: objectEntry(object).value };
  });
}
