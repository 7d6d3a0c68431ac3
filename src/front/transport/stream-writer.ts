/** Parts of a stream to a socket that may be full. */
import { assert } from '../../base/assert.ts';
import type { ClientResponse } from '../http.ts';

/**
 * The head of a stream goes out with its first bytes, and clients wait for it: these bring it out.
 * Every reader of JSON skips a blank; the length of a binary frame begins with a zero, so that one
 * is sent ahead.
 */
const BLANK = Uint8Array.of(0x20);
const FRAME_START = Uint8Array.of(0);

/** Well below what the smallest socket buffer has free when it says that it takes data again. */
const PROBE_BYTES = 4 * 1024;

export class StreamWriter {
  readonly #response: ClientResponse;
  /** Writes the head; undefined once it has, and where no stream was begun here. */
  #writeHead: (() => void) | undefined;
  /** Set when the socket did not take all of the last part. */
  #wasFull = false;
  /** What has not been given to the library yet, a copy. */
  #held: Uint8Array | undefined;
  /** The first byte of the next frame has been sent. */
  #frameBegan = false;

  constructor(response: ClientResponse) {
    this.#response = response;
  }

  /** The stream has a head, which goes out with its first part: to send costs most of a watch. */
  begin(writeHead: () => void): void {
    this.#writeHead = writeHead;
  }

  /** Brings out the head of a stream that has nothing to say yet; false as `write` says it. */
  flushHead(isOfFrames: boolean): boolean {
    const isTaken = this.write(isOfFrames ? FRAME_START : BLANK);
    this.#frameBegan = isOfFrames;
    return isTaken;
  }

  /** False when the socket is full: what follows is held until `goOn`. */
  write(part: Uint8Array): boolean {
    const rest = this.#frameBegan ? withoutStart(part) : part;
    this.#frameBegan = false;
    if (this.#held === undefined) return this.#send(rest);
    this.#held = Buffer.concat([this.#held, rest]);
    return false;
  }

  /** The socket takes data again: false when it has not taken all that was held. */
  goOn(): boolean {
    // The library keeps what a socket does not take, and sends it with the next write only.
    this.#response.cork(() => undefined);
    const held = this.#held;
    this.#held = undefined;
    return held === undefined || this.#send(held);
  }

  /** Gives all that is left to the library, which keeps it: nothing follows. */
  finish(): void {
    this.#sendHead();
    if (this.#held !== undefined) this.#response.write(this.#held);
  }

  /**
   * Whether a socket that was full takes data again is only told by a write. A small one comes
   * first: less than it has made room for, so that what the library keeps does not grow.
   */
  #send(part: Uint8Array): boolean {
    const response = this.#response;
    const first = this.#wasFull ? part.subarray(0, PROBE_BYTES) : part;
    response.cork(() => {
      this.#sendHead();
      this.#wasFull = !response.write(first);
      if (first.length === part.length) return;
      if (this.#wasFull) this.#held = new Uint8Array(part.subarray(PROBE_BYTES));
      else this.#wasFull = !response.write(part.subarray(PROBE_BYTES));
    });
    return !this.#wasFull;
  }

  #sendHead(): void {
    this.#writeHead?.();
    this.#writeHead = undefined;
  }
}

/** Frames have less than 16 MiB, so that their lengths begin with a zero. */
function withoutStart(frames: Uint8Array): Uint8Array {
  assert(frames[0] === 0, `a frame begins with ${frames[0]}`);
  return frames.subarray(1);
}
