/**
 * The connections of a front: how many there are, how many of them wait for the head of a request,
 * and how many there may be (../README.md#connections).
 */
import type { Socket } from 'node:net';
import type { TemplatedApp } from 'uWebSockets.js';
import { statusDocument } from '../../resources/status-document.ts';
import { requestHeadLate, serviceUnavailable } from '../../semantics/errors/status.ts';
import type { StatusError } from '../../semantics/errors/status.ts';
import { SeriesSet, sampleEverySecond } from '../../observability/metrics/thread-metrics.ts';
import type { Cell } from '../../observability/metrics/cells.ts';
import type { Header } from '../answers/header-text.ts';
import { headerLines, headText, writeLines } from '../answers/header-lines.ts';
import { statusLine } from '../answers/status-line.ts';
import { IDLE_MS_MAX } from '../limits.ts';

/** The library looks at the time every four seconds, and cuts a connection up to two too early. */
const LIBRARY_EARLY_MS = 2_100;
/** A connection that is cut later than this was slow. */
export const SLOW_HEAD_MS_MIN = IDLE_MS_MAX - LIBRARY_EARLY_MS;

/** Connections in handshakes of TLS, of all, that may be there besides. */
const HANDSHAKES_PART = 0.1;

export interface ConnectionLimits {
  /** Of the server. */
  readonly open: number;
  /** Of this front: connections on which no request is under way. */
  readonly waiting: number;
}

/** What clients of the server may have open; Infinity for no bound. */
export interface ClientBounds {
  readonly connections: number;
  readonly waitingConnections: number;
  readonly watchesPerUser: number;
}

/** Counts the open connections of all fronts. */
export function sharedConnections(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
}

export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #underWay: () => number;
  /** The connections of all fronts. */
  readonly #all: Int32Array;
  readonly #series = new SeriesSet();
  readonly #refused: Readonly<Record<keyof ConnectionLimits, Cell>>;
  readonly #slowHeads: Cell;
  readonly #endSamples: () => void;
  #open = 0;

  /** `shared` is of `sharedConnections`, `underWay` counts the requests that are being served. */
  constructor(limits: ConnectionLimits, shared: SharedArrayBuffer, underWay: () => number) {
    this.#limits = limits;
    this.#underWay = underWay;
    this.#all = new Int32Array(shared);
    this.#refused = {
      open: this.#series.cell('shardplane_connections_refused_total', { bound: 'open' }),
      waiting: this.#series.cell('shardplane_connections_refused_total', { bound: 'waiting' }),
    };
    this.#slowHeads = this.#series.cell('shardplane_slow_heads_total', {});
    const open = this.#series.cell('shardplane_connections', {});
    const waiting = this.#series.cell('shardplane_connections_waiting', {});
    this.#endSamples = sampleEverySecond(() => {
      open.set(this.#open);
      waiting.set(this.#waiting);
    });
  }

  get #waiting(): number {
    return Math.max(0, this.#open - this.#underWay());
  }

  /** One more is there. */
  opened(): void {
    this.#open++;
    Atomics.add(this.#all, 0, 1);
  }

  closed(): void {
    this.#open--;
    Atomics.sub(this.#all, 0, 1);
  }

  /** Whether the one that was opened last is too many: it is to be told so, and closed. */
  refuses(): boolean {
    const { open, waiting } = this.#limits;
    const bound =
      Atomics.load(this.#all, 0) > open ? 'open' : this.#waiting > waiting ? 'waiting' : undefined;
    if (bound === undefined) return false;
    this.#refused[bound].add();
    return true;
  }

  /** Where a handshake comes before an answer, no connection is taken beyond this. */
  get takenMax(): number | undefined {
    const { open } = this.#limits;
    return open === Infinity ? undefined : open + Math.ceil(open * HANDSHAKES_PART);
  }

  /** One was cut because the head of its first request did not come. */
  headWasSlow(): void {
    this.#slowHeads.add();
  }

  /** Counts and bounds the connections that the HTTP library takes by itself. */
  watch(app: TemplatedApp): void {
    app.filter((response, change) => {
      if (change !== 1) return this.closed();
      this.opened();
      if (this.refuses()) {
        response.cork(() => {
          writeLines(response, statusLine(REFUSED.code), REFUSED_LINES);
          response.end(bodyOf(REFUSED), true);
        });
        return;
      }
      const sinceMs = performance.now();
      // It is replaced by the first request.
      response.onAborted(() => {
        if (performance.now() - sinceMs >= SLOW_HEAD_MS_MIN) this.headWasSlow();
      });
    });
  }

  close(): void {
    this.#endSamples();
    this.#series.release();
  }
}

/** What is answered to a connection on which nobody has asked yet. */
function bodyOf({ status }: StatusError): Uint8Array {
  return statusDocument(status, 'json', () => {
    throw new Error('JSON needs no codec');
  });
}

function headersOf({ status: { details } }: StatusError): Header[] {
  const retrySeconds = details?.retryAfterSeconds ?? 0;
  return [
    ['Content-Type', 'application/json'],
    ['Cache-Control', 'no-cache, private'],
    ...(retrySeconds > 0 ? [['Retry-After', String(retrySeconds)] as const] : []),
  ];
}

/** The whole answer, for connections that Node serves. */
function textOf(error: StatusError): string {
  const body = bodyOf(error);
  const length = String(body.length);
  const own: Header[] = [
    ['Connection', 'close'],
    ['Content-Length', length],
  ];
  const head = headText(statusLine(error.code), headerLines([...headersOf(error), ...own]));
  return `${head}${Buffer.from(body).toString('latin1')}`;
}

const REFUSED = serviceUnavailable('the server has too many connections');
const REFUSED_LINES = headerLines(headersOf(REFUSED));
const REFUSED_TEXT = textOf(REFUSED);
export const LATE_TEXT = textOf(requestHeadLate());

/** Says so on a connection that Node serves, and closes it. */
export function refuseConnection(socket: Socket): void {
  socket.on('error', () => socket.destroy());
  // What its client sends is read: the answer might get lost otherwise.
  socket.resume();
  socket.end(REFUSED_TEXT, 'latin1');
  setTimeout(() => socket.destroy(), IDLE_MS_MAX).unref();
}
