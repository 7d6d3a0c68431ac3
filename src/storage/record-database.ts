/**
 * The database of a log: each record with its checksum, long ones compressed. One of the first of
 * these is the dictionary for those that follow (README.md#compressed-records).
 */
import { appendAll } from '../base/append-all.ts';
import { crc32 } from 'node:zlib';
import type { Database } from 'lmdb';
import {
  COMPRESSED_BYTES_MIN,
  DICTIONARY_BYTES_MAX,
  DICTIONARY_CHOICE_RECORDS,
} from '../limits.ts';
import { CHECKSUM_BYTES, checkedValue, uncheckedValue, withChecksums } from './checksum.ts';
import { committed, damagedRecord, onDisk } from './lmdb-errors.ts';
import type { LmdbSettings } from './lmdb-settings.ts';
import { blockBytesMax, Lz4Dictionary } from './lz4-block.ts';
import type { LogEntry, Removal } from './store.ts';
import type { WriteAhead } from './write-ahead/write-ahead.ts';

/** By the name of a log, its dictionary. */
export const DICTIONARY_OF = 'dictionary ';

/**
 * In front of a block the library expects this byte and the length of the text that is compressed.
 */
export const COMPRESSED = 254;
export const COMPRESSED_HEADER_BYTES = 4;
const COMPRESSED_BYTES_MAX = 2 ** 24 - 1 - CHECKSUM_BYTES;

type Values = Database<Buffer, Buffer>;

/** Options of the library. */
export interface Compression {
  readonly dictionary: Buffer;
}

/** The place in which a log is stored. */
export interface RecordDatabaseOptions {
  /** Opens the database, as often as it is called: all that it gives are the same one. */
  readonly open: (compression: Compression | false) => Values;
  readonly settings: LmdbSettings;
  /** The name of the log. */
  readonly name: string;
  /** A dictionary outlives the object that it is of: there is none where that must not be. */
  readonly isSecret: boolean;
  /** Where commits do not wait for the disk, there is none. */
  readonly ahead: WriteAhead | undefined;
}

/** The seed of the checksum at a version; undefined where the record has no checksum. */
type SeedOf = (rv: number) => number | undefined;

export class RecordDatabase {
  readonly #options: RecordDatabaseOptions;
  readonly #seedOf: SeedOf;
  /** Values as they are on the disk. */
  readonly values: Values;
  /** These values unpacked, which the library does as they are read. */
  #unpacked: Values;
  #dictionary: Lz4Dictionary | undefined;
  /** Undefined where there is none, or it was made. */
  #choice: DictionaryChoice | undefined;

  constructor(options: RecordDatabaseOptions, seedOf: SeedOf) {
    this.#options = options;
    this.#seedOf = seedOf;
    this.values = options.open(false);
    this.#unpacked = this.values;
    if (!options.isSecret) this.#choice = new DictionaryChoice();
    this.#useStored();
  }

  /** Takes a dictionary that another thread has chosen; true where there was a new one. */
  refresh(): boolean {
    return this.#dictionary === undefined && this.#useStored();
  }

