/**
 * Makes and mends the roles and bindings that a cluster begins with, once at each start
 * (src/auth/bootstrap-policy/README.md). The server is not ready before they are there.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { bootstrapPolicy, type PolicyObject } from '../auth/bootstrap-policy/bootstrap-policy.ts';
import { POLICY_RETRY_MS, POLICY_TRIES_MAX } from '../limits.ts';
import { ShardObjects } from '../replicas/shard-objects.ts';
import { runController, shardPorts, type Ports } from './run-controller.ts';

export class BootstrapPolicy {
  readonly #ports: Ports;
  readonly #logError: (text: string) => void;
  readonly #shards: ReadonlyMap<string, ShardObjects>;

  /** Ports: `control`, and those of the shards of roles and bindings. */
  constructor(ports: Ports, logError: (text: string) => void) {
    this.#ports = ports;
    this.#logError = logError;
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

  /** How many were made. Rejects when some cannot be made: without them nobody is let in. */
  async #ensure(): Promise<number> {
    let made = 0;
    let left: readonly PolicyObject[] = bootstrapPolicy();
    for (let tries = 1; left.length > 0; tries++) {
      const results = await Promise.allSettled(left.map((object) => this.#keep(object)));
      made += results.filter((it) => it.status === 'fulfilled' && it.value).length;
      const failed = results.filter((it) => it.status === 'rejected');
      left = left.filter((_, index) => results[index]?.status === 'rejected');
      if (failed.length === 0) break;
      const reasons = [...new Set(failed.map((it) => (it.reason as Error).message))].join('; ');
      if (tries === POLICY_TRIES_MAX) throw new Error(`the bootstrap policy: ${reasons}`);
      this.#logError(reasons);
      await wait(POLICY_RETRY_MS);
    }
    return made;
  }

  /** True when the object was not there. Rejects where it cannot be as it should. */
  async #keep(object: PolicyObject): Promise<boolean> {
    const shard = this.#shards.get(object.resource);
    if (shard === undefined) throw new Error(`no port to the shard of ${object.resource}`);
    const stored = await shard.get(object);
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
