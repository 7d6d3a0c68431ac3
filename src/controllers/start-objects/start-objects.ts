/**
 * Makes and mends objects that a cluster begins with, once at each start. The server is not ready
 * before they are there.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { START_OBJECTS_RETRY_MS, START_OBJECTS_TRIES_MAX } from '../../limits.ts';
import { ShardObjects } from '../../replicas/shard-objects.ts';
import type { ObjectName } from '../../replicas/shard-objects.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { runController, shardPorts, type Ports } from '../run-controller.ts';

/** An object that has to be there. */
export interface StartObject extends ObjectName {
  /** The resource type, as shards are named. */
  readonly resource: string;
  readonly wanted: object;
  /** Gives the mended object; undefined when it is right, `'replace'` to make it anew. */
  readonly mend: (stored: ApiObject) => object | 'replace' | undefined;
}

export interface StartObjectsOptions {
  readonly objects: readonly StartObject[];
  /** A name for the objects in errors. */
  readonly what: string;
  readonly logError: (text: string) => void;
}

export class StartObjects {
  readonly #ports: Ports;
  readonly #options: StartObjectsOptions;
  readonly #shards: ReadonlyMap<string, ShardObjects>;

  /** Ports: `control`, and those of the shards of the objects. */
  constructor(ports: Ports, options: StartObjectsOptions) {
    this.#ports = ports;
    this.#options = options;
    const shards = shardPorts(ports);
    this.#shards = new Map(
      shards.map(([resource, port]) => [resource, new ShardObjects(resource, port)]),
    );
  }

  /** Works until it is told to stop; once all is right it has started, and no more to do. */
  async run(): Promise<void> {
    const objectsMade = await this.#ensure();
    for (const shard of this.#shards.values()) shard.close();
    await runController(this.#ports, {
      begin: () => undefined,
      stop: () => undefined,
      objectsMade,
    });
  }

  /** Makes or mends the objects, and counts those made. Rejects when some cannot be made. */
  async #ensure(): Promise<number> {
    const { objects, what, logError } = this.#options;
    let made = 0;
    let left = objects;
    const empty = await this.#emptyTypes();
    for (let tries = 1; left.length > 0; tries++) {
      const results = await Promise.allSettled(left.map((object) => this.#keep(object, empty)));
      made += results.filter((it) => it.status === 'fulfilled' && it.value).length;
      const failed = results.filter((it) => it.status === 'rejected');
      left = left.filter((_, index) => results[index]?.status === 'rejected');
      if (failed.length === 0) break;
      empty.clear();
      const reasons = [...new Set(failed.map((it) => (it.reason as Error).message))].join('; ');
      if (tries === START_OBJECTS_TRIES_MAX) throw new Error(`${what}: ${reasons}`);
      logError(reasons);
      await wait(START_OBJECTS_RETRY_MS);
    }
    return made;
  }

  /** Objects of types that have none need not be looked for one by one. */
  async #emptyTypes(): Promise<Set<string>> {
    const types = [...this.#shards];
    const isEmpty = await Promise.all(types.map(([, shard]) => shard.isEmpty()));
    return new Set(types.map(([resource]) => resource).filter((_, index) => isEmpty[index]));
  }

  /**
   * True when the object was not there. Rejects where it cannot be as it should, also where
   * somebody else has made it meanwhile: its type is not empty any more.
   */
  async #keep(object: StartObject, empty: Set<string>): Promise<boolean> {
    const { resource } = object;
    const shard = this.#shards.get(resource);
    if (shard === undefined) throw new Error(`no port to the shard of ${resource}`);
    const stored = empty.has(resource) ? undefined : await shard.get(object);
    if (stored === undefined) {
      await shard.create(object, object.wanted);
      return true;
    }
    const mended = object.mend(stored);
    if (mended === 'replace') {
      await shard.delete(object, stored.metadata.uid);
      await shard.create(object, object.wanted);
    } else if (mended !== undefined) {
      await shard.update(object, mended);
    }
    return false;
  }
}