  #useStored(): boolean {
    const { open, settings, name } = this.#options;
    const text = settings.get(DICTIONARY_OF + name);
    if (text === undefined) return false;
    const whole = Buffer.from(text);
    // The library takes whole words.
    const dictionary = whole.subarray(0, whole.length - (whole.length % 8));
    this.#choice = undefined;
    this.#dictionary = new Lz4Dictionary(dictionary);
    this.#unpacked = open({ dictionary });
    return true;
  }

  /**
   * The record of `rv`, which is at `key`; undefined when there is none. With `isChecked` its
   * checksum is not compared, so that damage since then may give any bytes. Else throws StoreError
   * for a damaged record, before the library unpacks it.
   */
  read(rv: number, key: Buffer, isChecked: boolean): Buffer | undefined {
    const { name } = this.#options;
    if (!isChecked) {
      const stored = onDisk(name, () => this.values.getBinaryFast(key));
      if (stored === undefined) return undefined;
      const seed = this.#seedOf(rv);
      // The library's buffer is longer than it says: a view of it is what it says.
      if (seed === undefined) return stored.subarray(0);
      const value = checkedValue(stored, seed);
      if (value === undefined) throw damagedRecord(rv, name, stored);
      if (value[0] !== COMPRESSED) return value;
    }
    const unpacked = onDisk(name, () => this.#unpacked.getBinaryFast(key));
    return unpacked && uncheckedValue(unpacked);
  }

  /**
   * Commits once: `write` puts `entries`, as it is given them, into `values` and returns the
   * promises; where records are new, `appended` says what leaves with them. When they complete the
   * choice of a dictionary, that is stored in the same commit, and flushed with it: no record can
   * be without the dictionary that it was compressed with.
   */
  async commit(
    entries: readonly LogEntry[],
    write: (stored: readonly LogEntry[]) => Iterable<Promise<unknown>>,
    appended?: { readonly removal: Removal | undefined },
  ): Promise<void> {
    const { settings, name, ahead } = this.#options;
    const choice = this.#choice;
    const dictionary = choice?.from(entries);
    const stored = this.#stored(entries);
    const writes: Promise<unknown>[] = [];
    const batch = this.values.batch(() => {
      appendAll(writes, write(stored));
      if (dictionary !== undefined)
        writes.push(settings.putLater(DICTIONARY_OF + name, dictionary));
    });
    const commit = committed(batch, ...writes);
    const isAhead = appended !== undefined && dictionary === undefined;
    const append = isAhead ? { log: name, entries: stored, ...appended } : undefined;
    try {
      await (ahead === undefined ? commit : ahead.made(commit, append));
    } catch (error) {
      if (dictionary !== undefined) choice?.again();
      throw error;
    }
    if (dictionary !== undefined) this.#useStored();
  }

  #stored(entries: readonly LogEntry[]): readonly LogEntry[] {
    const seedOf = this.#seedOf;
    const dictionary = this.#dictionary;
    if (dictionary === undefined) return withChecksums(entries, seedOf);
    return entries.flatMap((entry) => {
      const seed = seedOf(entry.rv);
      const value = seed === undefined ? undefined : packed(entry.value, dictionary, seed);
      return value === undefined ? withChecksums([entry], seedOf) : { rv: entry.rv, value };
    });
  }
}

/** The buffer in which this thread writes blocks before their length is known. */
let scratch = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * The value as the library unpacks it, with a checksum of that form; undefined where it is not
 * shorter. A block ends with the last bytes of its value as they are: they are the checksum, of all
 * bytes before it.
 */
function packed(value: Uint8Array, dictionary: Lz4Dictionary, seed: number): Buffer | undefined {
  if (value.length < COMPRESSED_BYTES_MIN || value.length > COMPRESSED_BYTES_MAX) return undefined;
  const bytes = value.length + CHECKSUM_BYTES;
  const bytesMax = COMPRESSED_HEADER_BYTES + blockBytesMax(bytes);
  if (scratch.length < bytesMax) scratch = Buffer.allocUnsafeSlow(2 * bytesMax);
  scratch[0] = COMPRESSED;
  scratch.writeUIntBE(bytes, 1, COMPRESSED_HEADER_BYTES - 1);
  const end = dictionary.encode(value, CHECKSUM_BYTES, scratch, COMPRESSED_HEADER_BYTES);
  if (end >= bytes) return undefined;
  const start = end - CHECKSUM_BYTES;
  scratch.writeUInt32LE(crc32(scratch.subarray(0, start), seed >>> 0), start);
  return Buffer.from(scratch.subarray(0, end));
}

/** Chooses the longest of the first records that would be compressed, as far as it may be long. */
class DictionaryChoice {
  #looked = 0;
  #longest = Buffer.alloc(0);

  /**
   * Looks at more records. Returns the choice, once: when the last record that counts is among
   * them.
   */
  from(entries: readonly LogEntry[]): string | undefined {
    if (this.#looked >= DICTIONARY_CHOICE_RECORDS) return undefined;
    for (const { value } of entries) {
      if (value.length < COMPRESSED_BYTES_MIN) continue;
      this.#looked += 1;
      const part = value.subarray(0, DICTIONARY_BYTES_MAX);
      // A copy: the memory of records is used again.
      if (part.length > this.#longest.length) this.#longest = Buffer.from(part);
    }
    return this.#looked < DICTIONARY_CHOICE_RECORDS ? undefined : this.#longest.toString();
  }

  /** The choice could not be stored: later records are looked at. */
  again(): void {
    this.#looked = 0;
  }
}
