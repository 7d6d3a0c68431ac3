/** The way of a watch's events to its client, on which they can go wrong at any time. */
import { SYSTEM_TIMERS } from '../../base/time/timers.ts';
import { eventFault, type EventFault } from '../../laboratory/event-faults.ts';
import type { Effect } from '../../laboratory/fault-rule.ts';
import { readEvents } from '../../laboratory/watch-event.ts';
import { expired } from '../../semantics/errors/status.ts';
import type { WatchStream } from '../watch/watch-stream.ts';

type WatchEffect = Extract<Effect, { is: 'watch' }>;
type Begin = Parameters<WatchStream['beginStream']>;

const EXPIRED = 'The resourceVersion for the provided watch is too old.';

export class FaultyWatch implements WatchStream {
  readonly #stream: WatchStream;
  readonly #onEnd: () => void;
  #encoding: Begin[1] = 'json';
  #hasBegun = false;
  #hasEnded = false;
  #fault: EventFault | undefined;
  /** What ends the watch as soon as it has begun. */
  #ending: 'expire' | 'close' | undefined;
  #forget: () => void = () => undefined;

  /** `onEnd` runs when the stream is over. */
  constructor(stream: WatchStream, onEnd: () => void) {
    this.#stream = stream;
    this.#onEnd = onEnd;
  }

  /** From now on it goes wrong so. */
  become({ fault, ms }: WatchEffect): void {
    this.#fault?.release();
    this.#fault = eventFault(fault, {
      ms,
      timers: SYSTEM_TIMERS,
      send: (events) => this.#send(events.map(({ bytes }) => bytes)),
    });
    this.#ending = fault === 'expire' || fault === 'close' ? fault : undefined;
    this.#endEarly();
  }

  /** Ends it, as a server does now and then: the client goes on with another one. */
  close(): void {
    this.#ending = 'close';
    this.#endEarly();
  }

  /** Lets go what is held; it goes on being wrong. */
  release(): void {
    this.#fault?.release();
  }

  /** From now on all goes through. */
  mend(): void {
    this.#fault?.release();
    this.#fault = undefined;
  }

  get hasBegunNext(): boolean {
    return this.#stream.hasBegunNext;
  }

  beginStream(...begin: Begin): void {
    this.#hasBegun = true;
    [, this.#encoding] = begin;
    this.#stream.beginStream(...begin);
    // Who watches is in the midst of the first events.
    if (this.#ending !== undefined) setImmediate(() => this.#endEarly());
  }

  flushHead(): boolean {
    return this.#stream.flushHead();
  }

  write(chunk: Uint8Array, onRead: () => void = () => undefined): boolean {
    if (this.#hasEnded || this.#ending !== undefined) return true;
    if (this.#fault === undefined) return this.#stream.write(chunk, onRead);
    this.#fault.take(readEvents(chunk, this.#encoding));
    onRead();
    // The head goes out once: with it comes the first byte of an event.
    return this.#stream.hasBegunNext || this.#stream.flushHead();
  }

  onWritable(then: () => void): void {
    this.#stream.onWritable(then);
  }

  onAborted(then: () => void): void {
    this.#forget = then;
    this.#stream.onAborted(() => {
      this.#over();
      then();
    });
  }

  endWithError(error: Parameters<WatchStream['endWithError']>[0]): void {
    this.#over();
    this.#stream.endWithError(error);
  }

  endStream(last?: Uint8Array): void {
    // A last event goes wrong as all others do.
    if (last !== undefined && this.#fault === undefined) {
      this.#over();
      this.#stream.endStream(last);
      return;
    }
    if (last !== undefined) this.#fault?.take(readEvents(last, this.#encoding));
    this.#over();
    this.#stream.endStream();
  }

  sendStatus(error: Parameters<WatchStream['sendStatus']>[0]): void {
    this.#over();
    this.#stream.sendStatus(error);
  }

  #send(parts: readonly Uint8Array[]): void {
    if (parts.length > 0 && !this.#hasEnded) this.#stream.write(Buffer.concat(parts));
  }

  #endEarly(): void {
    if (!this.#hasBegun || this.#hasEnded || this.#ending === undefined) return;
    const ending = this.#ending;
    this.#forget();
    this.#over();
    if (ending === 'expire') this.#stream.endWithError(expired(EXPIRED));
    else this.#stream.endStream();
  }

  #over(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#fault?.end();
    this.#onEnd();
  }
}
