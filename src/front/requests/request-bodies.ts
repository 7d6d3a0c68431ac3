/**
 * The bodies of requests that come in several chunks. What is held of all of them together is
 * bounded, and so are the time that one may take and what is read in a turn
 * (../README.md#bodies-of-requests).
 */
import { TURN_END } from '../../base/turns/turn-end.ts';
import type { ReadYaml } from '../../codec/yaml/read-yaml.ts';
import { REQUEST_BODY_BYTES_MAX } from '../../limits.ts';
import {
  RECEIVED_BYTES_MAX,
  RECEIVED_BYTES_PER_SECOND_MIN,
  RECEIVED_MS_MAX,
  RECEIVED_MS_MIN,
  RECEIVED_TURN_BYTES,
} from '../limits.ts';
import { tooManyRequests, allottedTimeIsOver } from '../../semantics/errors/status.ts';
import type { StatusError } from '../../semantics/errors/status.ts';
import type { ClientResponse } from '../http.ts';

/**
 * Called once with all of a body, or undefined when it is longer than any may be; and with what it
 * says where it is YAML.
 */
export type BodyCallback = (body: Uint8Array | undefined, yaml?: ReadYaml) => void;
/** Answers a request whose body cannot be waited for, and ends its connection. */
type Refuse = (error: StatusError) => void;

interface ReceivedBody {
  readonly response: ClientResponse;
  readonly refuse: Refuse;
  readonly startedMs: number;
  bytes: Uint8Array;
  length: number;
  /** Nothing of it is read for the moment. */
  isPaused: boolean;
}

export interface RequestBodiesOptions {
  readonly nowMs: () => number;
  readonly bytesMax?: number;
  /** Runs something in a later turn. */
  readonly later?: (then: () => void) => void;
}

/** At most so many of the oldest bodies are looked at for one that is too slow. */
const LOOKED_AT_MAX = 64;
/** At most so many waiting bodies may be read again in a turn. */
const GOING_ON_MAX = 8;
const NO_BYTES = new Uint8Array(0);

/** By the request that they are of, which is what `Request` stands for. */
export class RequestBodies<Request> {
  readonly #nowMs: () => number;
  readonly #bytesMax: number;
  /** The oldest first. */
  readonly #received = new Map<Request, ReceivedBody>();
  #bytes = 0;
  readonly #later: (then: () => void) => void;
  /** Read in this turn. */
  #turnBytes = 0;
  /** Those whose turn is over; who waits longest is first. */
  readonly #waiting = new Set<ReceivedBody>();
  #isEndDue = false;

  constructor(options: RequestBodiesOptions) {
    const { nowMs, bytesMax = RECEIVED_BYTES_MAX, later = setImmediate } = options;
    this.#nowMs = nowMs;
    this.#later = later;
    this.#bytesMax = bytesMax;
  }

  /** Those of which a part is here, and what is held for them. */
  get size(): number {
    return this.#received.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Collects the body of a request: `then` gets it, or `refuse` says why not. */
  receive(request: Request, response: ClientResponse, then: BodyCallback, refuse: Refuse): void {
    let isOver = false;
    const over = (body: Uint8Array | undefined): void => {
      isOver = true;
      this.end(request);
      then(body);
    };
    const refuseOnce: Refuse = (error) => {
      isOver = true;
      this.end(request);
      refuse(error);
    };
    response.onData((chunk, isLast) => {
      TURN_END.passed();
      if (isOver) return;
      let body = this.#received.get(request);
      const length = (body?.length ?? 0) + chunk.byteLength;
      if (length > REQUEST_BODY_BYTES_MAX) return over(undefined);
      // An empty one may be looked at later, when the library has taken its buffer back.
      if (isLast && length === 0) return over(NO_BYTES);
      // A single chunk is copied into the frame for the shard within this call.
      if (isLast && body === undefined) return over(new Uint8Array(chunk));
      if (body === undefined) {
        body = {
          response,
          refuse: refuseOnce,
          startedMs: this.#nowMs(),
          bytes: NO_BYTES,
          length: 0,
          isPaused: false,
        };
        this.#received.set(request, body);
      }
      if (!this.#makeRoom(body, chunk.byteLength)) return refuseOnce(tooManyRequests());
      body.bytes.set(new Uint8Array(chunk), body.length);
      body.length = length;
      if (isLast) over(body.bytes.subarray(0, length));
      else this.#takeTurn(body, chunk.byteLength);
    });
  }

  /** Lets go of what is held for a request. */
  end(request: Request): void {
    const body = this.#received.get(request);
    if (body === undefined) return;
    this.#received.delete(request);
    this.#waiting.delete(body);
    this.#bytes -= body.bytes.length;
  }

  /** Refuses what has taken longer than any body may; to be called from time to time. */
  refuseLate(): void {
    const latestMs = this.#nowMs() - RECEIVED_MS_MAX;
    for (const { refuse, startedMs } of this.#received.values()) {
      if (startedMs > latestMs) return;
      refuse(allottedTimeIsOver());
    }
  }

  /** Lets the body wait once enough was read in this turn, so that others have theirs first. */
  #takeTurn(body: ReceivedBody, bytes: number): void {
    this.#turnBytes += bytes;
    if (this.#turnBytes > RECEIVED_TURN_BYTES) this.#waiting.add(body);
    this.#endTurnLater();
  }

  #endTurnLater(): void {
    if (this.#isEndDue) return;
    this.#isEndDue = true;
    this.#later(() => {
      this.#isEndDue = false;
      this.#turnBytes = 0;
      this.#endTurn();
    });
  }

  /**
   * Some that wait go on, and the others are paused. Not before the end of a turn: the library may
   * have more chunks of a body at hand, the last one too, and would wait for more after each.
   */
  #endTurn(): void {
    let goingOn = 0;
    for (const body of this.#waiting) {
      if (goingOn === GOING_ON_MAX) {
        if (!body.isPaused) body.response.pause();
        body.isPaused = true;
        continue;
      }
      goingOn++;
      this.#waiting.delete(body);
      if (body.isPaused) body.response.resume();
      body.isPaused = false;
    }
    if (this.#waiting.size > 0) this.#endTurnLater();
  }

  /**
   * Room for some more bytes of a body, doubled, since chunks may be tiny. False where all that may
   * be held is, and nobody is slow enough to be refused for it.
   */
  #makeRoom(body: ReceivedBody, more: number): boolean {
    const { bytes, length } = body;
    if (length + more <= bytes.length) return true;
    const grown = Math.max(length + more, bytes.length * 2);
    const added = grown - bytes.length;
    while (this.#bytes + added > this.#bytesMax) if (!this.#refuseSlow(body)) return false;
    body.bytes = new Uint8Array(grown);
    body.bytes.set(bytes.subarray(0, length));
    this.#bytes += added;
    return true;
  }

  /** Refuses one of the oldest that come too slowly; false when there is none. */
  #refuseSlow(except: ReceivedBody): boolean {
    const nowMs = this.#nowMs();
    let lookedAt = 0;
    for (const body of this.#received.values()) {
      const ms = nowMs - body.startedMs;
      if (++lookedAt > LOOKED_AT_MAX || ms < RECEIVED_MS_MIN) return false;
      if (body === except || (body.length * 1_000) / ms >= RECEIVED_BYTES_PER_SECOND_MIN) continue;
      body.refuse(allottedTimeIsOver());
      return true;
    }
    return false;
  }
}
