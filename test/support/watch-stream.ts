/** The client's side of one watch: events in the order of arrival, with their raw lines. */
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { PATIENCE_MS } from './patience.ts';
import type { WireNames } from './wire-names.ts';

const GONE = 410;

export interface WatchEvent {
  readonly type: string;
  // oxlint-disable-next-line no-explicit-any -- tests look into documents of every kind
  readonly object: any;
  /** The line as sent, without its newline. */
  readonly raw: string;
}

export class WatchStream {
  status: number;
  readonly headers: IncomingHttpHeaders;
  /** All events so far. */
  readonly events: WatchEvent[] = [];
  /**
   * The bytes after the last newline: the whole body when the answer is not a stream. White space
   * alone is nothing: it may be sent before an event that does not come any more.
   */
  rest = '';
  ended = false;
  /** Resolves with the first bytes: with the head of a stream comes an event, or white space. */
  readonly begun: Promise<void>;
  readonly #request: ClientRequest;
  readonly #response: IncomingMessage;
  readonly #names: WireNames;
  #read = 0;
  #wake: () => void = () => undefined;

  constructor(request: ClientRequest, response: IncomingMessage, names: WireNames) {
    this.#request = request;
    this.#response = response;
    this.#names = names;
    this.status = response.statusCode ?? 0;
    this.headers = names.headers(response.headers);
    this.begun = new Promise((resolve) => {
      response.once('data', resolve).once('close', resolve);
    });
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.#onText(text));
    response.on('error', () => this.#onEnd());
    response.on('close', () => this.#onEnd());
  }

  #onText(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) {
      // White space may stand before an event: it brings the head to a client that waits.
      const sent = line.trimStart();
      const refusal = this.events.length === 0 ? this.#names.refusal?.(sent) : undefined;
      if (refusal !== undefined) {
        this.status = GONE;
        this.rest = refusal;
        continue;
      }
      const raw = this.#names.event(sent);
      try {
        const { type, object } = JSON.parse(raw) as { type: string; object: unknown };
        this.events.push({ type, object, raw });
      } catch {
        this.events.push({ type: 'not JSON', object: { metadata: {} }, raw });
      }
    }
    this.#wake();
  }

  #onEnd(): void {
    // The answer is no stream when it holds no line.
    if (!this.ended && this.events.length === 0) this.rest = this.#names.event(this.rest);
    if (this.rest.trim() === '') this.rest = '';
    this.ended = true;
    this.#wake();
  }

  /** Waits until `condition` holds; rejects when it never does within the guard time. */
  async #until(condition: () => boolean, what: string): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    while (!condition()) {
      if (Date.now() > deadline) {
        const seen = this.events.map((event) => event.raw.slice(0, 200)).join('\n');
        throw new Error(`no ${what} within ${PATIENCE_MS} ms; seen: ${seen}`);
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 250);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** The next event, or undefined when the stream has ended. */
  async next(): Promise<WatchEvent | undefined> {
    await this.#until(() => this.#read < this.events.length || this.ended, 'event');
    const event = this.events[this.#read];
    if (event !== undefined) this.#read += 1;
    return event;
  }

  /** The next `count` events; rejects when the stream ends before. */
  async take(count: number): Promise<WatchEvent[]> {
    const taken: WatchEvent[] = [];
    while (taken.length < count) {
      const event = await this.next();
      if (event === undefined) throw new Error(`watch ended after ${taken.length} of ${count}`);
      taken.push(event);
    }
    return taken;
  }

  /** Resolves when the server has ended the stream. */
  async end(): Promise<void> {
    await this.#until(() => this.ended, 'end of the stream');
  }

  /** Takes nothing any more, so that the sockets fill up. */
  pause(): void {
    this.#response.pause();
  }

  resume(): void {
    this.#response.resume();
  }

  close(): void {
    this.#request.destroy();
  }
}
