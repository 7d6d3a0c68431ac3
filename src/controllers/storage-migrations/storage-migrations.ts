/**
 * Carries StorageVersionMigrations out: writes each object of a resource once, so that it is stored
 * in the version of today (src/controllers/README.md#storage-version-migrations).
 */
import type { Port } from '../../actors/port.ts';
import type { Timers } from '../../base/time/timers.ts';
import { utcSeconds } from '../../base/time/utc-time.ts';
import { MIGRATED_AT_ONCE, MIGRATION_TYPE_WAIT_MS } from '../../limits.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';
import { ShardObjects } from '../../replicas/shard-objects.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { isRefusal } from '../../semantics/errors/status.ts';
import { customKey } from '../../types/custom/custom-type-facts.ts';
import { enabledApi } from '../../types/runtime-config.ts';
import { shardKey } from '../../types/served-types.ts';
import { controllerAccount } from '../controller-account.ts';
import { Informer } from '../informer.ts';
import { portOf, runController, shardPorts, type Ports } from '../run-controller.ts';
import { TryLater, WorkQueue } from '../work-queue.ts';
import { DefinitionStatus } from './definition-status.ts';
import {
  failed,
  hasEnded,
  is,
  isToldFirst,
  running,
  RUNS_NO_MORE,
  SUCCEEDED,
  withConditions,
  type Migration,
  type Told,
} from './migration-state.ts';

const MIGRATIONS = 'storageversionmigrations.storagemigration.cluster.io';
const DEFINITIONS = 'customresourcedefinitions.apiextensions.cluster.io';
const NAME = 'storage-version-migrator-controller';
const RUNNER = 'migration-runner-controller';
/** These codes only say that somebody else is busy. */
const PASSING_CODES = [429, 500, 503, 504] as const;

export interface MigrationOptions {
  readonly runtimeConfig: string;
  readonly featureGates: FeatureGates;
  readonly timers: Timers;
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

/** Works until it is told to stop. Where migrations are not served there is nothing to do. */
export async function migrateStorage(ports: Ports, options: MigrationOptions): Promise<void> {
  const isServed = shardPorts(ports).some(([resource]) => resource === MIGRATIONS);
  if (isServed) await new StorageMigrations(ports, options).run();
  else await runController(ports, { begin: () => undefined, stop: () => undefined });
}

class StorageMigrations {
  readonly #ports: Ports;
  readonly #options: MigrationOptions;
  readonly #migrations: Informer<Migration>;
  readonly #definitions: DefinitionStatus;
  /** The shards of built-in types, by the names of resources as migrations say them. */
  readonly #builtIn: ReadonlyMap<string, string>;
  /** Keys are names of resources: of each there is one migration at a time. */
  readonly #queue: WorkQueue;
  #portTo: (shard: string) => Port = () => {
    throw new Error('the controller has not begun');
  };

