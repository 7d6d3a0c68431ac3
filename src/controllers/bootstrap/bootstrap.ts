/**
 * Makes the objects by which programs find the API, when the server starts and whenever they are
 * changed or removed.
 */
import { SYSTEM_TIMERS } from '../../base/time/timers.ts';
import { BOOTSTRAP_INTERVAL_MS } from '../../limits.ts';
import { bootstrapObjects, otherDialectsObjects } from './bootstrap-objects.ts';
import type { ApiEndpoint, KeptObject } from './bootstrap-objects.ts';
import { runController, shardPorts } from '../run-controller.ts';
import type { Ports } from '../run-controller.ts';
import { ShardObjects } from '../../replicas/shard-objects.ts';
import { WorkQueue } from '../work-queue.ts';

export interface BootstrapOptions {
  readonly endpoint: ApiEndpoint;
  /** Kept besides. */
  readonly more?: readonly KeptObject[];
  readonly logError: (text: string) => void;
}

export class Bootstrap {
  readonly #ports: Ports;
  readonly #options: BootstrapOptions;
  readonly #objects: ReadonlyMap<string, KeptObject>;
  readonly #shards: ReadonlyMap<string, ShardObjects>;
  readonly #queue: WorkQueue;
  /** Those that were right, or were put right, since the start. */
  readonly #mended = new Set<KeptObject>();
  #objectsMade = 0;

  /** Ports: `control`, and one for each shard with objects of these. */
  constructor(ports: Ports, options: BootstrapOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#objects = new Map(
      [...bootstrapObjects(options.endpoint), ...(options.more ?? [])].map((kept) => {
        const { resource, namespace, name } = kept;
        return [`${resource} ${namespace}/${name}`, kept];
      }),
    );
    const shards = shardPorts(ports);
    this.#shards = new Map(
      shards.map(([resource, port]) => [resource, new ShardObjects(resource, port)]),
    );
    this.#queue = new WorkQueue({
      name: 'bootstrap',
      work: (key) => this.#keep(this.#objects.get(key)),
      timers: SYSTEM_TIMERS,
      logError: options.logError,
    });
  }

  /** Works until it is told to stop; counts as started once all was looked at. */
  async run(): Promise<void> {
    await this.#removeOthers();
    for (const [key, kept] of this.#objects) {
      // At most one look per interval, however often something changes.
      const onChange = (): void => this.#queue.addAfter(key, BOOTSTRAP_INTERVAL_MS);
      await this.#shard(kept.resource).watch(kept, onChange);
      this.#queue.add(key);
    }
    await this.#queue.whenIdle();
    await runController(this.#ports, {
      begin: () => undefined,
      stop: () => this.#queue.stop(),
      objectsMade: this.#objectsMade,
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

  async #keep(kept: KeptObject | undefined): Promise<void> {
    if (kept === undefined) return;
    const shard = this.#shard(kept.resource);
    const stored = await shard.get(kept);
    const mended = stored === undefined ? 'new' : kept.mend(stored, !this.#mended.has(kept));
    if (mended === 'replace') await shard.delete(kept);
    if (mended === 'replace' || mended === 'new') await shard.create(kept, kept.wanted);
    else if (mended !== undefined) await shard.update(kept, mended);
    if (mended === 'new') this.#objectsMade++;
    this.#mended.add(kept);
  }
}
