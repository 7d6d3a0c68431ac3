/**
 * A request that is not served in the turn in which it came: its lines are copied, and what comes
 * of its body meanwhile waits. A client that sends much is paused.
 */
import type { Arrival, ClientRequest, ClientResponse } from '../http.ts';

/** So much of a body is taken before its client is paused. */
const HELD_BYTES_MAX = 64 * 1024;

/**
 * Must be called within the turn of the request, which may have a body or has none. `onLastPaused`
 * runs when a body ends while its client is paused: such a connection can serve no further request,
 * since going on would also start a timer of the library.
 */
export function heldArrival(
  arrival: Arrival,
  mayHaveBody: boolean,
  onLastPaused: () => void,
): Arrival {
  if (mayHaveBody) holdBody(arrival.response, onLastPaused);
  else arrival.response.onData = endOfBody;
  return { ...arrival, request: new HeldRequest(arrival.request) };
}

class HeldRequest implements ClientRequest {
  readonly #method: string;
  readonly #url: string;
  readonly #query: string;
  /** Names and values in turn: many requests may be held. */
  readonly #lines: string[] = [];

  constructor(request: ClientRequest) {
    this.#method = request.getMethod();
    this.#url = request.getUrl();
    this.#query = request.getQuery();
    request.forEach((name, value) => this.#lines.push(name, value));
  }

  getMethod(): string {
    return this.#method;
  }

  getUrl(): string {
    return this.#url;
  }

  getQuery(): string {
    return this.#query;
  }

  getHeader(name: string): string {
    const lines = this.#lines;
    for (let at = 0; at < lines.length; at += 2) if (lines[at] === name) return lines[at + 1] ?? '';
    return '';
  }

  forEach(each: (name: string, value: string) => void): void {
    const lines = this.#lines;
    for (let at = 0; at < lines.length; at += 2) each(lines[at] ?? '', lines[at + 1] ?? '');
  }
}

type TakeChunk = (chunk: ArrayBuffer, isLast: boolean) => void;

/** The library says once, in the turn of the request, that there is nothing. */
function endOfBody(then: TakeChunk): void {
  then(new ArrayBuffer(0), true);
}

/** Keeps the arrived part of the body for the first who asks the response for it. */
function holdBody(response: ClientResponse, onLastPaused: () => void): void {
  let chunks: ArrayBuffer[] | undefined;
  let bytes = 0;
  let isPaused = false;
  let isOver = false;
  let take: TakeChunk | undefined;
  response.onData((chunk, isLast) => {
    if (take !== undefined) return take(chunk, isLast);
    // The chunk is the library's, for this call only.
    (chunks ??= []).push(chunk.slice(0));
    bytes += chunk.byteLength;
    isOver = isLast;
    if (isLast && isPaused) onLastPaused();
    if (isLast || isPaused || bytes < HELD_BYTES_MAX) return;
    isPaused = true;
    response.pause();
  });
  response.onData = (then: TakeChunk): void => {
    take = then;
    chunks?.forEach((chunk, index) => then(chunk, isOver && index + 1 === chunks?.length));
    if (isPaused && !isOver) response.resume();
    isPaused = false;
  };
}
