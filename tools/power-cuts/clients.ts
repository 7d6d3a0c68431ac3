/** Clients of a server that is recorded: some write, and a watch of each type sees all changes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../test/support/random.ts';
import type { Answer, Server } from '../../test/support/server.ts';
import type { WatchStream } from '../../test/support/watch-stream.ts';
import { objectsOf, textOf, TYPES, versionOf } from './history.ts';
import type { History, TypeHistory, WrittenType } from './history.ts';

const WRITERS = 8;
const NAMES = 12;
const PAUSE_MS_MAX = 12;
/** The part of writes to objects that are there. */
const DELETIONS = 0.2;
/** Writers pause once in so many writes, so that some commits are alone. */
const PAUSES_OF = 3;

/** Lists the objects before anybody writes. */
export async function firstLook(server: Server, history: History): Promise<void> {
  for (const { name, path } of TYPES) {
    if (history.types.has(name)) continue;
    const { json } = await server.get(path);
    const firstVersion = Number(json.metadata.resourceVersion);
    history.types.set(name, { first: objectsOf(json), firstVersion, changes: [] });
  }
}

export class Clients {
  readonly #server: Server;
  readonly #history: History;
  readonly #random: Random;
  readonly #watches: WatchStream[] = [];
  readonly #reading: Promise<void>[] = [];
  #writing: Promise<unknown> = Promise.resolve();
  #isWriting = true;

  constructor(server: Server, history: History, seed: number) {
    this.#server = server;
    this.#history = history;
    this.#random = new Random(seed);
  }

  async start(): Promise<void> {
    for (const type of TYPES) await this.#watch(type);
    const writers = Array.from({ length: WRITERS }, (_, number) => this.#write(number));
    this.#writing = Promise.all(writers);
  }

  async #watch({ name, path }: WrittenType): Promise<void> {
    const types = this.#history.types.get(name);
    if (types === undefined) throw new Error(`nobody has looked at ${name}`);
    const from = types.changes.at(-1)?.version ?? types.firstVersion;
    const stream = await this.#server.watch(`${path}?watch=true&resourceVersion=${from}`);
    if (stream.status !== 200) throw new Error(`the watch of ${name} got ${stream.status}`);
    this.#watches.push(stream);
    this.#reading.push(this.#read(stream, types));
  }

  async #read(stream: WatchStream, { changes }: TypeHistory): Promise<void> {
    for (;;) {
      const event = await stream.next().catch(() => undefined);
      if (event === undefined) return;
      const { type, object } = event;
      const version = Number(object.metadata.resourceVersion);
      const isDeletion = type === 'DELETED';
      changes.push({ version, key: object.metadata.name, isDeletion, text: textOf(object) });
      this.#saw(version);
    }
  }

  #saw(version: number): void {
    this.#history.shown.push({ version, timeNs: process.hrtime.bigint() });
  }

  /** Makes, changes and removes objects that nobody else writes. */
  async #write(number: number): Promise<void> {
    const random = new Random(this.#random.below(2 ** 31));
    while (this.#isWriting) {
      const type = random.pick([...TYPES] as [WrittenType, ...WrittenType[]]);
      const name = `w${number}-${random.below(NAMES)}`;
      const sentNs = process.hrtime.bigint();
      const version = await this.#change(type, name, random).catch(ifGone);
      if (version === undefined) return;
      const answeredNs = process.hrtime.bigint();
      this.#saw(version);
      this.#history.answered.push({ type: type.name, key: name, version, sentNs, answeredNs });
      if (random.below(PAUSES_OF) === 0) await sleep(random.below(PAUSE_MS_MAX));
    }
  }

  /** The version that this makes, 0 of a deletion. Throws where the server is gone. */
  async #change(type: WrittenType, name: string, random: Random): Promise<number> {
    const object = type.object(name, String(random.below(2 ** 31)), random);
    const path = `${type.path}/${name}`;
    const { status, json } = await this.#server.get(path);
    if (status === 404) return versionIn(await this.#server.post(type.path, object));
    if (random.fraction() < DELETIONS) {
      expectStatus(await this.#server.delete(path), 200);
      return 0;
    }
    object.metadata.resourceVersion = json.metadata.resourceVersion;
    return versionIn(await this.#server.put(path, object));
  }

  /** Ends the writers, lets the watches see all that was answered, and ends them. */
  async finish(): Promise<void> {
    this.#isWriting = false;
    await this.#writing;
    while (this.#isBehind()) await sleep(5);
    await this.close();
  }

  #isBehind(): boolean {
    return TYPES.some(({ name }) => {
      const seen = this.#history.types.get(name)?.changes.at(-1)?.version ?? 0;
      const answered = this.#history.answered.findLast(({ type }) => type === name);
      return answered !== undefined && versionOf(this.#history, answered) > seen;
    });
  }

  /** Forgets a server that is gone. */
  async close(): Promise<void> {
    this.#isWriting = false;
    this.#server.closeConnections();
    for (const watch of this.#watches) watch.close();
    await Promise.all([this.#writing, ...this.#reading]);
  }
}

/** Ignores the error of a request whose server was killed. */
function ifGone(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code === undefined) throw error;
}

function versionIn(answer: Answer): number {
  expectStatus(answer, 200, 201);
  return Number(answer.json.metadata.resourceVersion);
}

/** Nobody else writes these objects, so that no write is refused. */
function expectStatus({ status, text }: Answer, ...expected: readonly number[]): void {
  if (!expected.includes(status)) throw new Error(`a write got ${status}: ${text}`);
}
