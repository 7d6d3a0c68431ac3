/**
 * Checksums of values on the disk, each taken together with the key of the value, so that a value
 * that turns up under another key is damage as well.
 */
import { crc32 } from 'node:zlib';
import type { LogEntry } from './store.ts';

export const CHECKSUM_BYTES = 4;

/** The value with its checksum behind it; `seed` stands for its key. */
export function withChecksum(value: Uint8Array, seed: number): Buffer {
  const stored = Buffer.allocUnsafe(value.length + CHECKSUM_BYTES);
  writeWithChecksum(stored, 0, value, seed);
  return stored;
}

/**
 * Adds checksums to all entries of a commit, in one buffer, since making a buffer costs more than a
 * checksum. An entry for which there is no seed stays as it is.
 */
export function withChecksums(
  entries: readonly LogEntry[],
  seedOf: (rv: number) => number | undefined,
): LogEntry[] {
  let bytes = 0;
  for (const { value } of entries) bytes += value.length + CHECKSUM_BYTES;
  const buffer = Buffer.allocUnsafe(bytes);
  let end = 0;
  return entries.map((entry) => {
    const seed = seedOf(entry.rv);
    if (seed === undefined) return entry;
    const start = end;
    end = writeWithChecksum(buffer, start, entry.value, seed);
    return { rv: entry.rv, value: buffer.subarray(start, end) };
  });
}

/** Returns where the checksum ends. */
function writeWithChecksum(target: Buffer, start: number, value: Uint8Array, seed: number): number {
  target.set(value, start);
  return target.writeUInt32LE(crc32(value, seed >>> 0), start + value.length);
}

/** The value, as a view; undefined when it is damaged. */
export function checkedValue(stored: Buffer, seed: number): Buffer | undefined {
  if (stored.length < CHECKSUM_BYTES) return undefined;
  const value = uncheckedValue(stored);
  return crc32(value, seed >>> 0) === stored.readUInt32LE(value.length) ? value : undefined;
}

/** The value without a look at its checksum, as a view. */
export function uncheckedValue(stored: Buffer): Buffer {
  return stored.subarray(0, stored.length - CHECKSUM_BYTES);
}

/** A short text with its checksum before it; `name` is its key. */
export function textWithChecksum(text: string, name: string): string {
  return `${textChecksum(text, name)} ${text}`;
}

export function checkedText(stored: string, name: string): string | undefined {
  const space = stored.indexOf(' ');
  const text = stored.slice(space + 1);
  return stored.slice(0, Math.max(space, 0)) === textChecksum(text, name) ? text : undefined;
}

function textChecksum(text: string, name: string): string {
  return crc32(text, crc32(name)).toString(16).padStart(8, '0');
}
