/**
 * Deletes what nobody owns any more, and does for owners what their deletion asked for: lets their
 * dependents go on without them, or deletes those first (../README.md#garbage-collection). What it
 * decides, and why, is in garbage-decision.ts.
 *
 * It keeps no graph. The shards know who owns whom, and tell after each commit what has changed;
 * the collector asks about it, decides, and orders. No dependent can slip through, because each
 * link keeps its order and each side of a reference is asked about after the other has changed:
 *
 * - The owner goes first. Its shard tells that it is gone, and then all shards are asked for its
 *   dependents. One that is committed by then is found. One that is committed later is told as
 *   owned later: then its owner is asked for, and is gone.
 * - The dependent is looked at first, and its owner is said to be there. Then the owner's shard
 *   tells only later that it is gone, and the dependent, committed long before, is found.
 *
 * An order names the uid and the owner references that were looked at. Where the object has others
 * by then nothing is done, and it is looked at again. After a start all that has owners or waits is
 * gone through once: nothing is kept of what a crash has interrupted.
 */
import { Link, LinkClosedError } from '../../actors/link.ts';
import type { Port } from '../../actors/port.ts';
import { TaskLimiter } from '../../base/turns/task-limiter.ts';
import { GARBAGE_GONE_UIDS_MAX, GARBAGE_RETRY_MS } from '../../limits.ts';
import { GARBAGE_EVENTS, GARBAGE_VERBS } from '../../protocol/upkeep-protocol.ts';
import type {
  DependentCounts,
  GarbageCalls,
  GarbageEvents,
  OwnershipChanges,
} from '../../protocol/upkeep-protocol.ts';
import type { ServedKind } from '../controller-protocol.ts';
import { decide, ordersOf } from './garbage-decision.ts';
import type { Candidate, Decision, OwnerStanding, Reference } from './garbage-decision.ts';
import { GarbageQueue, namespaceOf } from './garbage-queue.ts';
import type { KeysByResource, WaitingOwner, Work } from './garbage-queue.ts';
import type { OwnerKinds, OwnerPlace } from './owner-kinds.ts';
import { runController, shardPorts } from '../run-controller.ts';
import type { Ports } from '../run-controller.ts';

type ShardLink = Link<GarbageCalls, GarbageEvents>;

type LookLater = (resource: string, keys: readonly string[]) => void;

export interface GarbageCollectorOptions {
  readonly kinds: OwnerKinds;
  /** Those of its types that come and go. */
  readonly types: readonly ServedKind[];
  readonly logError: (text: string) => void;
}

/** So many batches of owners are orphaned at a time. */
const ORPHANING_MAX = 8;

export class GarbageCollector {
  readonly #ports: Ports;
  readonly #options: GarbageCollectorOptions;
  readonly #shards = new Map<string, ShardLink>();
  /** Those that may have objects with owners; all of them until they were gone through. */
  readonly #owning = new Set<string>();
  /** Shards whose objects are being gone through. */
  readonly #replaying = new Map<string, { owned: boolean }>();
  readonly #queue = new GarbageQueue();
  /** Owners that wait for their dependents to go, by uid. */
  readonly #waiting = new Map<string, WaitingOwner>();
  /** Types that have come while the server runs. */
  readonly #comesAndGoes = new Set<string>();
  /** Uids of objects of types that have gone, the last of them. */
  readonly #goneWithType = new Set<string>();
  /** Batches of owners whose dependents lose them. */
  readonly #orphaning = new TaskLimiter(ORPHANING_MAX);
  #isWorking = false;
  #stopping = false;

  /** Ports: `control`, and one for each shard whose objects are collected. */
  constructor(ports: Ports, options: GarbageCollectorOptions) {
    this.#ports = ports;
    this.#options = options;
  }

