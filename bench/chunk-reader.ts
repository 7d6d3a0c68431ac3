/** Takes the framing off a body in chunks, in whatever pieces it comes. */

const CARRIAGE_RETURN = 0x0d;
const NEWLINE = 0x0a;

export class ChunkReader {
  /** Bytes of the chunk still to come. */
  #left = 0;
  /** The size of the next chunk, in hexadecimal, as far as it is here. */
  #size = '';

  /**
   * Calls `onData` with the runs of the body's own bytes from `at` to `end`, and `onChunkEnd` where
   * a chunk has ended: before that, strict clients hand over nothing of it.
   */
  read(
    buffer: Buffer,
    at: number,
    end: number,
    onData: (from: number, to: number) => void,
    onChunkEnd: () => void = () => undefined,
  ): void {
    let from = at;
    while (from < end) {
      if (this.#left === 0) {
        if (this.#readFraming(buffer[from] ?? 0)) onChunkEnd();
        from += 1;
        continue;
      }
      const to = Math.min(end, from + this.#left);
      this.#left -= to - from;
      onData(from, to);
      from = to;
    }
  }

  /**
   * A size and the end of its line; before that, but for the first, the end of the last chunk,
   * which it tells of.
   */
  #readFraming(byte: number): boolean {
    if (byte === CARRIAGE_RETURN) return false;
    if (byte !== NEWLINE) {
      this.#size += String.fromCharCode(byte);
      return false;
    }
    if (this.#size === '') return true;
    this.#left = Number.parseInt(this.#size, 16);
    this.#size = '';
    return false;
  }
}
