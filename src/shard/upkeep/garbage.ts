/**
 * The shard's work for the garbage collector (../README.md#deletion): says who owns whom as it is
 * committed, and carries out what the collector decides. Answers about owners and news of their end
 * keep their order on the link, so that an owner that was said to be there is told to be gone
 * later, and never the other way round.
 */
import type { Answer } from '../../actors/link.ts';
import { assert } from '../../base/assert.ts';
import { whenKnown } from '../../base/turns/when-known.ts';
import { decodeUtf8 } from '../../codec/text-body.ts';
import { GARBAGE_STEP_MS, OWNERSHIP_PAGE_ENTRIES } from '../../limits.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from '../../semantics/metadata/object-meta.ts';
import type { ObjectMeta, OwnerReference } from '../../semantics/metadata/object-meta.ts';
import type { StatusError } from '../../semantics/errors/status.ts';
import { AWAITS } from '../../storage/record.ts';
import { IMMORTAL_NAMESPACES } from '../../resources/core/namespace.ts';
import { deleteOrRefuse, GARBAGE_COLLECTOR, replaceStored } from './controller-writes.ts';
import type { ShardWriter } from './controller-writes.ts';
import type { Failed } from '../write/internal-write.ts';
import { deleteMany } from '../write/delete-many.ts';
import { collectorFinalizers } from '../../proposals/record-facts.ts';
import type { OwnerIndex } from '../table/owner-index.ts';
import { unmarked } from '../../types/conversion.ts';
import { PendingOrders } from './pending-orders.ts';
import type { RestoreState } from '../state/restore-state.ts';
import { metadataIn, type Latest } from '../log/latest.ts';
import { uidIn } from '../log/stored-text-edits.ts';
import { splitKey } from '../table/selection.ts';
import type { Shard } from '../state/shard.ts';
import type {
  DependentCounts,
  GarbageOrder,
  OwnedObject,
  OwnershipPage,
  OwnerState,
  ReleasedOwner,
} from '../../protocol/upkeep-protocol.ts';

export class Garbage {
  readonly #shard: Shard;
  readonly #writer: ShardWriter;
  readonly #owners: OwnerIndex;
  readonly #pending: PendingOrders;
  readonly #restores: RestoreState;

  /** `lookAgain` tells the collector to look at objects once more. */
  constructor(shard: Shard, lookAgain: (keys: readonly string[]) => void) {
    const { owners } = shard.table;
    assert(owners !== undefined, `${shard.kind.key} keeps no account of owners`);
    this.#shard = shard;
    this.#writer = { shard, user: GARBAGE_COLLECTOR };
    this.#owners = owners;
    this.#pending = new PendingOrders(shard, lookAgain);
    this.#restores = shard.restores;
  }