  /** Works until it is told to stop. */
  async run(): Promise<void> {
    const { kinds, types } = this.#options;
    for (const type of types) this.#know(type);
    for (const [resource, port] of shardPorts(this.#ports)) this.#addShard(resource, port);
    await runController(this.#ports, {
      begin: () => this.#wake(),
      stop: () => void (this.#stopping = true),
      onType: (type, port) => {
        this.#know(type);
        this.#addShard(type.resource, port);
        this.#wake();
      },
      onTypeChanged: (type) => kinds.set(type),
    });
    for (const link of this.#shards.values()) link.close();
    this.#queue.close();
  }

  #know(type: ServedKind): void {
    this.#options.kinds.set(type);
    this.#comesAndGoes.add(type.resource);
  }

  #addShard(resource: string, port: Port): void {
    const link: ShardLink = new Link<GarbageCalls, GarbageEvents>({
      peer: resource,
      port,
      sends: GARBAGE_VERBS,
      receives: GARBAGE_EVENTS,
      handlers: { ownershipChanged: (changes) => this.#changed(resource, changes) },
      onClose: () => {
        if (this.#shards.get(resource) === link) this.#dropShard(resource);
      },
    });
    this.#shards.set(resource, link);
    this.#owning.add(resource);
    this.#replaying.set(resource, { owned: false });
    this.#queue.replay(resource, '');
  }

  #noteGone(uid: string): void {
    this.#goneWithType.add(uid);
    if (this.#goneWithType.size <= GARBAGE_GONE_UIDS_MAX) return;
    const [oldest = ''] = this.#goneWithType;
    this.#goneWithType.delete(oldest);
  }

  /** A type has gone, and all of its objects before it. */
  #dropShard(resource: string): void {
    this.#shards.delete(resource);
    this.#owning.delete(resource);
    this.#replaying.delete(resource);
    this.#queue.drop(resource);
    this.#options.kinds.delete(resource);
    for (const [uid, owner] of this.#waiting) {
      if (owner.resource === resource) this.#waiting.delete(uid);
    }
  }

  #changed(resource: string, { gone, released, owned, awaiting }: OwnershipChanges): void {
    if (owned.length > 0) this.#owning.add(resource);
    for (const uid of gone) {
      this.#waiting.delete(uid);
      if (this.#comesAndGoes.has(resource)) this.#noteGone(uid);
      if (this.#owning.size > 0) this.#queue.gone.add(uid);
    }
    for (const uid of released) if (this.#waiting.has(uid)) this.#queue.counts.add(uid);
    this.#queue.lookAt(resource, owned);
    this.#queue.awaits(resource, awaiting);
    this.#wake();
  }

  #wake(): void {
    if (this.#isWorking) return;
    this.#isWorking = true;
    void this.#work();
  }

  async #work(): Promise<void> {
    for (let work = this.#queue.take(); work !== undefined; work = this.#queue.take()) {
      if (this.#stopping) return;
      try {
        await this.#round(work);
      } catch (error) {
        // The next start finds the work that a stop interrupts.
        if (this.#stopping) return;
        this.#queue.putBack(work);
        // A type has gone, and its objects with it; the rest of the round is done without it.
        if (error instanceof LinkClosedError) continue;
        this.#options.logError(`collecting garbage: ${(error as Error).message}`);
        await new Promise((resolve) => setTimeout(resolve, GARBAGE_RETRY_MS));
      }
    }
    this.#isWorking = false;
  }

  /** Rejects with what failed first, once all has ended; doing any of it again is harmless. */
  async #round({ gone, counts, awaiting, looks, replays }: Work): Promise<void> {
    const outcomes = await Promise.allSettled([
      this.#findDependents(gone),
      this.#releaseUnblocked(counts),
      this.#attendTo(awaiting),
      this.#lookAt(looks),
      ...replays.map(({ resource, after }) => this.#replay(resource, after)),
    ]);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  /** The next part of what a shard had at the start. */
  async #replay(resource: string, after: string): Promise<void> {
    // The type may have gone since it was put into the queue.
    if (!this.#shards.has(resource)) return;
    const page = await this.#link(resource).call('ownership', { after });
    this.#queue.lookAt(resource, page.owned);
    this.#queue.awaits(resource, page.awaiting);
    const replaying = this.#replaying.get(resource);
    if (replaying !== undefined && page.owned.length > 0) replaying.owned = true;
    if (page.after !== undefined) {
      this.#queue.replay(resource, page.after);
      return;
    }
    this.#replaying.delete(resource);
    if (replaying?.owned === false) this.#owning.delete(resource);
  }

  async #findDependents(owners: readonly string[]): Promise<void> {
    if (owners.length === 0) return;
    await this.#ofOwning(async (link, resource) => {
      this.#queue.lookAt(resource, await link.call('dependentKeys', { owners: [...owners] }));
    });
  }

  /** Lets the owners go that none of their dependents keeps waiting. */
  async #releaseUnblocked(owners: readonly string[]): Promise<void> {
    const waiting = owners.flatMap((uid) => this.#waiting.get(uid) ?? []);
    if (waiting.length === 0) return;
    const counts = await this.#dependentCounts(waiting.map(({ uid }) => uid));
    const free = waiting.filter((_owner, index) => counts[index]?.blocking === 0);
    await this.#release(free, 'dependents');
    for (const { uid } of free) this.#waiting.delete(uid);
  }

  /** Orphans the dependents of owners that wait for that, and looks at those of the others. */
  async #attendTo(batches: KeysByResource): Promise<void> {
    const attendLater: LookLater = (resource, keys) => this.#queue.awaits(resource, keys);
    const found = (await this.#candidates(batches, attendLater)).filter(
      ({ object }) => object.terminating,
    );
    const owners = found.map(({ resource, key, object }) => {
      const { uid, restores } = object;
      return { resource, key, uid, restores };
    });
    const orphaning = owners.filter((_owner, index) => found[index]?.object.hasOrphan);
    const waiting = owners.filter(
      (_owner, index) => found[index]?.object.hasForeground && !found[index]?.object.hasOrphan,
    );
    if (orphaning.length > 0) {
      void this.#orphaning.run(() => this.#orphan(orphaning));
    }
    for (const owner of waiting) {
      this.#waiting.set(owner.uid, owner);
      this.#queue.counts.add(owner.uid);
    }
    await this.#findDependents(waiting.map(({ uid }) => uid));
  }

  /** Not a part of the round, which would wait with it for the webhooks of all dependents. */
  async #orphan(owners: readonly WaitingOwner[]): Promise<void> {
    const uids = owners.map(({ uid }) => uid);
    const restores = Math.min(...owners.map((owner) => owner.restores));
    try {
      const done: boolean[] = [];
      await this.#ofOwning(async (link) => {
        done.push(await link.call('orphanDependents', { owners: uids, restores }));
      });
      if (done.includes(false)) this.#attendAgain(owners);
      else await this.#release(owners, 'orphaning');
    } catch (error) {
      if (this.#stopping) return;
      if (!(error instanceof LinkClosedError)) {
        this.#options.logError(`collecting garbage: ${(error as Error).message}`);
        await new Promise((resolve) => setTimeout(resolve, GARBAGE_RETRY_MS));
      }
      this.#attendAgain(owners);
    }
  }