  /** Ports: `control`, and those of the shards of migrations and definitions. */
  constructor(ports: Ports, options: MigrationOptions) {
    const { timers, nowMs, logError } = options;
    this.#ports = ports;
    this.#options = options;
    this.#builtIn = new Map(
      enabledApi(options).types.map((type) => {
        return [resourceName(type.definition.plural, type.group), shardKey(type)] as const;
      }),
    );
    this.#migrations = new Informer({
      resource: MIGRATIONS,
      port: portOf(ports, MIGRATIONS),
      writer: controllerAccount(NAME),
      keep: (object) => object as Migration,
      onChange: (_at, now) => {
        if (now !== undefined) this.#queue.add(resourceOf(now));
      },
    });
    const writer = { ...controllerAccount(NAME), manager: RUNNER };
    const definitions = new ShardObjects(DEFINITIONS, portOf(ports, DEFINITIONS), writer);
    this.#definitions = new DefinitionStatus(definitions, () => utcSeconds(nowMs()));
    this.#queue = new WorkQueue({
      name: NAME,
      work: (resource) => this.#work(resource),
      timers,
      logError,
    });
  }

  async run(): Promise<void> {
    await runController(this.#ports, {
      begin: (portTo) => {
        this.#portTo = portTo;
        this.#migrations.start().catch((error: Error) => this.#options.logError(error.message));
      },
      stop: () => this.#queue.stop(),
    });
    this.#migrations.close();
  }

  async #work(resource: string): Promise<void> {
    const all = [...this.#migrations.values()].filter((one) => resourceOf(one) === resource);
    for (const ended of all.filter((one) => hasEnded(one) && is('Running', one))) {
      await this.#tidyUp(resource, ended);
    }
    const open = all.filter((one) => !hasEnded(one)).toSorted(byAge);
    const next = open.find((one) => is('Running', one)) ?? open[0];
    if (next === undefined) return;
    const migration = await this.#begun(resource, next);
    if (migration !== undefined) await this.#carryOut(resource, migration);
  }

  /** The migration, once it says since when, and as of which version; undefined where it ended. */
  async #begun(resource: string, migration: Migration): Promise<Migration | undefined> {
    let begun = migration;
    if (isToldFirst && !is('Running', begun)) {
      await this.#definitions.began(resource, begun.metadata.name ?? '');
      begun = await this.#tell(begun, [running()]);
    }
    if ((begun.status?.resourceVersion ?? '') !== '') return begun;
    const shard = await this.#shardOf(resource);
    if (shard === undefined) return this.#waitOrFail(begun);
    try {
      const { resourceVersion } = await shard.list('', 1);
      return await this.#tell({ ...begun, status: { ...begun.status, resourceVersion } }, []);
    } finally {
      shard.close();
    }
  }

  /** A type may be about to come. */
  async #waitOrFail(migration: Migration): Promise<undefined> {
    const { creationTimestamp = '' } = migration.metadata;
    if (this.#options.nowMs() < Date.parse(creationTimestamp) + MIGRATION_TYPE_WAIT_MS) {
      throw new TryLater(`no type ${resourceOf(migration)}`);
    }
    await this.#tell(migration, [failed('resource does not exist in discovery')]);
    return undefined;
  }

  async #carryOut(resource: string, migration: Migration): Promise<void> {
    const shard = await this.#shardOf(resource);
    if (shard === undefined) {
      await this.#waitOrFail(migration);
      return;
    }
    try {
      await this.#moveAll(shard, migration);
    } finally {
      shard.close();
    }
  }

  async #moveAll(shard: ShardObjects, migration: Migration): Promise<void> {
    const until = BigInt(migration.status?.resourceVersion ?? '0');
    const all = await allObjects(shard);
    const old = all.filter(({ resourceVersion }) => BigInt(resourceVersion) <= until);
    const progress = { left: old.length, all: all.length };
    for (const object of old) {
      try {
        await move(shard, object);
      } catch (error) {
        await this.#stuck(migration, error as Error, progress);
        return;
      }
      progress.left--;
    }
    await this.#tell(migration, [...(isToldFirst ? [running(progress)] : []), SUCCEEDED]);
  }

  /** Rejects for what passes; all else is the end of the migration. */
  async #stuck(
    migration: Migration,
    error: Error,
    progress: { readonly left: number; readonly all: number },
  ): Promise<void> {
    if (PASSING_CODES.some((code) => isRefusal(error, code))) {
      if (isToldFirst) await this.#tell(migration, [running(progress, error.message)]);
      throw error;
    }
    const why = `migration encountered unhandled error: ${error.message}`;
    const { left, all } = progress;
    const told = isToldFirst
      ? [running(progress), failed(`${left}/${all} not yet migrated. ${why}`)]
      : [failed(why)];
    await this.#tell(migration, told);
  }

  /** It is over: the definition is told of it, and it says that it runs no more. */
  async #tidyUp(resource: string, migration: Migration): Promise<void> {
    if (!isToldFirst) return;
    await this.#definitions.ended(resource, is('Succeeded', migration));
    await this.#tell(migration, [RUNS_NO_MORE]);
  }

  /** Gives the migration as it is stored then. Rejects when it is not the newest any more. */
  async #tell(migration: Migration, told: readonly Told[]): Promise<Migration> {
    const { client } = this.#migrations;
    const at = { namespace: '', name: migration.metadata.name ?? '' };
    const now = utcSeconds(this.#options.nowMs());
    await client.update(at, withConditions(migration, told, now), 'status');
    const stored = await client.get<Migration>(at);
    if (stored === undefined) throw new TryLater(`migration ${at.name} is gone`);
    return stored;
  }

  /** A port of its own to the shard of a resource; undefined where there is no such type. */
  async #shardOf(resource: string): Promise<ShardObjects | undefined> {
    const builtIn = this.#builtIn.get(resource);
    if (builtIn === undefined && !(await this.#definitions.has(resource))) return undefined;
    const name = builtIn ?? customKey(resource);
    return new ShardObjects(name, this.#portTo(name), controllerAccount(NAME));
  }
}

/** An object, as far as it matters here. */
interface Found {
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
}

async function allObjects(shard: ShardObjects): Promise<readonly Found[]> {
  const found: Found[] = [];
  let token = '';
  do {
    const { items, continueToken } = await shard.list('', MIGRATED_AT_ONCE, token);
    for (const item of items) found.push(foundOf(item));
    token = continueToken;
  } while (token !== '');
  return found;
}

function foundOf({ metadata }: ApiObject): Found {
  const { namespace = '', name = '', resourceVersion = '' } = metadata;
  return { namespace, name, resourceVersion };
}

/** One that was written meanwhile has moved by that; one that is gone need not. */
async function move(shard: ShardObjects, { resourceVersion, ...at }: Found): Promise<void> {
  try {
    await shard.merge(at, { metadata: { resourceVersion } });
  } catch (error) {
    if (!isRefusal(error, 404) && !isRefusal(error, 409)) throw error;
  }
}

function resourceOf({ spec }: Migration): string {
  const { resource = '', group = '' } = spec?.resource ?? {};
  return resourceName(resource, group);
}

function resourceName(resource: string, group: string): string {
  return group === '' ? resource : `${resource}.${group}`;
}

function byAge(one: Migration, other: Migration): number {
  const at = ({ metadata }: Migration): string => `${metadata.creationTimestamp} ${metadata.name}`;
  return at(one) < at(other) ? -1 : 1;
}
