/** The client's side of a stream without a socket: a test says when it takes bytes. */
import type { Exchange } from '../../src/front/exchange.ts';
import { statusEvent } from '../../src/resources/status-document.ts';
import type { StatusError } from '../../src/semantics/errors/status.ts';
import { statusCodec } from './answer-context.ts';

export class FakeExchange {
  /** The text that was sent after the head. */
  text = '';
  status: StatusError['status'] | undefined;
  began = false;
  ended = false;
  /** The first byte of an event that is yet to come was sent. */
  hasBegunNext = false;
  /** Writes are kept, but the client should be waited for. */
  stalled = false;
  #onWritable: () => void = () => undefined;
  #onAborted: () => void = () => undefined;

  /** As the fan-out gets it: only what it uses is there. */
  get exchange(): Exchange {
    return this as unknown as Exchange;
  }

  /** Type and version of each event, `ERROR` ones with their message. */
  get events(): string[] {
    const lines = this.text.split('\n');
    return lines.slice(0, -1).map((line) => {
      const { type, object } = JSON.parse(line);
      return `${type} ${object.metadata.resourceVersion ?? object.message}`;
    });
  }

  beginStream(): void {
    this.began = true;
  }

  flushHead(): boolean {
    return this.write(Buffer.from(' '));
  }

  endWithError({ status }: StatusError): void {
    this.endStream(statusEvent(status, 'json', statusCodec));
  }

  write(chunk: Uint8Array): boolean {
    if (this.ended) throw new Error('written after the end');
    this.text += Buffer.from(chunk).toString();
    return !this.stalled;
  }

  onWritable(then: () => void): void {
    this.#onWritable = then;
  }

  onAborted(then: () => void): void {
    this.#onAborted = then;
  }

  endStream(last?: Uint8Array): void {
    if (last !== undefined) this.write(last);
    this.ended = true;
  }

  sendStatus({ status }: StatusError): void {
    this.status = status;
    this.ended = true;
  }

  /** The socket takes bytes again. */
  resume(): void {
    this.stalled = false;
    this.#onWritable();
  }

  /** The client goes away. */
  abort(): void {
    this.#onAborted();
  }
}
