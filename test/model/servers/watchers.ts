/** Watches that go on at any server after each break: none may miss an event, or see one twice. */
import type { Server } from '../../support/server.ts';
import type { WatchStream } from '../../support/watch-stream.ts';
import { pause } from './cluster.ts';
import type { Tally } from './writers.ts';
import type { Watched } from './watched.ts';

const AGAIN_MS = 100;
/** Then it goes on at another server. */
const EVENTS_MAX = 5_000;

export class Watcher {
  events = 0;
  breaks = 0;
  readonly #name: string;
  readonly #watched: Watched;
  readonly #any: () => Server;
  readonly #tally: Tally;
  #rv: string | undefined;
  #stream: WatchStream | undefined;

  constructor(name: string, watched: Watched, any: () => Server, tally: Tally) {
    this.#name = name;
    this.#watched = watched;
    this.#any = any;
    this.#tally = tally;
  }

  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      try {
        if (this.#rv === undefined) await this.#list();
        await this.#follow(isOver);
        this.breaks++;
      } catch {
        // The server is not there.
      }
      await pause(AGAIN_MS);
    }
  }

  close(): void {
    this.#stream?.close();
  }

  async #list(): Promise<void> {
    const { status, json } = await this.#any().get(this.#watched.path);
    if (status !== 200) return;
    const items = json.items as unknown[];
    this.#watched.listed(items.filter((item) => this.#watched.has(item)));
    this.#rv = json.metadata.resourceVersion as string;
  }

  async #follow(isOver: () => boolean): Promise<void> {
    if (this.#rv === undefined) return;
    const from = `watch=true&allowWatchBookmarks=true&resourceVersion=${this.#rv}`;
    const stream = await this.#any().watch(`${this.#watched.path}?${from}`);
    this.#stream = stream;
    if (stream.status !== 200) return stream.close();
    for (let events = 0; events < EVENTS_MAX; events++) {
      const event = await stream.next();
      if (event === undefined || isOver()) break;
      this.#take(event.type, event.object);
    }
    stream.close();
  }

  // oxlint-disable-next-line no-explicit-any -- an event holds an object, or a Status
  #take(type: string, object: any): void {
    if (type === 'ERROR') {
      this.#violated(`after ${this.#rv}: ${object.code} ${object.message}`);
      this.#rv = undefined;
      return this.close();
    }
    const { resourceVersion } = object.metadata;
    const isNew = Number(resourceVersion) > Number(this.#rv);
    if (!isNew && (type !== 'BOOKMARK' || resourceVersion !== this.#rv)) {
      this.#violated(`version ${resourceVersion} after ${this.#rv}`);
    }
    this.#rv = resourceVersion;
    if (type === 'BOOKMARK' || !this.#watched.has(object)) return;
    this.events++;
    const wrong = this.#watched.changed(type, object);
    if (wrong !== undefined) this.#violated(`at ${resourceVersion}: ${wrong}`);
  }

  #violated(what: string): void {
    this.#tally.violations.push(`${this.#name} ${what}`);
  }
}
