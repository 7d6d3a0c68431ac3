/**
 * Decides about an object by the state of its owners: pure decisions, as those of the reference's
 * garbage collector (src/controllers/README.md#garbage-collection).
 */
import type { OwnerReference } from '../../semantics/metadata/object-meta.ts';
import type {
  DependentCounts,
  GarbageOrder,
  OwnedObject,
  PropagationPolicy,
} from '../../protocol/upkeep-protocol.ts';

export type Reference = Pick<OwnerReference, 'apiVersion' | 'kind' | 'name' | 'uid'>;

/**
 * An owner as its dependent has to see it. `solid`: it is there; `absent`: nothing of that name has
 * that uid; `waiting`: it goes once its dependents are gone; `unknown`: nobody can tell.
 */
export type OwnerStanding = 'solid' | 'absent' | 'waiting' | 'unknown';

/** The known facts of an object that has owners. */
export type Looked = Omit<OwnedObject, 'references'> & {
  readonly references: readonly Reference[];
};

/** An object that was looked at. */
export interface Candidate {
  readonly resource: string;
  readonly key: string;
  /** Its references as the shard wrote them. */
  readonly referencesText: string;
  readonly object: Looked;
}

export type Decision =
  | { readonly action: 'keep' }
  /** Its own dependents have to be known first. */
  | { readonly action: 'askDependents' }
  | { readonly action: 'removeReferences'; readonly owners: readonly string[] }
  | { readonly action: 'delete'; readonly policy: PropagationPolicy; readonly unblock: boolean };

const KEEP: Decision = { action: 'keep' };

/** `standings` are in the order of the references. */
export function decide(
  object: Looked,
  standings: readonly OwnerStanding[],
  dependents?: DependentCounts,
): Decision {
  // A terminating object is left alone; one that waits for its dependents is decided by them.
  if (object.terminating || object.references.length === 0) return KEEP;
  // One owner that cannot be judged protects the object.
  if (standings.includes('unknown')) return KEEP;
  if (standings.includes('solid')) {
    const owners = object.references
      .filter((_reference, index) => standings[index] !== 'solid')
      .map(({ uid }) => uid);
    return owners.length === 0 ? KEEP : { action: 'removeReferences', owners };
  }
  if (standings.includes('waiting')) {
    if (dependents === undefined) return { action: 'askDependents' };
    if (dependents.count > 0) {
      // If a dependent waits as well, the two may wait for each other.
      return { action: 'delete', policy: 'Foreground', unblock: dependents.someWait };
    }
  }
  return { action: 'delete', policy: policyOf(object), unblock: false };
}

/** Finalizers that the object already has say what its deletion means to its dependents. */
function policyOf({ hasOrphan, hasForeground }: Looked): PropagationPolicy {
  if (hasOrphan) return 'Orphan';
  return hasForeground ? 'Foreground' : 'Background';
}

/** The orders of what is decided, by resource. */
export function ordersOf(
  candidates: readonly Candidate[],
  decisions: readonly Decision[],
): ReadonlyMap<string, readonly GarbageOrder[]> {
  const orders = new Map<string, GarbageOrder[]>();
  candidates.forEach(({ resource, key, referencesText, object: { uid, restores } }, index) => {
    const decision = decisions[index];
    if (decision?.action !== 'delete' && decision?.action !== 'removeReferences') return;
    const order = { key, uid, restores, references: referencesText, ...decision };
    const same = orders.get(resource);
    if (same === undefined) orders.set(resource, [order]);
    else same.push(order);
  });
  return orders;
}
