/**
 * Writes in a version that a webhook converts to: the stored object as one of that version, and
 * what becomes of it as it is to be stored (src/types/README.md#conversion).
 */
import { deepEqual } from '../../base/deep-equal.ts';
import type { ApiObject } from '../../resources/kind.ts';
import type { ResourceType } from '../../types/resource-type.ts';
import { latestOf } from '../log/latest.ts';
import type { Latest } from '../log/latest.ts';
import type { Shard } from '../state/shard.ts';
import { storedManagedFields } from '../../semantics/metadata/object-meta.ts';
import { whenConverted, type Steps } from '../../proposals/steps.ts';
import { type Write } from './write.ts';

/**
 * The newest state of an object as one of that type, of which `kindOf` tells: the write rests on
 * it.
 */
export function* latestIn(
  write: Write,
  key: string,
  kind: ResourceType,
): Steps<Latest | undefined> {
  return yield* whenConverted(() => latestAs(write, key, kind));
}

/** Throws ConversionNeeded. */
function latestAs(write: Write, key: string, kind: ResourceType): Latest | undefined {
  const { shard } = write;
  const latest = write.latest(key);
  const { conversion, groupVersion, codec } = kind.stored;
  if (latest === undefined || conversion === undefined) return latest;
  const from = latest.markedAs === '' ? shard.kind.stored.groupVersion : latest.markedAs;
  // A write by a client is stored in the current form, whatever form the record before had.
  if (from === groupVersion) return { ...latest, writtenAs: undefined };
  const object = conversion.converted(latest.object, from);
  const managedFieldsLength = storedManagedFields(latest.object.metadata).length;
  const wire = codec.encode(object);
  return latestOf(kind, { rv: latest.rv, wire, managedFieldsLength, markedAs: groupVersion });
}

/**
 * An object of a type that `kindOf` tells of as it is to be stored, in the place of `before` if
 * there is one. What is recorded of it beside its text can be told then (`Shard.stage`).
 */
export function* inStoredVersion(
  shard: Shard,
  kind: ResourceType,
  object: ApiObject,
  before?: ApiObject,
): Steps<ApiObject> {
  const { conversion } = shard.kind.stored;
  if (conversion === undefined) return object;
  const from = kind.stored.groupVersion;
  const stored =
    kind === shard.kind ? object : yield* whenConverted(() => conversion.stored(object, from));
  if (before === undefined || !deepEqual(membersOf(before), membersOf(stored), true)) {
    yield* whenConverted(() => shard.kind.fieldsOf(stored));
  }
  return stored;
}

function membersOf({ metadata: _metadata, ...members }: ApiObject): object {
  return members;
}
