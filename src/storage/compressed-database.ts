/**
 * The database of a log, with long records compressed: one of the first of them is the dictionary
 * for those that follow (README.md#compressed-records).
 */
import type { Database } from 'lmdb';
import {
  COMPRESSED_BYTES_MIN,
  DICTIONARY_BYTES_MAX,
  DICTIONARY_CHOICE_RECORDS,
} from '../limits.ts';
import { committed } from './lmdb-errors.ts';
import type { LmdbSettings } from './lmdb-settings.ts';
import { blockBytesMax, Lz4Dictionary } from './lz4-block.ts';
import type { LogEntry } from './store.ts';

/** By the name of a log, its dictionary. */
export const DICTIONARY_OF = 'dictionary ';

/** In front of a block the library expects this byte and the length of what is compressed. */
const COMPRESSED = 254;
const HEADER_BYTES = 4;
const COMPRESSED_BYTES_MAX = 2 ** 24 - 1;

type RecordDatabase = Database<Buffer, Buffer>;

/** Options of the library. */
export interface Compression {
  readonly dictionary: Buffer;
}

interface Options {
  /** Opens the database, as often as it is called: all that it gives are the same one. */
  readonly open: (compression: Compression | false) => RecordDatabase;
  readonly settings: LmdbSettings;
  /** Of the log. */
  readonly name: string;
  /** A dictionary outlives the object that it is of: there is none where that must not be. */
  readonly isSecret: boolean;
}

export class CompressedDatabase {
  readonly #options: Options;
  /** It stores values as they are given. */
  readonly #written: RecordDatabase;
  #read: RecordDatabase;
  #dictionary: Lz4Dictionary | undefined;
  /** Undefined where there is none, or it was made. */
  #choice: DictionaryChoice | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#written = options.open(false);
    this.#read = this.#written;
    if (!options.isSecret) this.#choice = new DictionaryChoice();
    this.#useStored();
  }

  #useStored(): void {
    const { open, settings, name } = this.#options;
    const text = settings.get(DICTIONARY_OF + name);
    if (text === undefined) return;
    const whole = Buffer.from(text);
    // The library takes whole words.
    const dictionary = whole.subarray(0, whole.length - (whole.length % 8));
    this.#choice = undefined;
    this.#dictionary = new Lz4Dictionary(dictionary);
    this.#read = open({ dictionary });
  }

  /** To read all records with. */
  get database(): RecordDatabase {
    return this.#read;
  }

  /**
   * Makes one commit of what `write` asks of the database, whose promises it returns: it puts the
   * values of `entries` as it is given them. When they complete the choice of a dictionary, that is
   * stored in the same commit: no record can be without what it was compressed with.
   */
  async commit(
    entries: readonly LogEntry[],
    write: (database: RecordDatabase, entries: readonly LogEntry[]) => Iterable<Promise<unknown>>,
  ): Promise<void> {
    const { settings, name } = this.#options;
    const choice = this.#choice;
    const dictionary = choice?.from(entries);
    const stored = this.#compressed(entries);
    const writes: Promise<unknown>[] = [];
    const batch = this.#written.batch(() => {
      writes.push(...write(this.#written, stored));
      if (dictionary !== undefined)
        writes.push(settings.putLater(DICTIONARY_OF + name, dictionary));
    });
    try {
      await committed(batch, ...writes);
    } catch (error) {
      if (dictionary !== undefined) choice?.again();
      throw error;
    }
    if (dictionary !== undefined) this.#useStored();
  }

  #compressed(entries: readonly LogEntry[]): readonly LogEntry[] {
    const dictionary = this.#dictionary;
    if (dictionary === undefined) return entries;
    return entries.map((entry) =>
      entry.value.length < COMPRESSED_BYTES_MIN || entry.value.length > COMPRESSED_BYTES_MAX
        ? entry
        : { rv: entry.rv, value: compressedValue(entry.value, dictionary) },
    );
  }
}

/** Where blocks are written before it is known how long they are; of one thread. */
let scratch = Buffer.allocUnsafeSlow(64 * 1024);

function compressedValue(value: Uint8Array, dictionary: Lz4Dictionary): Uint8Array {
  const bytesMax = HEADER_BYTES + blockBytesMax(value.length);
  if (scratch.length < bytesMax) scratch = Buffer.allocUnsafeSlow(2 * bytesMax);
  scratch[0] = COMPRESSED;
  scratch.writeUIntBE(value.length, 1, HEADER_BYTES - 1);
  const end = dictionary.encode(value, scratch, HEADER_BYTES);
  return end < value.length ? Buffer.from(scratch.subarray(0, end)) : value;
}

/** Chooses the longest of the first records that would be compressed, as far as it may be long. */
class DictionaryChoice {
  #looked = 0;
  #longest = Buffer.alloc(0);

  /** What was chosen, once: when the last record that is looked at is one of these. */
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

  /** It could not be stored: others are looked at. */
  again(): void {
    this.#looked = 0;
  }
}
