/**
 * The calls of controllers to shards, and the events that they get: each on links of its own,
 * beside those of the front. Types only, besides the verb lists that both ends agree on. A
 * controller that is switched off has no links.
 */

/** A namespace as its controller knows it. */
export interface NamespaceState {
  readonly name: string;
  readonly state: 'active' | 'terminating';
}

/** The objects of one type that a terminating namespace still holds. */
export interface NamespaceContent {
  /** False when it does not terminate: it is gone, or was made anew. */
  readonly terminating: boolean;
  readonly remaining: number;
  /** The number of objects that each finalizer holds. */
  readonly finalizers: Readonly<Record<string, number>>;
}

export interface NamespaceCondition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

export interface NamespaceUpkeepCalls {
  /** Deletes what a terminating namespace holds; answers what is left. */
  emptyNamespace: { request: { namespace: string }; reply: NamespaceContent };
  /** For the shard of namespaces: removes its own finalizer from an emptied namespace. */
  finalizeNamespace: { request: { name: string }; reply: undefined };
  /** For the shard of namespaces: says in the status of a terminating one what holds it up. */
  setConditions: {
    request: { name: string; conditions: NamespaceCondition[] };
    reply: undefined;
  };
  /** For the shard of namespaces: all of them as they are. */
  namespaceStates: { request: undefined; reply: NamespaceState[] };
}

export const NAMESPACE_UPKEEP_VERBS = [
  'emptyNamespace',
  'finalizeNamespace',
  'setConditions',
  'namespaceStates',
] as const satisfies readonly (keyof NamespaceUpkeepCalls)[];

export interface NamespaceUpkeepEvents {
  /** From the shard of namespaces: one begins to terminate. */
  namespaceTerminating: { request: { name: string }; reply: undefined };
}

export const NAMESPACE_UPKEEP_EVENTS = [
  'namespaceTerminating',
] as const satisfies readonly (keyof NamespaceUpkeepEvents)[];

/** The changes that one commit made to ownership. */
export interface OwnershipChanges {
  /** Uids of objects that are gone. */
  readonly gone: readonly string[];
  /** Uids of owners that a dependent let go: gone itself, or without the reference or its block. */
  readonly released: readonly string[];
  /** Keys of objects with owner references that are new or changed. */
  readonly owned: readonly string[];
  /** Keys of objects that wait for the collector now. */
  readonly awaiting: readonly string[];
}

/** A part of what the collector has to know after a start. */
export interface OwnershipPage extends Pick<OwnershipChanges, 'owned' | 'awaiting'> {
  /** Where the next part begins; absent from the last one. */
  readonly after?: string;
}

/** An object as the collector looks at it. */
export interface OwnedObject {
  readonly uid: string;
  /** Its owner references as JSON; '' for none. */
  readonly references: string;
  readonly terminating: boolean;
  /** Set when its dependents are to be orphaned. */
  readonly hasOrphan: boolean;
  /** Set when it is deleted in the foreground, after its dependents. */
  readonly hasForeground: boolean;
  /** The number of the last restore of a snapshot before that. */
  readonly restores: number;
}

export interface OwnerState {
  /** '' when there is no such object. */
  readonly uid: string;
  /** It is terminating and waits until its dependents are gone. */
  readonly waiting: boolean;
}

/** The dependents of one owner in one shard. */
export interface DependentCounts {
  readonly count: number;
  /** The number of dependents that keep an owner waiting, which is deleted in the foreground. */
  readonly blocking: number;
  /** Whether any waits for dependents of its own. */
  readonly someWait: boolean;
}

export type PropagationPolicy = 'Background' | 'Foreground' | 'Orphan';

/** An owner that is not to wait any more, as it was looked at. */
export interface ReleasedOwner extends Pick<OwnedObject, 'uid' | 'restores'> {
  readonly key: string;
}

/** An order of the collector, which is carried out only if the object has not changed since. */
export type GarbageOrder = Pick<OwnedObject, 'uid' | 'references' | 'restores'> & {
  readonly key: string;
} & (
    | { readonly action: 'removeReferences'; readonly owners: readonly string[] }
    | {
        readonly action: 'delete';
        readonly policy: PropagationPolicy;
        /** Its owners stop waiting for it, because they may form a ring. */
        readonly unblock: boolean;
      }
  );

export interface GarbageCalls {
  ownership: { request: { after: string }; reply: OwnershipPage };
  /**
   * As they are committed, in the order of the keys; null for what has no owners or is gone. Of the
   * first keys, where there is no time for all.
   */
  ownedObjects: { request: { keys: string[] }; reply: (OwnedObject | null)[] };
  /** The states of owners, in the order of the keys; of the first ones, where time is short. */
  ownerStates: { request: { keys: string[] }; reply: OwnerState[] };
  /** The keys of all dependents of these owners. */
  dependentKeys: { request: { owners: string[] }; reply: string[] };
  /** In the order of the owners. */
  dependentCounts: { request: { owners: string[] }; reply: DependentCounts[] };
  /**
   * Answers once all is committed: for each order whether there was time for it, and the object was
   * as it was looked at.
   */
  collect: { request: GarbageOrder[]; reply: boolean[] };
  /**
   * Removes the references to these owners from all of their dependents. False where a snapshot was
   * restored since the owners were looked at.
   */
  orphanDependents: { request: { owners: string[]; restores: number }; reply: boolean };
  /**
   * Removes the finalizer of objects that waited for this; those without another one are removed.
   * Answers with the keys of those that have to be looked at again.
   */
  release: {
    request: { objects: readonly ReleasedOwner[]; waited: 'orphaning' | 'dependents' };
    reply: readonly string[];
  };
}

export const GARBAGE_VERBS = [
  'ownership',
  'ownedObjects',
  'ownerStates',
  'dependentKeys',
  'dependentCounts',
  'collect',
  'orphanDependents',
  'release',
] as const satisfies readonly (keyof GarbageCalls)[];

export interface GarbageEvents {
  /** Told after a commit, and after the answers to what was asked before it. */
  ownershipChanged: { request: OwnershipChanges; reply: undefined };
}

export const GARBAGE_EVENTS = [
  'ownershipChanged',
] as const satisfies readonly (keyof GarbageEvents)[];

export interface ExpiryCalls {
  /** Removes objects last written at that time or before, in steps; answers how many. */
  expire: { request: { writtenUntilMs: number }; reply: { expired: number } };
}

export const EXPIRY_VERBS = ['expire'] as const satisfies readonly (keyof ExpiryCalls)[];

/** The events of a link on which the other side tells nothing. */
export type NoEvents = Record<never, never>;
