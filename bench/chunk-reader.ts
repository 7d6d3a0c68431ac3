/** Takes the framing off a body in chunks, in whatever pieces it comes. */

const CARRIAGE_RETURN = 0x0d;
const NEWLINE = 0x0a;

export class ChunkReader {
  /** Bytes of the chunk still to come. */
  #left = 0;
  /** Of the next chunk, in hexadecimal, as far as it is here. */
  #size = '';

  /** Calls `onData` with the runs of the body's own bytes from `at` to `end`. */
  read(buffer: Buffer, at: number, end: number, onData: (from: number, to: number) => void): void {
    let from = at;
    while (from < end) {
      if (this.#left === 0) {
        this.#readFraming(buffer[from] ?? 0);
        from += 1;
        continue;
      }
      const to = Math.min(end, from + this.#left);
      this.#left -= to - from;
      onData(from, to);
      from = to;
    }
  }

  /** A size and the end of its line; before that, but for the first, the end of the last chunk. */
  #readFraming(byte: number): void {
    if (byte === CARRIAGE_RETURN) return;
    if (byte !== NEWLINE) {
      this.#size += String.fromCharCode(byte);
    } else if (this.#size !== '') {
      this.#left = Number.parseInt(this.#size, 16);
      this.#size = '';
    }
  }
}
