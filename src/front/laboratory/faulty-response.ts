/**
 * A connection to a client on which an answer goes wrong: it is held, lost or cut. The exchange
 * knows nothing of it.
 */
import type { ClientResponse } from '../http.ts';

type Call = (response: ClientResponse) => unknown;

/** A connection that passes all on; what goes wrong says what it does instead. */
export class PassingResponse implements ClientResponse {
  protected readonly response: ClientResponse;

  constructor(response: ClientResponse) {
    this.response = response;
  }

  onAborted(then: () => void): unknown {
    return this.response.onAborted(then);
  }

  onData(then: (chunk: ArrayBuffer, isLast: boolean) => void): unknown {
    return this.response.onData(then);
  }

  onWritable(then: (offset: number) => boolean): unknown {
    return this.response.onWritable(then);
  }

  pause(): void {
    this.response.pause();
  }

  resume(): void {
    this.response.resume();
  }

  cork(work: () => void): unknown {
    return this.response.cork(work);
  }

  writeStatus(status: string): ClientResponse {
    this.response.writeStatus(status);
    return this;
  }

  writeHeader(name: string, value: string | Uint8Array): ClientResponse {
    this.response.writeHeader(name, value);
    return this;
  }

  write(chunk: Uint8Array): boolean {
    return this.response.write(chunk);
  }

  end(body?: Uint8Array | string, closes?: boolean): unknown {
    return this.response.end(body, closes);
  }

  endWithoutBody(length?: number, closes?: boolean): unknown {
    return this.response.endWithoutBody(length, closes);
  }

  close(): unknown {
    return this.response.close();
  }

  getRemoteAddressAsText(): ArrayBuffer {
    return this.response.getRemoteAddressAsText();
  }
}

/** Keeps the answer until it is let go. */
export class HeldResponse extends PassingResponse {
  readonly #isOpen: () => boolean;
  readonly #onAnswer: () => void;
  #calls: Call[] | undefined = [];
  #isAnswered = false;

  /** `onAnswer` runs when the answer begins: what was asked for is done. */
  constructor(response: ClientResponse, isOpen: () => boolean, onAnswer: () => void) {
    super(response);
    this.#isOpen = isOpen;
    this.#onAnswer = onAnswer;
  }

  /** Sends what has come, and passes on what follows. */
  release(): void {
    const calls = this.#calls;
    this.#calls = undefined;
    if (calls === undefined || !this.#isOpen()) return;
    this.response.cork(() => {
      for (const call of calls) call(this.response);
    });
  }

  override cork(work: () => void): unknown {
    if (this.#calls === undefined) return this.response.cork(work);
    work();
    return this;
  }

  override writeStatus(status: string): ClientResponse {
    return this.#take((response) => response.writeStatus(status));
  }

  override writeHeader(name: string, value: string | Uint8Array): ClientResponse {
    const kept = copyOf(value);
    return this.#take((response) => response.writeHeader(name, kept));
  }

  override write(chunk: Uint8Array): boolean {
    if (this.#calls === undefined) return this.response.write(chunk);
    const kept = Uint8Array.from(chunk);
    this.#take((response) => response.write(kept));
    return true;
  }

  override end(body?: Uint8Array | string, closes?: boolean): unknown {
    const kept = body === undefined ? undefined : copyOf(body);
    return this.#take((response) => response.end(kept, closes));
  }

  override endWithoutBody(length?: number, closes?: boolean): unknown {
    return this.#take((response) => response.endWithoutBody(length, closes));
  }

  #take(call: Call): ClientResponse {
    if (this.#calls === undefined) {
      call(this.response);
      return this;
    }
    this.#calls.push(call);
    if (!this.#isAnswered) {
      this.#isAnswered = true;
      this.#onAnswer();
    }
    return this;
  }
}

/** The bytes are of this turn alone. */
function copyOf<T extends Uint8Array | string>(value: T): T {
  return (typeof value === 'string' ? value : Uint8Array.from(value)) as T;
}

/** Cuts the connection instead of the answer, so that nobody hears what was done. */
export class LostResponse extends PassingResponse {
  #isLost = false;

  override cork(work: () => void): unknown {
    work();
    return this;
  }

  override writeStatus(): ClientResponse {
    if (!this.#isLost) {
      this.#isLost = true;
      this.response.close();
    }
    return this;
  }

  override writeHeader(): ClientResponse {
    return this;
  }

  override write(): boolean {
    return true;
  }

  override end(): unknown {
    return this;
  }

  override endWithoutBody(): unknown {
    return this;
  }
}

/** Cuts the connection in the midst of the body. */
export class CutResponse extends PassingResponse {
  readonly #isOpen: () => boolean;
  #isCut = false;

  constructor(response: ClientResponse, isOpen: () => boolean) {
    super(response);
    this.#isOpen = isOpen;
  }

  override write(chunk: Uint8Array): boolean {
    this.#cut(chunk);
    return true;
  }

  override end(body: Uint8Array | string = ''): unknown {
    this.#cut(typeof body === 'string' ? Buffer.from(body) : body);
    return this;
  }

  override endWithoutBody(): unknown {
    this.#cut(new Uint8Array(0));
    return this;
  }

  #cut(part: Uint8Array): void {
    if (this.#isCut) return;
    this.#isCut = true;
    this.response.write(part.subarray(0, part.length >> 1));
    // The part goes out at the end of this turn.
    setImmediate(() => {
      if (this.#isOpen()) this.response.close();
    });
  }
}

/** Closes the connection when the answer is complete. */
export class ClosingResponse extends PassingResponse {
  override end(body?: Uint8Array | string): unknown {
    return this.response.end(body, true);
  }

  override endWithoutBody(length?: number): unknown {
    return this.response.endWithoutBody(length, true);
  }
}
