/**
 * Makes the objects by which programs find the API, when the server starts and whenever they are
 * changed or removed.
 */
import { BOOTSTRAP_INTERVAL_MS, BOOTSTRAP_RETRY_MS } from '../limits.ts';
import { bootstrapObjects, otherDialectsObjects } from './bootstrap-objects.ts';
import type { ApiEndpoint, KeptObject } from './bootstrap-objects.ts';
import { runController, shardPorts } from './run-controller.ts';
import type { Ports } from './run-controller.ts';
import { ShardObjects } from '../replicas/shard-objects.ts';

export interface BootstrapOptions {
  readonly endpoint: ApiEndpoint;
  readonly logError: (text: string) => void;
}

export class Bootstrap {
  readonly #ports: Ports;
  readonly #options: BootstrapOptions;
  readonly #objects: readonly KeptObject[];
  readonly #shards: ReadonlyMap<string, ShardObjects>;
  /** Those that are to be looked at again, with the timer that will. */
  readonly #timers = new Map<KeptObject, NodeJS.Timeout>();
  #stopping = false;

  /** Ports: `control`, and one for each shard with objects of these. */
  constructor(ports: Ports, options: BootstrapOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#objects = bootstrapObjects(options.endpoint);
    const shards = shardPorts(ports);
    this.#shards = new Map(
      shards.map(([resource, port]) => [resource, new ShardObjects(resource, port)]),
    );
  }

  /** Works until it is told to stop; counts as started once all was looked at. */
  async run(): Promise<void> {
    await this.#removeOthers();
    let objectsMade = 0;
    for (const kept of this.#objects) {
      const { resource } = kept;
      await this.#shard(resource).watch(kept, () =>
        this.#later(kept, BOOTSTRAP_INTERVAL_MS, false),
      );
      if (await this.#keep(kept, true)) objectsMade++;
    }
    await runController(this.#ports, {
      begin: () => undefined,
      stop: () => {
        this.#stopping = true;
        for (const timer of this.#timers.values()) clearTimeout(timer);
      },
      objectsMade,
    });
    for (const shard of this.#shards.values()) shard.close();
  }

  #shard(resource: string): ShardObjects {
    const shard = this.#shards.get(resource);
    if (shard === undefined) throw new Error(`no port to the shard of ${resource}`);
    return shard;
  }

  /** A folder that was served in the other dialect has the same Service under its other name. */
  async #removeOthers(): Promise<void> {
    const { endpoint, logError } = this.#options;
    const others = otherDialectsObjects(endpoint);
    const [service] = others;
    try {
      const found = service && (await this.#shard(service.resource).get(service));
      const spec = found?.['spec'] as { clusterIP?: string } | undefined;
      if (spec?.clusterIP !== endpoint.serviceAddress) return;
      for (const other of others) {
        const shard = this.#shard(other.resource);
        if ((await shard.get(other)) !== undefined) await shard.delete(other);
      }
    } catch (error) {
      logError(`removing ${service?.name}: ${(error as Error).message}`);
    }
  }

  /** At most one look per interval, however often something changes. */
  #later(kept: KeptObject, delayMs: number, isFirst: boolean): void {
    if (this.#stopping || this.#timers.has(kept)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(kept);
      void this.#keep(kept, isFirst);
    }, delayMs);
    this.#timers.set(kept, timer);
  }

  /** True when the object was made. What fails is tried again. */
  async #keep(kept: KeptObject, isFirst: boolean): Promise<boolean> {
    const { resource, namespace, name, wanted } = kept;
    const shard = this.#shard(resource);
    try {
      const stored = await shard.get(kept);
      if (stored === undefined) {
        await shard.create(kept, wanted);
        return true;
      }
      const mended = kept.mend(stored, isFirst);
      if (mended === 'replace') {
        await shard.delete(kept);
        await shard.create(kept, wanted);
      } else if (mended !== undefined) {
        await shard.update(kept, mended);
      }
    } catch (error) {
      if (this.#stopping) return false;
      this.#options.logError(`${resource} ${namespace}/${name}: ${(error as Error).message}`);
      this.#later(kept, BOOTSTRAP_RETRY_MS, isFirst);
    }
    return false;
  }
}
