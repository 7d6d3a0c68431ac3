/** Bytes of one page, copied as they come: reads of the log share one buffer. */
import { PAGE_BYTES_TARGET, RUN_BYTES_MAX } from '../../limits.ts';

/** A page goes over its target by its last object or run of objects, which is seldom larger. */
const CAPACITY_BYTES = PAGE_BYTES_TARGET + RUN_BYTES_MAX;

/** The most bytes of UTF-8 for one UTF-16 unit. */
const UTF8_BYTES_MAX = 3;

/** One serves page after page: an answer copies it, or takes its memory. */
export class PageBuffer {
  #bytes = Buffer.allocUnsafeSlow(CAPACITY_BYTES);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  clear(): void {
    this.#length = 0;
    // A buffer that one huge object has enlarged is not kept.
    if (this.#bytes.length > CAPACITY_BYTES) this.#bytes = Buffer.allocUnsafeSlow(CAPACITY_BYTES);
  }

  add(part: Uint8Array): void {
    this.#makeRoom(part.length);
    this.#bytes.set(part, this.#length);
    this.#length += part.length;
  }

  addText(text: string): void {
    this.#makeRoom(UTF8_BYTES_MAX * text.length);
    this.#length += this.#bytes.write(text, this.#length);
  }

  #makeRoom(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }

  /** Whether the page is so long that its memory is worth giving away. */
  get isLong(): boolean {
    return this.#length > CAPACITY_BYTES / 2;
  }

  /** Gives the page away with its memory. */
  take(): Uint8Array {
    const page = this.bytes();
    this.#bytes = Buffer.allocUnsafeSlow(CAPACITY_BYTES);
    this.#length = 0;
    return page;
  }

  /** Valid until the next page is begun. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }
}