  /** A part of what has owners or waits, from the key on: after a start all of it is looked at. */
  ownership(after: string): OwnershipPage {
    const owned: string[] = [];
    const awaiting: string[] = [];
    let looked = 0;
    let last: string | undefined;
    this.#shard.table.scan({ from: after, to: undefined }, (entry) => {
      if (looked === OWNERSHIP_PAGE_ENTRIES) {
        last = entry.key;
        return false;
      }
      looked++;
      if (entry.owners !== undefined) owned.push(entry.key);
      if (entry.awaits !== undefined) awaiting.push(entry.key);
      return true;
    });
    return { owned, awaiting, ...(last !== undefined && { after: last }) };
  }

  /** The objects of the first of these keys, as many as there is time for: at least one. */
  ownedObjects(keys: readonly string[]): (OwnedObject | null)[] {
    const found: (OwnedObject | null)[] = [];
    const isTimeLeft = this.#newStep();
    for (const key of keys) {
      if (!isTimeLeft()) break;
      found.push(this.#ownedObject(key));
    }
    return found;
  }

  #ownedObject(key: string): OwnedObject | null {
    const entry = this.#shard.table.get(key);
    if (entry?.owners === undefined && entry?.awaits === undefined) return null;
    const metadata = this.#metadataAt(entry.rv);
    const finalizers = collectorFinalizers(metadata);
    return {
      uid: metadata.uid ?? '',
      references: referencesText(metadata),
      terminating: metadata.deletionTimestamp !== undefined,
      hasOrphan: (finalizers & AWAITS.orphaning) !== 0,
      hasForeground: (finalizers & AWAITS.dependents) !== 0,
      restores: this.#restores.number,
    };
  }

  /** Tells before each object of a step whether there is time for it: always for the first. */
  #newStep(): () => boolean {
    const endMs = this.#shard.nowMs() + GARBAGE_STEP_MS;
    let isFirst = true;
    return () => {
      const isTimeLeft = isFirst || this.#shard.nowMs() < endMs;
      isFirst = false;
      return isTimeLeft;
    };
  }

  ownerStates(keys: readonly string[]): OwnerState[] {
    return keys.map((key) => {
      // Committed state only: an owner whose deletion fails to commit is still there.
      const entry = this.#shard.table.get(key);
      if (entry === undefined) return { uid: '', waiting: false };
      const waiting = ((entry.awaits ?? AWAITS.nothing) & AWAITS.dependents) !== 0;
      return { uid: uidIn(this.#shard.wireAt(entry.rv)), waiting };
    });
  }

  dependentKeys(owners: readonly string[]): string[] {
    const keys = new Set<string>();
    for (const owner of owners) for (const key of this.#owners.keysOf(owner)) keys.add(key);
    return [...keys];
  }

  dependentCounts(owners: readonly string[]): DependentCounts[] {
    return owners.map((owner) => this.#owners.countsOf(owner));
  }

  /** Carries out orders, as many as there is time for: at least one. */
  collect(orders: readonly GarbageOrder[], answer: Answer<boolean[]>): void {
    let failure: unknown;
    const failed: Failed = (error) => void (failure ??= error);
    const isTimeLeft = this.#newStep();
    const done = orders.map((order) => isTimeLeft() && this.#take(order, failed));
    // An object that has changed since the collector looked may be part of a pending commit: the
    // collector hears of it afterwards.
    Promise.all([this.#pending.room(), this.#shard.pipeline.settled()]).then(
      () => (failure === undefined ? answer.reply(done) : answer.fail(failure)),
      (error: unknown) => answer.fail(error),
    );
  }

  /** Like `#carryOut`, but true for an order that is waited for. */
  #take(order: GarbageOrder, failed: Failed): boolean {
    let isLate = false;
    const done = this.#carryOut(order, (error) => {
      if (isLate) this.#pending.failed(order.key, error);
      else failed(error);
    });
    if (typeof done === 'boolean') return done;
    isLate = true;
    this.#pending.take(order.key, done);
    return true;
  }

  /** `restores` is the number of the restore after which the owners were looked at. */
  orphanDependents(owners: readonly string[], restores: number, answer: Answer<boolean>): void {
    if (this.#restores.isStale(restores)) return answer.reply(false);
    this.#orphan(new Set(owners)).then(
      () => answer.reply(true),
      (error: unknown) => answer.fail(error),
    );
  }

  async #orphan(owners: ReadonlySet<string>): Promise<void> {
    // Dependents that are being committed in this moment are dependents too.
    await this.#shard.pipeline.settled();
    await deleteMany(this.#shard, this.dependentKeys([...owners]), (key, failed) => {
      const stored = this.#shard.latest(key);
      if (stored === undefined) return true;
      return this.#removeReferences(key, stored, owners, failed);
    });
  }

  /**
   * Removes the finalizer that objects waited with, from each that still has that uid. Answers with
   * the keys of those that have to be looked at again.
   */
  release(
    objects: readonly ReleasedOwner[],
    waited: 'orphaning' | 'dependents',
    answer: Answer<readonly string[]>,
  ): void {
    const finalizer = waited === 'orphaning' ? ORPHAN_FINALIZER : FOREGROUND_FINALIZER;
    let failure: unknown;
    const failed: Failed = (error) => void (failure ??= error);
    const staged: Promise<boolean>[] = [];
    const stale = objects.filter(({ restores }) => this.#restores.isStale(restores));
    for (const { key, uid } of objects.filter((owner) => !stale.includes(owner))) {
      const stored = this.#shard.latest(key);
      if (stored?.object.metadata.uid !== uid) continue;
      const { finalizers } = stored.object.metadata;
      const kept = finalizers?.filter((one) => one !== finalizer);
      if (kept === undefined || kept.length === finalizers?.length) continue;
      const updated = withMetadata(stored, { finalizers: noneIfEmpty(kept) });
      staged.push(Promise.resolve(replaceStored(this.#writer, { key, stored, updated }, failed)));
    }
    const again = stale.map(({ key }) => key);
    const settled = Promise.all(staged).then(() => this.#shard.pipeline.settled());
    settled.then(
      () => (failure === undefined ? answer.reply(again) : answer.fail(failure)),
      (error: unknown) => answer.fail(error),
    );
  }

  /** False when the object has to be looked at again. */
  #carryOut(order: GarbageOrder, failed: Failed): boolean | Promise<boolean> {
    const shard = this.#shard;
    const { key, uid, references } = order;
    if (this.#restores.isStale(order.restores)) return false;
    const stored = shard.latest(key);
    // The object that now has this key is reported by its own writes.
    if (stored?.object.metadata.uid !== uid) return true;
    const { metadata } = stored.object;
    if (metadata.deletionTimestamp !== undefined) return false;
    if (referencesText(metadata) !== references) return false;
    if (order.action === 'removeReferences') {
      return this.#removeReferences(key, stored, new Set(order.owners), failed);
    }
    if (!order.unblock) return this.#delete(order, failed);
    const ownerReferences = metadata.ownerReferences?.map(unblocked);
    const updated = withMetadata(stored, { ownerReferences });
    const unblocking = replaceStored(this.#writer, { key, stored, updated }, failed);
    return whenKnown(unblocking, (isStaged) => !isStaged || this.#delete(order, failed));
  }

  #delete(
    { key, policy }: Extract<GarbageOrder, { action: 'delete' }>,
    failed: Failed,
  ): boolean | Promise<boolean> {
    // Nobody can delete some namespaces: that is no failure of the collector.
    const { emptiesNamespace } = this.#shard.kind.definition;
    if (emptiesNamespace && IMMORTAL_NAMESPACES.has(splitKey(key)[1])) {
      return true;
    }
    const told = (refusal: StatusError | undefined): boolean => {
      if (refusal !== undefined) failed(refusal);
      return true;
    };
    return whenKnown(deleteOrRefuse(this.#writer, key, policy, failed), told);
  }

  /** Always true: `failed` is told of what is not done. */
  #removeReferences(
    key: string,
    stored: Latest,
    owners: ReadonlySet<string>,
    failed: Failed,
  ): boolean | Promise<boolean> {
    const { ownerReferences = [] } = stored.object.metadata;
    const kept = ownerReferences.filter(({ uid }) => !owners.has(uid));
    if (kept.length === ownerReferences.length) return true;
    const updated = withMetadata(stored, { ownerReferences: noneIfEmpty(kept) });
    return whenKnown(replaceStored(this.#writer, { key, stored, updated }, failed), () => true);
  }

  /** The metadata of a live version, without decoding the rest of the object. */
  #metadataAt(rv: number): ObjectMeta {
    return metadataIn(decodeUtf8(unmarked(this.#shard.wireAt(rv)).members));
  }
}

/** A text that is equal for equal references. */
function referencesText({ ownerReferences }: ObjectMeta): string {
  if (ownerReferences === undefined) return '';
  return JSON.stringify(
    ownerReferences.map(({ apiVersion, kind, name, uid, blockOwnerDeletion = false }) => ({
      apiVersion,
      kind,
      name,
      uid,
      blockOwnerDeletion,
    })),
  );
}

function unblocked(reference: OwnerReference): OwnerReference {
  return reference.blockOwnerDeletion === true
    ? { ...reference, blockOwnerDeletion: false }
    : reference;
}

function withMetadata(
  { object }: Latest,
  members: Partial<Pick<ObjectMeta, 'finalizers' | 'ownerReferences'>>,
): ApiObject {
  return { ...object, metadata: { ...object.metadata, ...members } };
}

function noneIfEmpty<T>(list: T[]): T[] | undefined {
  return list.length === 0 ? undefined : list;
}
