/** References to owners that an object has twice. */
import { deepEqual } from '../../base/deep-equal.ts';
import type { ObjectMeta, OwnerReference } from './object-meta.ts';

/**
 * Leaves each reference once in the metadata, in place; those to one owner that differ all stay.
 * Returns the warnings with one more when there were any, which has other words for a patch.
 */
export function dropDuplicateOwners(
  metadata: ObjectMeta,
  isPatch: boolean,
  warnings: readonly string[],
): readonly string[] {
  const { ownerReferences: sent } = metadata;
  if (sent === undefined || sent.length < 2) return warnings;
  const byUid = new Map<string, OwnerReference[]>();
  const duplicates: string[] = [];
  const kept = sent.filter((reference) => {
    const { uid } = reference;
    const known = byUid.get(uid);
    if (known?.some((other) => deepEqual(other, reference)) === true) {
      duplicates.push(uid);
      return false;
    }
    if (known === undefined) byUid.set(uid, [reference]);
    else known.push(reference);
    return true;
  });
  if (duplicates.length === 0) return warnings;
  metadata.ownerReferences = kept;
  const when = isPatch ? ' after mutating admission happens' : '';
  return [
    ...warnings,
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner ` +
      'references in 1.20+, and may reject such requests as early as 1.24; please fix your ' +
      `requests; duplicate UID(s) observed: ${duplicates.join(', ')}`,
  ];
}
