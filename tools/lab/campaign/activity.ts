/** Follows a recording while it is written: when the controller has done something last. */
import { closeSync, openSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordedRequest } from '../../../src/laboratory/recording.ts';
import type { Who } from '../../../src/laboratory/lab-request.ts';
import { isOf, isWriteVerb } from './traffic.ts';

const LOOK_MS = 25;
const CHUNK = 256 * 1_024;
const READS_LONG = 10;
const REQUEST = /^\{"n":\d+,"request":/;

export class Activity {
  readonly #descriptor: number;
  readonly #who: Who;
  readonly #skipped: ReadonlySet<string>;
  readonly #buffer = Buffer.alloc(CHUNK);
  #rest = '';
  #lastWriteMs = performance.now();
  #lastReadMs = performance.now();
  #requests = 0;

  constructor(file: string, who: Who, skipped: ReadonlySet<string>) {
    this.#descriptor = openSync(file, 'r');
    this.#who = who;
    this.#skipped = skipped;
  }

  /** How many requests there were of the controller up to now. */
  get requests(): number {
    this.#read();
    return this.#requests;
  }

  /**
   * Resolves when the controller has asked for nothing for so long, from now on. One that reads all
   * the time is quiet when it has not written for ten times as long.
   */
  async quiet(ms: number, signal: AbortSignal): Promise<void> {
    const sinceMs = performance.now();
    while (!signal.aborted) {
      this.#read();
      const now = performance.now();
      const silentMs = now - Math.max(sinceMs, this.#lastWriteMs);
      const isReading = now - this.#lastReadMs < ms;
      if (silentMs >= (isReading ? ms * READS_LONG : ms)) return;
      await sleep(LOOK_MS);
    }
  }

  /** Resolves when it has asked more often than so many times. */
  async asksMore(than: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.requests <= than) await sleep(LOOK_MS);
  }

  end(): void {
    closeSync(this.#descriptor);
  }

  #read(): void {
    for (;;) {
      const count = readSync(this.#descriptor, this.#buffer, 0, CHUNK, null);
      if (count === 0) return;
      const lines = (this.#rest + this.#buffer.toString('utf8', 0, count)).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) if (REQUEST.test(line)) this.#take(line);
    }
  }

  #take(line: string): void {
    const { request } = JSON.parse(line) as { readonly request: RecordedRequest };
    const { user, groups, userAgent, verb, url } = request;
    if (!isOf(this.#who, user, groups, userAgent)) return;
    this.#requests++;
    const isSkipped = [...this.#skipped].some((resource) => url.includes(`/${resource}`));
    if (isSkipped) return;
    if (isWriteVerb(verb)) this.#lastWriteMs = performance.now();
    else this.#lastReadMs = performance.now();
  }
}
