/**
 * Messages that were written before: the objects that a controller makes of one template have the
 * same containers, and mostly the same spec. To find that a text is the same takes a tenth of
 * writing it.
 */
import type { Transcoding } from './transcoding.ts';

/** Most pods have no more containers. */
const KNOWN_MAX = 4;
/** Shorter ones are written as fast as they are found. */
const TEXT_BYTES_MIN = 192;
const TEXT_BYTES_MAX = 4 * 1024;
/** After so many that were not known only some are looked for: each may be the only one. */
const MISSES_MAX = 8;
const LOOKED_FOR_EVERY = 16;

const WORD_BYTES = 4;

interface Known {
  readonly textLength: number;
  /** The text, four bytes at a time; the last ones begin so early that they end with it. */
  readonly words: Int32Array;
  /** The message with its length. */
  readonly bytes: Buffer;
}

/** Those of one type. */
export class KnownMessages {
  /** The latest first. */
  readonly #known: Known[] = [];
  #misses = 0;

  /** Itself when the message that is next is worth looking for. */
  next(): this | undefined {
    if (this.#misses <= MISSES_MAX) return this;
    this.#misses += 1;
    return this.#misses % LOOKED_FOR_EVERY === 0 ? this : undefined;
  }

  /** Writes the message that is next if it is known, and steps over it. */
  write(target: Transcoding): boolean {
    const known = this.#known;
    for (let place = 0; place < known.length; place += 1) {
      const message = known[place] as Known;
      if (!isNext(target, message)) continue;
      const { textLength, bytes } = message;
      target.at += textLength;
      target.room(bytes.length);
      target.bytes(bytes, 0, bytes.length);
      if (place > 0) known.unshift(...known.splice(place, 1));
      this.#misses = 0;
      return true;
    }
    return false;
  }

  /** A message was written: its text began at `textStart`, its bytes at `start`. */
  add({ view, at, out, end }: Transcoding, textStart: number, start: number): void {
    const textLength = at - textStart;
    if (textLength < TEXT_BYTES_MIN || textLength > TEXT_BYTES_MAX) return;
    this.#misses += 1;
    const words = new Int32Array(Math.ceil(textLength / WORD_BYTES));
    for (let index = 0; index < words.length; index += 1) {
      const offset = Math.min(WORD_BYTES * index, textLength - WORD_BYTES);
      words[index] = view.getInt32(textStart + offset, true);
    }
    this.#known.unshift({ textLength, words, bytes: Buffer.from(out.subarray(start, end)) });
    if (this.#known.length > KNOWN_MAX) this.#known.pop();
  }
}

/** What begins with the bytes of a whole object is that object. */
function isNext({ view, at, limit }: Transcoding, { textLength, words }: Known): boolean {
  if (textLength > limit - at) return false;
  const last = words.length - 1;
  if (view.getInt32(at + textLength - WORD_BYTES, true) !== words[last]) return false;
  for (let index = 0; index < last; index += 1) {
    if (view.getInt32(at + WORD_BYTES * index, true) !== words[index]) return false;
  }
  return true;
}
