/** Bytes that grow, and are used again for the next text. */
const BYTES_AT_FIRST = 128 * 1024;

export class LineBuffer {
  #bytes = Buffer.allocUnsafeSlow(BYTES_AT_FIRST);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  restart(): void {
    this.#length = 0;
  }

  addBytes(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Gives how many bytes it is. */
  addText(text: string): number {
    // No character of a string becomes more than three bytes.
    this.#makeRoom(text.length * 3);
    const length = this.#bytes.write(text, this.#length);
    this.#length += length;
    return length;
  }

  /** Adds what stands there already, once more. */
  addAgain(from: number, length: number): void {
    this.#makeRoom(length);
    this.#bytes.copyWithin(this.#length, from, from + length);
    this.#length += length;
  }

  /** A copy of what was added. */
  taken(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }

  #makeRoom(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const before = this.#bytes;
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(needed, 2 * before.length));
    before.copy(this.#bytes, 0, 0, this.#length);
  }
}
