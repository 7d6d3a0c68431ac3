/** An apply of the Scale of a custom object (../../semantics/fields/README.md#apply). */
import type { ApiObject } from '../../resources/kind.ts';
import { serverFailure } from '../../semantics/errors/status.ts';
import type { ApplyInput } from '../../semantics/fields/apply.ts';
import { checkDocument } from '../../semantics/fields/check-document.ts';
import {
  intersection,
  isEmptySet,
  setOfPaths,
  type FieldSet,
} from '../../semantics/fields/field-set.ts';
import { parseManagedFields, type ManagedEntry } from '../../semantics/fields/managed-fields.ts';
import { fieldElement } from '../../semantics/fields/path-element.ts';
import { storedManagedFields } from '../../semantics/metadata/object-meta.ts';
import { parseDocument } from '../../semantics/patch/document.ts';
import type { Members } from '../../codec/model/schema-model.ts';
import type { ServedScale } from '../../types/served-version.ts';
import type { Latest } from '../log/latest.ts';
import { appliedTo, objectText, typed } from './applied-object.ts';

const NOT_CONVERTED =
  'to proper version: request to convert CR to an invalid group/version: autoscaling/v1';
const REPLICAS = setOfPaths([['spec', 'replicas'].map(fieldElement)]);

/**
 * Throws StatusError 409 or 500 for a Scale that would change the object, as the reference cannot
 * write one; otherwise it is the object's already.
 */
export function refuseCustomScale(
  served: ServedScale,
  replicasPath: readonly string[],
  sent: Members,
  stored: Latest,
  { writer, force }: Pick<ApplyInput, 'writer' | 'force'>,
): void {
  const owned = setOfPaths([replicasPath.map(fieldElement)]);
  const entries = ownersOf(stored.object, owned);
  if (entries.length === 0) {
    const why = `failed to convert live object (/; autoscaling/v1, Kind=Scale) ${NOT_CONVERTED}`;
    throw serverFailure(`failed to create manager for existing fields: ${why}`);
  }
  const live = parseDocument(served.documentText(stored.wire)) as Members;
  const { document } = typed(served, sent, () => {
    checkDocument(served.fieldTypes, sent);
    return appliedTo({
      live,
      config: sent,
      entries,
      writer: { ...writer, apiVersion: served.groupVersion },
      force,
      versions: { typeOf: () => served.fieldTypes, convert: (one) => one },
      ownable: {},
      emptyObject: {},
    });
  });
  if (document === live) return;
  const what = objectText(served, sent);
  throw serverFailure(`failed to convert new object (${what}) ${NOT_CONVERTED}`);
}

/** Who owns the replicas, as owners of those of the Scale. */
function ownersOf({ metadata }: ApiObject, owned: FieldSet): readonly ManagedEntry[] {
  return parseManagedFields(storedManagedFields(metadata))
    .filter(({ fields }) => !isEmptySet(intersection(fields, owned)))
    .map((entry) => ({ ...entry, apiVersion: 'autoscaling/v1', fields: REPLICAS }));
}
