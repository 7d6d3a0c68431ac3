/**
 * Caches encodings of objects: binary forms, rows of Tables, and JSON where it differs from what is
 * stored. A thread has one cache for all types, and all threads share one budget.
 *
 * Any requested encoding is cached while there is room. When there is none, an entry that is
 * requested a second time displaces entries that were not requested since its first request. So a
 * list that is larger than the room is cached in part, however often it is read from end to end,
 * and a list that is read once displaces nothing.
 */
import { CacheBudget } from './cache-budget.ts';
import { RecentRequests } from './recent-requests.ts';

/** A second request within this time is taken for the same reader, which may measure, then read. */
const AGAIN_MS_MIN = 1_000;

/** The memory that an entry takes besides its bytes, or its text, as it was measured. */
const BYTES_ENTRY_BYTES = 700;
const TEXT_ENTRY_BYTES = 170;

type Kept = Uint8Array | string;

/** Entries are linked in the order of use, in a ring with a sentinel at both ends. */
interface Entry {
  readonly form: string;
  readonly rv: number;
  readonly kept: Kept;
  /** The bytes of room that it takes. */
  readonly size: number;
  /** Another form of the same version. */
  sibling: Entry | undefined;
  usedMs: number;
  older: Entry;
  newer: Entry;
}

export class EncodingCache {
  readonly #byVersion = new Map<number, Entry>();
  readonly #forms = new Map<string, number>();
  readonly #asked = new RecentRequests();
  readonly #room: CacheBudget;
  readonly #nowMs: () => number;
  readonly #ends: Entry = newEnds();
  /**
   * The room that this thread has asked others for since its last check, and in the interval
   * before.
   */
  #wanted = 0;
  #wantedBefore = 0;

  constructor(room = new CacheBudget(), nowMs: () => number = Date.now) {
    this.#room = room;
    this.#nowMs = nowMs;
  }

  /** The bytes of a version in a form; undefined when they are not kept. */
  get(form: string, rv: number): Uint8Array | undefined {
    const kept = this.#use(form, rv);
    return typeof kept === 'string' ? undefined : kept;
  }

  /** The text of a version in a form that is text; undefined when it is not kept. */
  text(form: string, rv: number): string | undefined {
    const kept = this.#use(form, rv);
    return typeof kept === 'string' ? kept : undefined;
  }

