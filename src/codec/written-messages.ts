/**
 * Messages that were written before: to find that a text is the same takes a tenth of writing it.
 */
import { KnownMessages } from './known-messages.ts';
import type { Transcoding } from './transcoding.ts';

const WORD_BYTES = 4;

interface Written {
  readonly textLength: number;
  /** The text, four bytes at a time; the last ones begin so early that they end with it. */
  readonly words: Int32Array;
  /** The message with its length. */
  readonly bytes: Buffer;
}

/** Those of one type. */
export class WrittenMessages extends KnownMessages<Written, Transcoding> {
  /** Writes the message that is next if it is known, and steps over it. */
  write(target: Transcoding): boolean {
    const message = this.find(target);
    if (message === undefined) return false;
    const { textLength, bytes } = message;
    target.at += textLength;
    target.room(bytes.length);
    target.bytes(bytes, 0, bytes.length);
    return true;
  }

  /** A message was written: its text began at `textStart`, its bytes at `start`. */
  add({ view, at, out, end }: Transcoding, textStart: number, start: number): void {
    const textLength = at - textStart;
    this.keep(textLength, () => {
      const words = new Int32Array(Math.ceil(textLength / WORD_BYTES));
      for (let index = 0; index < words.length; index += 1) {
        const offset = Math.min(WORD_BYTES * index, textLength - WORD_BYTES);
        words[index] = view.getInt32(textStart + offset, true);
      }
      return { textLength, words, bytes: Buffer.from(out.subarray(start, end)) };
    });
  }

  /** What begins with the bytes of a whole object is that object. */
  protected isAt({ view, at, limit }: Transcoding, { textLength, words }: Written): boolean {
    if (textLength > limit - at) return false;
    const last = words.length - 1;
    if (view.getInt32(at + textLength - WORD_BYTES, true) !== words[last]) return false;
    for (let index = 0; index < last; index += 1) {
      if (view.getInt32(at + WORD_BYTES * index, true) !== words[index]) return false;
    }
    return true;
  }
}
