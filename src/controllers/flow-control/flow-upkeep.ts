/**
 * Makes the objects of flow control that a cluster begins with, mends them once a minute, and
 * removes those that the release does not have any more; and has schemas told of their levels.
 */
import type { Timers } from '../../base/time/timers.ts';
import { FLOW_CONTROL_INTERVAL_MS, FLOW_OBJECTS_MAX } from '../../limits.ts';
import { ShardObjects } from '../../replicas/shard-objects.ts';
import { isRefusal } from '../../semantics/errors/status.ts';
import { runController, shardPorts, type Ports } from '../run-controller.ts';
import { DanglingConditions } from './dangling-conditions.ts';
import {
  flowObjects,
  isLeftOver,
  nameOf,
  newFlowObject,
  revised,
  type FlowObject,
  type FlowObjects,
} from './flow-objects.ts';

/** As the reference calls who makes them. */
const WRITER = { manager: 'api-priority-and-fairness-config-producer-v1' };

export interface FlowUpkeepOptions {
  readonly timers: Timers;
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

interface Kept extends FlowObjects {
  readonly shard: ShardObjects;
}

export class FlowUpkeep {
  readonly #ports: Ports;
  readonly #options: FlowUpkeepOptions;
  readonly #kept: readonly Kept[];
  #round: Promise<unknown> = Promise.resolve();

  /** Ports: `control`, and those of the shards of both types, where they are served. */
  constructor(ports: Ports, options: FlowUpkeepOptions) {
    this.#ports = ports;
    this.#options = options;
    const shards = new Map(shardPorts(ports));
    this.#kept = flowObjects().flatMap((objects) => {
      const { resource } = objects;
      const port = shards.get(resource);
      if (port === undefined) return [];
      return [{ ...objects, shard: new ShardObjects(resource, port, WRITER) }];
    });
  }

  /** Works until it is told to stop; counts as started once all was looked at. */
  async run(): Promise<void> {
    const { timers } = this.#options;
    const objectsMade = await this.#look();
    const [levels, schemas] = this.#kept;
    const dangling = levels && schemas && new DanglingConditions(schemas, levels, this.#options);
    await dangling?.start();
    const end = timers.every(FLOW_CONTROL_INTERVAL_MS, () => {
      this.#round = this.#round.then(() => this.#look());
    });
    await runController(this.#ports, {
      begin: () => undefined,
      stop: async () => {
        end();
        await this.#round;
        await dangling?.stop();
      },
      objectsMade,
    });
    for (const { shard } of this.#kept) shard.close();
  }

  /** Looks at all once, and counts those that it has made. What fails waits for the next look. */
  async #look(): Promise<number> {
    let made = 0;
    const work = this.#kept.map(async (kept) => {
      const { items } = await kept.shard.list<FlowObject>('', FLOW_OBJECTS_MAX, '', kept.version);
      const stored = new Map(items.map((item) => [nameOf(item), item]));
      const wanted = Array.from(kept.specs, async ([name, spec]) => {
        const isMade = await keep(kept, name, spec, stored.get(name));
        if (isMade) made++;
      });
      const leftOver = items.filter((item) => isLeftOver(item, kept.specs));
      await Promise.all([...wanted, ...leftOver.map((item) => remove(kept, item))]);
    });
    for (const result of await Promise.allSettled(work)) {
      if (result.status === 'fulfilled') continue;
      this.#options.logError(`flow control: ${(result.reason as Error).message}`);
    }
    return made;
  }
}

/** True where it was not there. */
async function keep(
  { shard, version }: Kept,
  name: string,
  spec: object,
  stored: FlowObject | undefined,
): Promise<boolean> {
  const at = { namespace: '', name };
  if (stored === undefined) {
    const isMade = await unlessRaced(409, shard.create(at, newFlowObject(name, spec), version));
    return isMade;
  }
  const mended = revised(stored, spec);
  if (mended !== undefined) await unlessRaced(409, shard.update(at, mended, '', version));
  return false;
}

async function remove({ shard }: Kept, object: FlowObject): Promise<void> {
  const at = { namespace: '', name: nameOf(object) };
  await unlessRaced(404, shard.delete(at, object.metadata.uid));
}

/** False where somebody else was faster: the next look finds what they did. */
async function unlessRaced(code: number, write: Promise<void>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (isRefusal(error, code)) return false;
    throw error;
  }
}
