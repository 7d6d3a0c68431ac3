/**
 * Counts what is used of each quota: when it is new or limits something else, when something that
 * it counts is used less, and now and then (src/quota/README.md#recounts).
 */
import { SERVER_TIMERS } from '../../base/time/server-clock.ts';
import type { ResourceQuota, ResourceQuotaSpec } from '#messages/core.v1';
import { LinkClosedError } from '../../actors/link.ts';
import type { Port } from '../../actors/port.ts';
import { deepEqual } from '../../base/deep-equal.ts';
import { SYSTEM_TIMERS } from '../../base/time/timers.ts';
import { countedType, shardOf, typesUsing, type CountedType } from '../../quota/counted-type.ts';
import { callQuotas } from '../../quota/quota-protocol.ts';
import { isInScope, scopeRequirements } from '../../quota/scopes.ts';
import type { ApiObject } from '../../resources/kind.ts';
import type { ObjectName } from '../../replicas/shard-objects.ts';
import { Informer, keyOf, nameOf } from '../informer.ts';
import { portOf, runController, shardPorts, type Ports } from '../run-controller.ts';
import { WorkQueue } from '../work-queue.ts';
import { CountedObjects, manyOf, type Found } from './counted-objects.ts';

/** A quota is counted so long after something that it counts was given back, ... */
const RECOUNT_MS = 10;
/** ... or so many times what the counting took, so that it takes a small part of a core. */
const RECOUNT_PAUSE = 10;
/** It is counted again after so long where writes were under way meanwhile, ... */
const ROUGH_MS = 500;
/** ... where it is new, for writes that began before it, ... */
const UNSETTLED_MS = 5_000;
/** ... and in any case, as by the reference. */
const RESYNC_MS = 300_000;

const QUOTAS = 'resourcequotas';
const QUOTA_TYPE = countedType(QUOTAS) as CountedType;

interface KnownQuota {
  readonly spec: ResourceQuotaSpec;
  /** Not all that it limits is counted. */
  readonly isBehind: boolean;
  /** The types that it counts. */
  readonly types: readonly string[];
}

/** The part of `CountedObjects` by which quotas are counted. */
type Counter = Pick<CountedObjects, 'type' | 'whenKnown' | 'found'>;

interface QuotaControllerOptions {
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

export class QuotaController {
  readonly #ports: Ports;
  readonly #nowMs: () => number;
  readonly #quotas: Informer<KnownQuota>;
  /** The keys of the quotas of each namespace that has any. */
  readonly #keys = new Map<string, Set<string>>();
  /** Ports of types that no quota has counted yet. */
  readonly #typePorts = new Map<string, Port>();
  readonly #types = new Map<string, CountedObjects>();
  readonly #queue: WorkQueue;
  /** Quotas that writes may not have known of which are still under way, and since when. */
  readonly #changedMs = new Map<string, number>();
  readonly #ownType: Counter = {
    type: QUOTA_TYPE,
    whenKnown: () => this.#quotas.client.whenTold(),
    found: (namespace, isCounted) => {
      const number = isCounted(undefined) ? (this.#keys.get(namespace)?.size ?? 0) : 0;
      return { amounts: manyOf(QUOTA_TYPE.each, number), endMs: undefined };
    },
  };
  /** A recount is let rest in proportion to what the last one took. */
  #pauseMs = RECOUNT_MS;

