/** Finds the frames of one direction of an HTTP/2 connection, in whatever pieces it comes. */

/** The type of the frame that begins a request or an answer. */
export const HEADERS_FRAME = 1;

/** Comes before the first frame of a client. */
const PREFACE_BYTES = 24;
const FRAME_HEADER_BYTES = 9;

export class FrameReader {
  #toSkip: number;
  #header = Buffer.alloc(0);
  readonly #onFrame: (type: number, stream: number) => void;

  constructor(isOfClient: boolean, onFrame: (type: number, stream: number) => void) {
    this.#toSkip = isOfClient ? PREFACE_BYTES : 0;
    this.#onFrame = onFrame;
  }

  read(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#toSkip > 0) {
        const skipped = Math.min(this.#toSkip, bytes.length - at);
        this.#toSkip -= skipped;
        at += skipped;
        continue;
      }
      const missing = FRAME_HEADER_BYTES - this.#header.length;
      this.#header = Buffer.concat([this.#header, bytes.subarray(at, at + missing)]);
      at += missing;
      if (this.#header.length < FRAME_HEADER_BYTES) return;
      this.#toSkip = this.#header.readUIntBE(0, 3);
      const stream = this.#header.readUInt32BE(5) & 0x7fff_ffff;
      this.#onFrame(this.#header.readUInt8(3), stream);
      this.#header = Buffer.alloc(0);
    }
  }
}
