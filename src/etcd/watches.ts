/**
 * Watches. One stream carries all of them; when it ends, another one is opened, at another server
 * where there is one, and each watch goes on behind the last revision that its listener was given.
 */
import type { ServiceError } from '@grpc/grpc-js';
import { readError } from './call-errors.ts';
import { EtcdError } from './etcd-error.ts';
import type { RunningWatch, Watch, WatchListener } from './etcd.ts';
import { CALL_DEADLINE_MS, RETRY_PAUSE_MS } from './limits.ts';
import type { Method } from './calls.ts';
import type { Connection, Servers } from './servers.ts';
import { WatchState } from './watch-state.ts';
import { WatchStream } from './watch-stream.ts';

export class Watches {
  readonly #servers: Servers;
  readonly #method: Method;
  readonly #watches = new Set<WatchState>();
  #stream: WatchStream | undefined;
  #isOpening = false;
  #isClosed = false;

  constructor(servers: Servers, method: Method) {
    this.#servers = servers;
    this.#method = method;
  }

  add(watch: Watch, listener: WatchListener): RunningWatch {
    const state = new WatchState(watch, listener, () => this.#watches.delete(state));
    this.#watches.add(state);
    if (this.#stream !== undefined) this.#stream.create(state);
    else if (!this.#isOpening) void this.#open();
    return {
      requestProgress: () => this.#stream?.requestProgress(),
      close: () => {
        if (!this.#watches.delete(state)) return;
        state.close();
        this.#stream?.cancel(state);
        if (this.#watches.size === 0) this.#endStream();
      },
    };
  }

  close(): void {
    this.#isClosed = true;
    for (const state of this.#watches) state.close();
    this.#watches.clear();
    this.#endStream();
  }

  #endStream(): void {
    this.#stream?.end();
    this.#stream = undefined;
  }

  async #open(): Promise<void> {
    this.#isOpening = true;
    while (!this.#isClosed && this.#watches.size > 0) {
      try {
        const connection = await this.#servers.connection(performance.now() + CALL_DEADLINE_MS);
        if (this.#isClosed || this.#watches.size === 0) break;
        this.#begin(connection);
        break;
      } catch (error) {
        if (!(error instanceof EtcdError)) throw error;
        for (const state of this.#watches) state.broken(error);
      }
    }
    this.#isOpening = false;
  }

  #begin(connection: Connection): void {
    const stream = new WatchStream(connection, this.#method, {
      ended: (error) => this.#ended(stream, error),
      silent: () => this.#servers.silent(connection),
    });
    this.#stream = stream;
    for (const state of this.#watches) stream.create(state);
  }

  #ended(stream: WatchStream, error: ServiceError): void {
    if (this.#stream !== stream) return;
    this.#stream = undefined;
    this.#servers.failed(stream.connection);
    const failure = EtcdError.unavailable(readError(error).message);
    for (const state of this.#watches) state.broken(failure);
    // A server that has said nothing would be asked again at once, and again.
    this.#isOpening = true;
    setTimeout(() => void this.#open(), stream.wasHeard ? 0 : RETRY_PAUSE_MS);
  }
}
