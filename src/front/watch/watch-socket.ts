/**
 * A watch over a WebSocket: one event in each message, JSON as text with its newline, protobuf in
 * binary without the length that stands before a frame. It ends with a close frame of code 1000.
 */
import type { Form } from '../../semantics/options/answer-form.ts';
import type { StatusError } from '../../semantics/errors/status.ts';
import type { Exchange } from '../exchange.ts';
import type { WatchStream } from './watch-stream.ts';
import type { MessageSocket } from '../websocket/message-socket.ts';

const NORMAL_CLOSURE = 1000;
const LINE_FEED = 0x0a;
const LENGTH_BYTES = 4;

export class WatchSocket implements WatchStream {
  readonly #exchange: Exchange;
  readonly #subprotocol: string;
  #socket: MessageSocket | undefined;
  #encoding: Form['encoding'] = 'json';
  #open = true;
  #onAborted: () => void = () => undefined;
  #onWritable: () => void = () => undefined;

  constructor(exchange: Exchange, subprotocol: string) {
    this.#exchange = exchange;
    this.#subprotocol = subprotocol;
  }

  onAborted(then: () => void): void {
    this.#onAborted = then;
    this.#exchange.onAborted(then);
  }

  onWritable(then: () => void): void {
    this.#onWritable = then;
  }

  beginStream(_kind: 'watch', encoding: Form['encoding']): void {
    this.#encoding = encoding;
    this.#socket = this.#exchange.acceptWebSocket(this.#subprotocol, {
      // Clients have nothing to say.
      onMessage: () => undefined,
      onDrain: () => this.#onWritable(),
      onClose: () => {
        if (!this.#open) return;
        this.#open = false;
        this.#onAborted();
      },
    });
  }

  flushHead(): boolean {
    return true;
  }

  /** A message is complete when it is sent. */
  get hasBegunNext(): boolean {
    return false;
  }

  write(events: Uint8Array): boolean {
    const socket = this.#socket;
    if (socket === undefined || !this.#open) return true;
    const isText = this.#encoding === 'json';
    let taken = true;
    socket.batch(() => {
      for (const message of isText ? lines(events) : frames(events)) {
        taken = socket.send(message, isText);
        // It may have been closed meanwhile.
        if (!this.#open) return;
      }
    });
    return taken;
  }

  endWithError(error: StatusError): void {
    this.endStream(this.#exchange.errorEvent(error, this.#encoding));
  }

  endStream(last?: Uint8Array): void {
    if (last !== undefined) this.write(last);
    if (!this.#open) return;
    this.#open = false;
    this.#socket?.end(NORMAL_CLOSURE, '');
  }

  sendStatus(error: StatusError): void {
    this.#exchange.sendStatus(error);
  }
}

/** Each line with its newline. */
function* lines(events: Uint8Array): Generator<Uint8Array> {
  let start = 0;
  while (start < events.length) {
    const end = events.indexOf(LINE_FEED, start) + 1;
    yield events.subarray(start, end);
    start = end;
  }
}

/** Each event without the length before it. */
function* frames(events: Uint8Array): Generator<Uint8Array> {
  const view = new DataView(events.buffer, events.byteOffset, events.length);
  let start = 0;
  while (start < events.length) {
    const from = start + LENGTH_BYTES;
    start = from + view.getUint32(start);
    yield events.subarray(from, start);
  }
}
