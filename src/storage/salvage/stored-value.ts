/** Reads values as they stand in pages, without the library. */
import { checkedValue, CHECKSUM_BYTES, uncheckedValue } from '../checksum.ts';
import { decodeBlock } from '../lz4-block.ts';
import { decodeRecordHeader, recordKey, wireBytes } from '../record.ts';
import { COMPRESSED, COMPRESSED_HEADER_BYTES } from '../record-database.ts';

/**
 * The record of a stored value; undefined where it is not what was written. Without a seed it has
 * no checksum: an earlier version has written it. The dictionary is that of its log.
 */
export function storedRecord(
  stored: Buffer,
  seed: number | undefined,
  dictionary: Buffer | undefined,
): Buffer | undefined {
  const value = seed === undefined ? stored : checkedValue(stored, seed);
  if (value === undefined || !isCompressed(value)) return value && wholeRecord(value);
  const bytes = value.readUIntBE(1, COMPRESSED_HEADER_BYTES - 1);
  const record =
    dictionary && decodeBlock(stored.subarray(COMPRESSED_HEADER_BYTES), dictionary, bytes);
  return record && wholeRecord(uncheckedValue(record));
}

function isCompressed(value: Buffer): boolean {
  return value[0] === COMPRESSED && value.length > COMPRESSED_HEADER_BYTES + CHECKSUM_BYTES;
}

/** The record, where it is one. */
function wholeRecord(record: Buffer): Buffer | undefined {
  try {
    decodeRecordHeader(record);
    JSON.parse(`{${Buffer.from(wireBytes(record)).toString()}`);
    return record;
  } catch {
    return undefined;
  }
}

/** What a damaged record says of itself, which need not be so. */
export function claimOf(rv: number, value: Buffer): string {
  try {
    decodeRecordHeader(value);
    return `, which says that it is version ${rv}, of ${recordKey(value)}`;
  } catch {
    return `, which says that it is version ${rv}`;
  }
}