  /** Ports: `control`, and those of the shards of all types that quotas may count. */
  constructor(ports: Ports, { nowMs, logError }: QuotaControllerOptions) {
    this.#ports = ports;
    this.#nowMs = nowMs;
    this.#quotas = new Informer<KnownQuota>({
      resource: QUOTAS,
      port: portOf(ports, QUOTAS),
      keep: knownQuota,
      onChange: (at, now, before) => this.#changed(at, now, before),
    });
    for (const [resource, port] of shardPorts(ports)) this.#typePorts.set(resource, port);
    const work = (key: string): Promise<void> => this.#recount(key);
    this.#queue = new WorkQueue({
      name: 'resourcequota_primary',
      work,
      timers: SYSTEM_TIMERS,
      logError,
    });
  }

  /** Works until it is told to stop. */
  async run(): Promise<void> {
    await this.#quotas.start();
    const endResync = SYSTEM_TIMERS.every(RESYNC_MS, () => this.#resync());
    await runController(this.#ports, {
      begin: () => undefined,
      stop: () => this.#queue.stop(),
      onType: ({ resource }, port) => this.#addType(resource, port),
    });
    endResync();
    for (const type of this.#types.values()) type.close();
    for (const port of this.#typePorts.values()) port.close();
    this.#quotas.close();
  }

  #changed(at: ObjectName, now: KnownQuota | undefined, before: KnownQuota | undefined): void {
    const { namespace } = at;
    const key = keyOf(at);
    const keys = this.#keys.get(namespace) ?? new Set();
    if (now === undefined) keys.delete(key);
    else keys.add(key);
    if (keys.size > 0) this.#keys.set(namespace, keys);
    else this.#keys.delete(namespace);
    if (now === undefined) {
      this.#changedMs.delete(key);
      this.#forgetTypes();
      this.#usesLess(QUOTAS, namespace);
      return;
    }
    const isNew = before === undefined || !deepEqual(before.spec, now.spec);
    if (isNew) this.#changedMs.set(key, performance.now());
    if (isNew || (now.isBehind && !before.isBehind)) this.#queue.add(key);
  }

  #resync(): void {
    for (const keys of this.#keys.values()) for (const key of keys) this.#queue.add(key);
  }

  #addType(resource: string, port: Port): void {
    this.#types.get(resource)?.close();
    this.#types.delete(resource);
    this.#typePorts.set(resource, port);
    for (const [key, { types }] of this.#known())
      if (types.includes(resource)) this.#queue.add(key);
  }

  #usesLess(resource: string, namespace: string): void {
    for (const key of this.#keys.get(namespace) ?? []) {
      const quota = this.#quotas.get(nameOf(key));
      if (quota?.types.includes(resource)) this.#queue.addAfter(key, this.#pauseMs);
    }
  }

  /** Stops following types that no quota counts. */
  #forgetTypes(): void {
    const counted = new Set([...this.#known()].flatMap(([, { types }]) => types));
    for (const [resource, type] of this.#types) if (!counted.has(resource)) type.forget();
  }

  *#known(): Generator<[key: string, quota: KnownQuota]> {
    for (const keys of this.#keys.values()) {
      for (const key of keys) {
        const quota = this.#quotas.get(nameOf(key));
        if (quota !== undefined) yield [key, quota];
      }
    }
  }

  async #recount(key: string): Promise<void> {
    const at = nameOf(key);
    const { client } = this.#quotas;
    const begun = await callQuotas(client, 'beginRecount', at);
    if (begun === null) return;
    const { id, spec } = begun;
    const types = await this.#typesOf(spec);
    const { amounts: found, endMs } = this.#found(at.namespace, spec, types);
    const { isRough } = await callQuotas(client, 'endRecount', { ...at, id, found });
    this.#lookAgain(key, isRough, endMs);
  }

  /** Those that there are of the types that it counts, as they are now at the earliest. */
  async #typesOf({ hard = {} }: ResourceQuotaSpec): Promise<Counter[]> {
    const names = new Set(Object.keys(hard).flatMap(typesUsing));
    const types = await Promise.all(Array.from(names, (resource) => this.#whenKnown(resource)));
    return types.filter((type) => type !== undefined);
  }

  async #whenKnown(resource: string): Promise<Counter | undefined> {
    const type = this.#typeOf(resource);
    try {
      await type?.whenKnown();
      return type;
    } catch (error) {
      if (!(error instanceof LinkClosedError)) throw error;
      // The type is gone.
      this.#types.delete(resource);
      return undefined;
    }
  }

  #typeOf(resource: string): Counter | undefined {
    if (resource === QUOTAS) return this.#ownType;
    const known = this.#types.get(resource);
    const port = this.#typePorts.get(shardOf(resource));
    if (known !== undefined || port === undefined) return known;
    const type = new CountedObjects({
      resource,
      port,
      nowMs: this.#nowMs,
      onLess: (namespace) => this.#usesLess(resource, namespace),
    });
    this.#typePorts.delete(shardOf(resource));
    this.#types.set(resource, type);
    return type;
  }

  /** The use of what the quota limits and these types count; other amounts are absent. */
  #found(namespace: string, spec: ResourceQuotaSpec, types: readonly Counter[]): Found {
    const beganMs = performance.now();
    const scopes = scopeRequirements(spec);
    const amounts: Record<string, string> = {};
    let nextMs = Infinity;
    for (const counter of types) {
      const { type } = counter;
      const its = counter.found(namespace, (pod) => scopes.every((scope) => isInScope(scope, pod)));
      nextMs = Math.min(nextMs, its.endMs ?? Infinity);
      for (const name in spec.hard) {
        if (type.counts(name)) amounts[name] = its.amounts[name] ?? '0';
      }
    }
    const tookMs = performance.now() - beganMs;
    this.#pauseMs = Math.max(RECOUNT_MS, tookMs * RECOUNT_PAUSE);
    return { amounts, endMs: nextMs === Infinity ? undefined : nextMs };
  }

  /** The soonest of all reasons to count once more. */
  #lookAgain(key: string, isRough: boolean, endMs: number | undefined): void {
    const changedMs = this.#changedMs.get(key);
    const unsettledMs = changedMs === undefined ? 0 : changedMs + UNSETTLED_MS - performance.now();
    if (isRough) this.#queue.addAfter(key, ROUGH_MS);
    if (unsettledMs > 0) this.#queue.addAfter(key, unsettledMs);
    else this.#changedMs.delete(key);
    if (endMs === undefined) return;
    this.#queue.addAfter(key, Math.max(0, endMs - this.#nowMs()) + 1, SERVER_TIMERS);
  }
}

function knownQuota(object: ApiObject): KnownQuota {
  const { spec = {}, status: { hard, used = {} } = {} } = object as ResourceQuota;
  const names = Object.keys(spec.hard ?? {});
  const isCounted = names.every((name) => used[name] !== undefined);
  return {
    spec,
    isBehind: !isCounted || !deepEqual(spec.hard, hard),
    types: [...new Set(names.flatMap(typesUsing))],
  };
}
