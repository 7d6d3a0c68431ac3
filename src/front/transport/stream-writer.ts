/** Parts of a stream to a socket that may be full. */
import { assert } from '../../base/assert.ts';
import type { ClientResponse } from '../http.ts';

/**
 * The end of the bytes that were sent, for the library ends a chunk only with the next one, and
 * strict readers hand over no chunk that has not ended (src/front/README.md#streams).
 *
 * - `blank`: the blank that the next text begins with; every reader of JSON skips it.
 * - `frameStart`: the zero with which the length of the next binary frame begins.
 * - `line`: a blank where a part ends a line, else its last byte; of JSON of other servers.
 * - `frames`: the zero after the head alone, then nothing; of frames of other servers.
 * - `lastByte`: the last byte of the part itself, of streams that nothing can be added to.
 * - `none`: nothing. The rest is on its way, so that the chunk ends soon.
 */
export type Ending = 'blank' | 'frameStart' | 'line' | 'frames' | 'lastByte' | 'none';

const BLANK = Uint8Array.of(0x20);
const FRAME_START = Uint8Array.of(0);
const LINE_END = '\n'.charCodeAt(0);

/** Well below what the smallest socket buffer has free when it says that it takes data again. */
const PROBE_BYTES = 4 * 1024;

/** The library gathers 16 KiB before it sends: the head and the lengths of chunks fit beside it. */
const GATHERED_BYTES = 15 * 1024;
/** A large part needs a packet more for its ending: a small one costs least. */
const SHORT_TAIL_BYTES = 64;

export class StreamWriter {
  readonly #response: ClientResponse;
  readonly #ending: Ending;
  /** Writes the head; undefined once it has. */
  #writeHead: (() => void) | undefined;
  /** Set when the socket did not take all of the last part. */
  #wasFull = false;
  /** A copy of the bytes that the library has not been given yet. */
  #held: Uint8Array | undefined;
  #hasBegunNext = false;

  /** The head goes out with the first part: to send costs most of a watch. */
  constructor(response: ClientResponse, ending: Ending, writeHead: () => void) {
    this.#response = response;
    this.#ending = ending;
    this.#writeHead = writeHead;
  }

  /** The first byte of a part that is yet to come has been sent. */
  get hasBegunNext(): boolean {
    return this.#hasBegunNext;
  }

  /** Brings out the head of a stream that has nothing to say yet; false as `write` says it. */
  flushHead(): boolean {
    return this.#send(new Uint8Array(0));
  }

  /** False when the socket is full: what follows is held until `goOn`. */
  write(part: Uint8Array): boolean {
    if (this.#held === undefined) return this.#send(this.#withoutBegun(part));
    this.#held = Buffer.concat([this.#held, part]);
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

  /** Gives all that is left to the library, which keeps it, and the last part: nothing follows. */
  finish(last: Uint8Array): void {
    this.#sendHead();
    if (this.#held !== undefined) this.#response.write(this.#held);
    const rest = this.#withoutBegun(last);
    if (rest.length > 0) this.#response.write(rest);
  }

  /**
   * Whether a socket that was full takes data again is only told by a write. A small one comes
   * first: less than it has made room for, so that what the library keeps does not grow.
   */
  #send(part: Uint8Array): boolean {
    if (!this.#wasFull || part.length <= PROBE_BYTES) return this.#sendWhole(part);
    const rest = part.subarray(PROBE_BYTES);
    if (this.#cork(() => this.#response.write(part.subarray(0, PROBE_BYTES)))) {
      return this.#sendWhole(rest);
    }
    this.#held = new Uint8Array(rest);
    return false;
  }

  /**
   * The tail and the ending go out in one packet. More than the library gathers is sent at once,
   * and whatever is written after that in the same cork goes out piece by piece.
   */
  #sendWhole(part: Uint8Array): boolean {
    const tailAt = tailOf(part.length);
    if (tailAt > 0) this.#cork(() => this.#response.write(part.subarray(0, tailAt)));
    return this.#cork(() => this.#writeTail(part.subarray(tailAt)));
  }

  /** False when the socket did not take all. */
  #writeTail(tail: Uint8Array): boolean {
    const response = this.#response;
    const ending = this.#endingOf(tail);
    if (ending === 'lastByte' && tail.length > 1) {
      response.write(tail.subarray(0, -1));
      return response.write(tail.subarray(-1));
    }
    let isTaken = true;
    if (tail.length > 0) isTaken = response.write(tail);
    if (ending === 'blank' || ending === 'frameStart') {
      isTaken = response.write(ending === 'blank' ? BLANK : FRAME_START);
      this.#hasBegunNext = true;
    }
    return isTaken;
  }

  #endingOf(tail: Uint8Array): Exclude<Ending, 'line' | 'frames'> {
    const isHeadAlone = tail.length === 0;
    switch (this.#ending) {
      case 'line':
        return isHeadAlone || tail.at(-1) === LINE_END ? 'blank' : 'lastByte';
      case 'frames':
        return isHeadAlone ? 'frameStart' : 'none';
      default:
        return this.#ending;
    }
  }

  #cork(write: () => boolean): boolean {
    this.#response.cork(() => {
      this.#sendHead();
      this.#wasFull = !write();
    });
    return !this.#wasFull;
  }

  /** Frames have less than 16 MiB, so that their lengths begin with a zero. */
  #withoutBegun(part: Uint8Array): Uint8Array {
    const hasBegun = this.#hasBegunNext && part.length > 0;
    if (!hasBegun) return part;
    this.#hasBegunNext = false;
    if (this.#ending !== 'frameStart' && this.#ending !== 'frames') return part;
    assert(part[0] === 0, `a frame begins with ${part[0]}`);
    return part.subarray(1);
  }

  #sendHead(): void {
    this.#writeHead?.();
    this.#writeHead = undefined;
  }
}

/** Where the tail of so many bytes begins, which goes out together with the ending. */
function tailOf(byteCount: number): number {
  if (byteCount <= GATHERED_BYTES) return 0;
  return byteCount <= 2 * GATHERED_BYTES ? GATHERED_BYTES : byteCount - SHORT_TAIL_BYTES;
}