  #use(form: string, rv: number): Kept | undefined {
    const entry = this.#entry(form, rv);
    if (entry === undefined) return undefined;
    entry.usedMs = this.#nowMs();
    unlink(entry);
    this.#append(entry);
    return entry.kept;
  }

  /**
   * Offers the bytes, or the text, of a version that was just asked for; they are copied where they
   * are a part of something larger. `rv` 0 is no version, and nothing is kept. Returns whether they
   * are kept.
   */
  set(form: string, rv: number, made: Kept): boolean {
    if (rv === 0) return false;
    if (this.#entry(form, rv) !== undefined) return true;
    const size = sizeOf(made);
    if (!this.#room.take(size) && !this.#displace(form, rv, size, this.#nowMs())) return false;
    this.#keep(form, rv, size, typeof made === 'string' ? ownText(made) : ownBytes(made));
    return true;
  }

  /** Offers so many bytes of a version that are made when there is room, and are not kept yet. */
  offer(form: string, rv: number, bytes: number, make: () => Uint8Array): void {
    const size = bytes + BYTES_ENTRY_BYTES;
    const isTaken = this.#room.take(size) || this.#displace(form, rv, size, this.#nowMs());
    if (isTaken) this.#keep(form, rv, size, make());
  }

  #keep(form: string, rv: number, size: number, kept: Kept): void {
    const { older, newer } = this.#ends;
    const sibling = this.#byVersion.get(rv);
    const entry = { form, rv, kept, size, sibling, usedMs: this.#nowMs(), older, newer };
    this.#byVersion.set(rv, entry);
    this.#append(entry);
  }

  /** Drops what is kept of a version in a form. */
  drop(form: string, rv: number): void {
    const entry = this.#entry(form, rv);
    if (entry !== undefined) this.#remove(entry);
  }

  /** Drops the entries of a replaced version, which nobody will request any more. */
  forget(rv: number): void {
    let entry = this.#byVersion.get(rv);
    while (entry !== undefined) {
      this.#remove(entry);
      entry = entry.sibling;
    }
  }

  /** Makes room for entries that other threads want. To be called at fixed intervals. */
  yieldRoom(): void {
    const { missing, wantedSinceMs } = this.#room;
    for (const entry of this.#olderThan(wantedSinceMs, missing)) this.#remove(entry);
    // All others have looked once in the time between two calls.
    this.#room.wantLess(this.#wantedBefore);
    this.#wantedBefore = this.#wanted;
    this.#wanted = 0;
  }

  #entry(form: string, rv: number): Entry | undefined {
    let entry = this.#byVersion.get(rv);
    while (entry !== undefined && entry.form !== form) entry = entry.sibling;
    return entry;
  }

  /** Takes the room of entries that were not requested since the first request for this one. */
  #displace(form: string, rv: number, bytes: number, nowMs: number): boolean {
    const key = this.#keyOf(form, rv);
    const askedMs = this.#asked.at(key);
    if (askedMs === undefined) {
      this.#asked.set(key, nowMs);
      return false;
    }
    if (nowMs - askedMs < AGAIN_MS_MIN) return false;
    this.#asked.set(key, nowMs);
    const oldest = this.#olderThan(askedMs, bytes);
    let freed = 0;
    for (const entry of oldest) freed += entry.size;
    if (freed < bytes) {
      if (this.#room.want(bytes, askedMs)) this.#wanted += bytes;
      return false;
    }
    for (const entry of oldest) this.#remove(entry);
    return this.#room.take(bytes);
  }

  /** Entries of up to so many bytes that were last requested before that time. */
  #olderThan(timeMs: number, bytes: number): Entry[] {
    const found: Entry[] = [];
    let size = 0;
    let entry = this.#ends.newer;
    while (size < bytes && entry !== this.#ends && entry.usedMs < timeMs) {
      found.push(entry);
      size += entry.size;
      entry = entry.newer;
    }
    return found;
  }

  /** Two that have the same key are taken for one another: some is displaced too early. */
  #keyOf(form: string, rv: number): number {
    let number = this.#forms.get(form);
    if (number === undefined) this.#forms.set(form, (number = this.#forms.size));
    return rv * FORMS_APART + number;
  }

  #append(entry: Entry): void {
    const newest = this.#ends.older;
    entry.older = newest;
    entry.newer = this.#ends;
    newest.newer = entry;
    this.#ends.older = entry;
  }

  #remove(entry: Entry): void {
    unlink(entry);
    const first = this.#byVersion.get(entry.rv);
    if (first === entry) {
      if (entry.sibling === undefined) this.#byVersion.delete(entry.rv);
      else this.#byVersion.set(entry.rv, entry.sibling);
    } else {
      let before = first;
      while (before !== undefined && before.sibling !== entry) before = before.sibling;
      if (before !== undefined) before.sibling = entry.sibling;
    }
    this.#room.give(entry.size);
  }
}

const FORMS_APART = 64;

function newEnds(): Entry {
  const ends = { form: '', rv: 0, kept: '', size: 0, sibling: undefined, usedMs: 0 };
  const ring = ends as unknown as Entry;
  ring.older = ring;
  ring.newer = ring;
  return ring;
}

function unlink({ older, newer }: Entry): void {
  older.newer = newer;
  newer.older = older;
}

function sizeOf(made: Kept): number {
  if (typeof made !== 'string') return made.length + BYTES_ENTRY_BYTES;
  // All characters of a text take as much as the widest.
  const isNarrow = Buffer.byteLength(made) === made.length;
  return made.length * (isNarrow ? 1 : 2) + TEXT_ENTRY_BYTES;
}

/** A text that was put together would keep all its parts. */
function ownText(text: string): string {
  return Buffer.from(text).toString();
}

/** A part of a shared buffer would keep all of it. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}
