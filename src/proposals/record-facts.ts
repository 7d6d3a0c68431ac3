/** What a record says of an object beside its text. */
import {
  FOREGROUND_FINALIZER,
  ORPHAN_FINALIZER,
  storedManagedFields,
  type ObjectMeta,
} from '../semantics/metadata/object-meta.ts';
import { AWAITS, type OwnerLink, type RecordHeader } from '../storage/record.ts';

export type RecordFacts = Pick<
  RecordHeader,
  'labels' | 'owners' | 'awaits' | 'managedFieldsLength'
>;

/** The facts that metadata says, whose owners are text. */
export function recordFactsOf(metadata: ObjectMeta): RecordFacts {
  return {
    labels: metadata.labels,
    owners: ownersOf(metadata),
    awaits: awaitsOf(metadata),
    managedFieldsLength: storedManagedFields(metadata).length,
  };
}

/**
 * The owners that an object names, each once; undefined when it names none. Itself is none of them:
 * it could wait for itself for ever.
 */
export function ownersOf({ uid: own, ownerReferences }: ObjectMeta): OwnerLink[] | undefined {
  if (ownerReferences === undefined) return undefined;
  const blocking = new Map<string, boolean>();
  for (const { uid, blockOwnerDeletion } of ownerReferences) {
    if (uid === own) continue;
    blocking.set(uid, blockOwnerDeletion === true || blocking.get(uid) === true);
  }
  if (blocking.size === 0) return undefined;
  return Array.from(blocking, ([uid, blocks]) => ({ uid, blocks }));
}

/** Which finalizers of the collector an object has, as bits of `AWAITS`. */
export function collectorFinalizers({ finalizers }: ObjectMeta): number {
  if (finalizers === undefined) return AWAITS.nothing;
  let bits: number = AWAITS.nothing;
  if (finalizers.includes(ORPHAN_FINALIZER)) bits |= AWAITS.orphaning;
  if (finalizers.includes(FOREGROUND_FINALIZER)) bits |= AWAITS.dependents;
  return bits;
}

/** The finalizers of the collector that an object waits for: none unless it is terminating. */
export function awaitsOf(metadata: ObjectMeta): number {
  return metadata.deletionTimestamp === undefined ? AWAITS.nothing : collectorFinalizers(metadata);
}
