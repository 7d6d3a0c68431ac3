/** Parts of a stream to a socket that may be full. */
import type { ClientResponse } from '../http.ts';

/** Well below what the smallest socket buffer has free when it says that it takes data again. */
const PROBE_BYTES = 4 * 1024;

export class StreamWriter {
  readonly #response: ClientResponse;
  /** Set when the socket did not take all of the last part. */
  #wasFull = false;
  /** What has not been given to the library yet, a copy. */
  #held: Uint8Array | undefined;

  constructor(response: ClientResponse) {
    this.#response = response;
  }

  /** False when the socket is full: what follows is held until `goOn`. */
  write(part: Uint8Array): boolean {
    if (this.#held === undefined) return this.#send(part);
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

  /** Gives all that is held to the library, which keeps it: nothing follows. */
  finish(): void {
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
      this.#wasFull = !response.write(first);
      if (first.length === part.length) return;
      if (this.#wasFull) this.#held = new Uint8Array(part.subarray(PROBE_BYTES));
      else this.#wasFull = !response.write(part.subarray(PROBE_BYTES));
    });
    return !this.#wasFull;
  }
}
