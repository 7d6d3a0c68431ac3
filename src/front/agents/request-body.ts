/** The body of a request as a stream: the client is paused while nobody takes what it sends. */
import { Readable } from 'node:stream';
import type { ClientResponse } from '../http.ts';

export class RequestBody extends Readable {
  readonly #response: ClientResponse;
  readonly #onLastPaused: () => void;
  #isPaused = false;
  #isOver = false;

  /**
   * Must be made within the turn of the request. `onLastPaused` runs when the body ends on a
   * connection that is paused: it stays so, since going on would also start a timer of the
   * library, and can serve no further request.
   */
  constructor(response: ClientResponse, onLastPaused: () => void) {
    super();
    this.#response = response;
    this.#onLastPaused = onLastPaused;
    response.onData((chunk, isLast) => {
      this.#isOver ||= isLast;
      // The chunk is the library's, for this call only.
      const more = chunk.byteLength === 0 || this.push(Buffer.from(chunk.slice(0)));
      if (isLast && this.#isPaused) this.#onLastPaused();
      if (isLast) this.push(null);
      else if (!more) this.#pause();
    });
  }

  /** Chunks may still come after it: each makes the library wait for more again. */
  #pause(): void {
    this.#isPaused = true;
    this.#response.pause();
  }

  override _read(): void {
    if (!this.#isPaused || this.#isOver) return;
    this.#isPaused = false;
    this.#response.resume();
  }

  /** The client is gone: the library's object must not be touched any more. */
  abandon(): void {
    this.#isOver = true;
    this.destroy();
  }
}
