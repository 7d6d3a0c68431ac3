/** Tells each schema of flow control whether there is the level that it names. */
import type { Timers } from '../../base/time/timers.ts';
import { utcSeconds } from '../../base/time/utc-time.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import { FLOW_TOLD_AFTER_MS } from '../../limits.ts';
import type { ShardObjects } from '../../replicas/shard-objects.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { isRefusal } from '../../semantics/errors/status.ts';
import { nameOf } from './flow-objects.ts';

/** As the reference calls who tells it. */
const MANAGER = 'api-priority-and-fairness-config-consumer-v1';
const DANGLING = 'Dangling';

interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

interface Schema extends ApiObject {
  readonly spec?: { readonly priorityLevelConfiguration?: { readonly name?: string } };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** A type, and the version that is written. */
export interface FlowType {
  readonly shard: ShardObjects;
  readonly version: number;
  readonly apiVersion: string;
}

export interface DanglingOptions {
  readonly timers: Timers;
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

export class DanglingConditions {
  readonly #schemas: FlowType;
  readonly #levels: FlowType;
  readonly #options: DanglingOptions;
  readonly #known = new Map<string, Schema>();
  readonly #levelNames = new Set<string>();
  #cancel: (() => void) | undefined;
  #telling: Promise<void> = Promise.resolve();

  constructor(schemas: FlowType, levels: FlowType, options: DanglingOptions) {
    this.#schemas = schemas;
    this.#levels = levels;
    this.#options = options;
  }

  /** Follows both types from then on. */
  async start(): Promise<void> {
    await this.#levels.shard.follow(({ type, object }) => {
      if (type === 'DELETED') this.#levelNames.delete(nameOf(object));
      else if (type !== 'BOOKMARK') this.#levelNames.add(nameOf(object));
      this.#later();
    });
    await this.#schemas.shard.follow(({ type, object }) => {
      if (type === 'DELETED') this.#known.delete(nameOf(object));
      else if (type !== 'BOOKMARK') this.#known.set(nameOf(object), object as Schema);
      this.#later();
    });
  }

  /** Resolves when what is under way is over. */
  async stop(): Promise<void> {
    this.#cancel?.();
    await this.#telling;
  }

  /** Changes that come together are looked at once. */
  #later(): void {
    this.#cancel ??= this.#options.timers.after(FLOW_TOLD_AFTER_MS, () => {
      this.#cancel = undefined;
      this.#telling = this.#telling.then(() => this.#tell());
    });
  }

  async #tell(): Promise<void> {
    const results = await Promise.allSettled(
      Array.from(this.#known.values(), (schema) => this.#tellOf(schema)),
    );
    for (const result of results) {
      if (result.status === 'fulfilled' || isRefusal(result.reason, 404)) continue;
      this.#options.logError(`flow control: ${(result.reason as Error).message}`);
    }
  }

  async #tellOf(schema: Schema): Promise<void> {
    const name = nameOf(schema);
    const { name: level = '' } = schema.spec?.priorityLevelConfiguration ?? {};
    const told = conditionOf(level, this.#levelNames.has(level));
    const stored = schema.status?.conditions?.find(({ type }) => type === DANGLING);
    if (stored?.reason === told.reason && stored.message === told.message) return;
    const condition = { ...told, lastTransitionTime: utcSeconds(this.#options.nowMs()) };
    const { shard, version, apiVersion } = this.#schemas;
    const applied = {
      apiVersion,
      kind: 'FlowSchema',
      metadata: { name },
      status: { conditions: [condition] },
    };
    const how = { subresource: 'status', manager: MANAGER, version };
    await shard.apply({ namespace: '', name }, applied, how);
  }
}

function conditionOf(level: string, isThere: boolean): Condition {
  const named = `the PriorityLevelConfiguration object named ${quoteText(level)}`;
  const what = `This FlowSchema references ${named}`;
  return isThere
    ? { type: DANGLING, status: 'False', reason: 'Found', message: `${what} and it exists` }
    : {
        type: DANGLING,
        status: 'True',
        reason: 'NotFound',
        message: `${what} but there is no such object`,
      };
}
