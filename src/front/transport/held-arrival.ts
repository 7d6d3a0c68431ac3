/**
 * A request that is not served in the turn in which it came: its lines are copied, and what comes
 * of its body meanwhile waits. A client that sends much is paused.
 */
import type { Arrival, ClientRequest, ClientResponse } from '../http.ts';

/** So much of a body is taken before its client is paused. */
const HELD_BYTES_MAX = 64 * 1024;

/**
 * Must be called within the turn of the request. `onLastPaused` runs when a body ends while its
 * client is paused: such a connection can serve no further request, since going on would also start
 * a timer of the library.
 */
export function heldArrival(arrival: Arrival, onLastPaused: () => void): Arrival {
  return {
    ...arrival,
    request: new HeldRequest(arrival.request),
    response: heldResponse(arrival.response, onLastPaused),
  };
}

class HeldRequest implements ClientRequest {
  readonly #method: string;
  readonly #url: string;
  readonly #query: string;
  readonly #lines: [name: string, value: string][] = [];

  constructor(request: ClientRequest) {
    this.#method = request.getMethod();
    this.#url = request.getUrl();
    this.#query = request.getQuery();
    request.forEach((name, value) => this.#lines.push([name, value]));
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
    return this.#lines.find(([other]) => other === name)?.[1] ?? '';
  }

  forEach(each: (name: string, value: string) => void): void {
    for (const [name, value] of this.#lines) each(name, value);
  }
}

type TakeChunk = (chunk: ArrayBuffer, isLast: boolean) => void;

/** The same response, but for its body: what has come is given to the first who asks for it. */
function heldResponse(response: ClientResponse, onLastPaused: () => void): ClientResponse {
  const chunks: ArrayBuffer[] = [];
  let bytes = 0;
  let isPaused = false;
  let isOver = false;
  let take: TakeChunk | undefined;
  response.onData((chunk, isLast) => {
    if (take !== undefined) return take(chunk, isLast);
    // The chunk is the library's, for this call only.
    chunks.push(chunk.slice(0));
    bytes += chunk.byteLength;
    isOver = isLast;
    if (isLast && isPaused) onLastPaused();
    if (isLast || isPaused || bytes < HELD_BYTES_MAX) return;
    isPaused = true;
    response.pause();
  });
  const onData = (then: TakeChunk): void => {
    take = then;
    chunks.forEach((chunk, index) => then(chunk, isOver && index === chunks.length - 1));
    if (isPaused && !isOver) response.resume();
    isPaused = false;
  };
  return new Proxy(response, {
    get(target, name) {
      if (name === 'onData') return onData;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