  #attendAgain(owners: readonly WaitingOwner[]): void {
    for (const { resource, key } of owners) {
      if (this.#shards.has(resource)) this.#queue.awaits(resource, [key]);
    }
    this.#wake();
  }

  async #lookAt(batches: KeysByResource): Promise<void> {
    const lookLater: LookLater = (resource, keys) => this.#queue.lookAt(resource, keys);
    const candidates = (await this.#candidates(batches, lookLater)).filter(
      ({ object }) => !object.terminating && object.references.length > 0,
    );
    if (candidates.length === 0) return;
    const standings = await this.#standings(candidates);
    const decisions = candidates.map(({ object }, index) => decide(object, standings[index] ?? []));
    const open = candidates.filter((_one, index) => decisions[index]?.action === 'askDependents');
    const counts = await this.#dependentCounts(open.map(({ object }) => object.uid));
    open.forEach((candidate, index) => {
      const at = candidates.indexOf(candidate);
      decisions[at] = decide(candidate.object, standings[at] ?? [], counts[index]);
    });
    await this.#order(candidates, decisions);
  }

  /** Those for which there was no time are looked at later. */
  async #candidates(batches: KeysByResource, later: LookLater): Promise<Candidate[]> {
    const there = batches.filter(([resource]) => this.#shards.has(resource));
    const found = await Promise.all(
      there.map(async ([resource, keys]) => {
        const objects = await this.#link(resource).call('ownedObjects', { keys: [...keys] });
        later(resource, keys.slice(objects.length));
        return objects.flatMap((object, index): Candidate[] => {
          const key = keys[index];
          if (object === null || key === undefined) return [];
          const { references: referencesText, ...rest } = object;
          const references = (referencesText && JSON.parse(referencesText)) || [];
          return [{ resource, key, referencesText, object: { ...rest, references } }];
        });
      }),
    );
    return found.flat();
  }

  /** Tells how the owners of each candidate stand. Each owner is asked for once. */
  async #standings(candidates: readonly Candidate[]): Promise<OwnerStanding[][]> {
    const wanted = new Map<string, Set<string>>();
    const placesOf = candidates.map(({ key, object }) =>
      object.references.map((reference) => this.#place(reference, namespaceOf(key))),
    );
    for (const place of placesOf.flat()) {
      if (place === undefined) continue;
      const keys = wanted.get(place.resource);
      if (keys === undefined) wanted.set(place.resource, new Set([place.key]));
      else keys.add(place.key);
    }
    const states = new Map<string, { uid: string; waiting: boolean }>();
    await Promise.all(
      Array.from(wanted, async ([resource, set]) => {
        const keys = [...set];
        const answers = await this.#link(resource).call('ownerStates', { keys });
        answers.forEach((state, index) => states.set(`${resource} ${keys[index]}`, state));
      }),
    );
    return candidates.map(({ object }, at) =>
      object.references.map(({ uid }, index) => {
        const place = placesOf[at]?.[index];
        // Where its type has gone with it, nobody can be asked any more.
        if (place === undefined) return this.#goneWithType.has(uid) ? 'absent' : 'unknown';
        const state = states.get(`${place.resource} ${place.key}`);
        if (state?.uid !== uid) return 'absent';
        return state.waiting ? 'waiting' : 'solid';
      }),
    );
  }

  #place(reference: Reference, namespace: string): OwnerPlace | undefined {
    const place = this.#options.kinds.find(reference, namespace);
    return place !== undefined && this.#shards.has(place.resource) ? place : undefined;
  }

  async #order(candidates: readonly Candidate[], decisions: readonly Decision[]): Promise<void> {
    await Promise.all(
      Array.from(ordersOf(candidates, decisions), async ([resource, batch]) => {
        const done = await this.#link(resource).call('collect', [...batch]);
        const changed = batch.filter((_order, index) => done[index] === false);
        const keys = changed.map(({ key }) => key);
        this.#queue.lookAt(resource, keys);
      }),
    );
  }

  /** Counts dependents in all shards together. */
  async #dependentCounts(owners: string[]): Promise<DependentCounts[]> {
    const totals = owners.map(() => ({ count: 0, blocking: 0, someWait: false }));
    if (owners.length === 0) return totals;
    await this.#ofOwning(async (link) => {
      const counts = await link.call('dependentCounts', { owners });
      counts.forEach(({ count, blocking, someWait }, index) => {
        const total = totals[index];
        if (total === undefined) return;
        total.count += count;
        total.blocking += blocking;
        total.someWait ||= someWait;
      });
    });
    return totals;
  }

  async #release(
    owners: readonly WaitingOwner[],
    waited: 'orphaning' | 'dependents',
  ): Promise<void> {
    const there = owners.filter(({ resource }) => this.#shards.has(resource));
    const batches = Map.groupBy(there, ({ resource }) => resource);
    await Promise.all(
      Array.from(batches, async ([resource, objects]) => {
        const again = await this.#link(resource).call('release', { objects, waited });
        this.#queue.awaits(resource, again);
      }),
    );
  }

  async #ofOwning(ask: (link: ShardLink, resource: string) => Promise<unknown>): Promise<void> {
    const asked = Array.from(this.#owning, (resource) => ask(this.#link(resource), resource));
    await Promise.all(asked);
  }

  #link(resource: string): ShardLink {
    const link = this.#shards.get(resource);
    if (link === undefined) throw new LinkClosedError(`there is no link to ${resource}`);
    return link;
  }
}
