/**
 * Bytes that come in some pieces and are taken in others. Pieces are copied only when several are
 * taken at once, and when many small ones have come: never each time one comes.
 */

/** The most pieces that are kept apart: each takes more than its bytes. */
const PIECES_MAX = 1_024;

export class ByteQueue {
  #pieces: Buffer[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(bytes: Buffer): void {
    this.#pieces.push(bytes);
    this.#length += bytes.length;
    if (this.#pieces.length > PIECES_MAX) this.#pieces = [Buffer.concat(this.#pieces)];
  }

  /** The first bytes, which stay; undefined where there are fewer. */
  peek(count: number): Buffer | undefined {
    if (this.#length < count) return undefined;
    const [first] = this.#pieces;
    if (first !== undefined && first.length >= count) return first.subarray(0, count);
    let merged = 0;
    let length = 0;
    while (length < count) length += this.#pieces[merged++]?.length ?? 0;
    const whole = Buffer.concat(this.#pieces.splice(0, merged));
    this.#pieces.unshift(whole);
    return whole.subarray(0, count);
  }

  /** The first bytes, which go; undefined where there are fewer. */
  take(count: number): Buffer | undefined {
    const taken = this.peek(count);
    if (taken === undefined) return undefined;
    const rest = this.#pieces[0]?.subarray(count);
    if (rest === undefined || rest.length === 0) this.#pieces.shift();
    else this.#pieces[0] = rest;
    this.#length -= count;
    return taken;
  }
}
