/** Watches that go on at any server after each break: none may miss an event, or see one twice. */
import type { Server } from '../../support/server.ts';
import type { WatchStream } from '../../support/watch-stream.ts';
import { pause } from './cluster.ts';
import { CONFIG_MAPS, type Tally } from './writers.ts';

const AGAIN_MS = 100;

export class Watcher {
  events = 0;
  breaks = 0;
  readonly #name: string;
  readonly #prefix: string;
  readonly #any: () => Server;
  readonly #tally: Tally;
  /** The count of each object, as it was told last. */
  readonly #counts = new Map<string, number>();
  #rv: string | undefined;
  #stream: WatchStream | undefined;

  /** Looks at objects whose names begin with `prefix`. */
  constructor(name: string, prefix: string, any: () => Server, tally: Tally) {
    this.#name = name;
    this.#prefix = prefix;
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

  countOf(name: string): number | undefined {
    return this.#counts.get(name);
  }

  close(): void {
    this.#stream?.close();
  }

  async #list(): Promise<void> {
    const { status, json } = await this.#any().get(CONFIG_MAPS);
    if (status !== 200) return;
    for (const { metadata, data } of json.items) {
      if (metadata.name.startsWith(this.#prefix)) this.#counts.set(metadata.name, Number(data.n));
    }
    this.#rv = json.metadata.resourceVersion as string;
  }

  async #follow(isOver: () => boolean): Promise<void> {
    if (this.#rv === undefined) return;
    const path = `${CONFIG_MAPS}?watch=true&allowWatchBookmarks=true&resourceVersion=${this.#rv}`;
    const stream = await this.#any().watch(path);
    this.#stream = stream;
    if (stream.status !== 200) return stream.close();
    for (;;) {
      const event = await stream.next();
      if (event === undefined || isOver()) return;
      this.#take(event.type, event.object);
    }
  }

  // oxlint-disable-next-line no-explicit-any -- an event holds an object, or a Status
  #take(type: string, object: any): void {
    const { violations } = this.#tally;
    if (type === 'ERROR') {
      violations.push(`${this.#name} after ${this.#rv}: ${object.code} ${object.message}`);
      this.#rv = undefined;
      return this.close();
    }
    const { name, resourceVersion } = object.metadata;
    const isNew = Number(resourceVersion) > Number(this.#rv);
    if (!isNew && (type !== 'BOOKMARK' || resourceVersion !== this.#rv)) {
      violations.push(`${this.#name}: version ${resourceVersion} after ${this.#rv}`);
    }
    this.#rv = resourceVersion;
    if (type === 'BOOKMARK' || !name.startsWith(this.#prefix)) return;
    this.events++;
    const before = this.#counts.get(name) ?? -1;
    const n = Number(object.data.n);
    if (n !== before + 1) violations.push(`${this.#name}: ${name} is ${n} after ${before}`);
    this.#counts.set(name, n);
  }
}
