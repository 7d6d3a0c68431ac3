/** The write of an object that is prepared and checked, in the place of the stored one. */
import type { ApiObject } from '../../resources/kind.ts';
import { OPERATION } from '../../storage/record.ts';
import type { ResourceType } from '../../types/resource-type.ts';
import { shownAs } from '../read/converting.ts';
import type { Latest } from '../log/latest.ts';
import { hasFinalizers } from './plan-deletion.ts';
import type { Representation } from '../representation/representation.ts';
import type { Shard } from '../state/shard.ts';
import { shownObject, writtenObject } from './answer-body.ts';
import { inStoredVersion } from './in-version.ts';
import { objectReply } from './object-reply.ts';
import { releasing, removal } from './removal.ts';
import { storedText } from '../../proposals/stored-text.ts';
import { withResourceVersion } from '../log/stored-text-edits.ts';
import type { Change, ObjectChange } from '../state/change.ts';
import type { Steps } from '../../proposals/steps.ts';
import type { Outcome, Write } from './write.ts';

/** An object that replaces the stored one, ready to be written. */
export interface Replacement {
  /** The type as `kindOf` tells of it, where the object is in another version than is stored. */
  readonly kind?: ResourceType;
  readonly key: string;
  readonly stored: Latest;
  readonly updated: ApiObject;
  readonly dryRun: boolean;
  /** The HTTP status of the answer. */
  readonly code: number;
  /** Writes the object in the answer. */
  readonly representation: Pick<Representation, 'document'>;
  readonly warnings?: readonly string[] | undefined;
}

/** For writers who do not look at the answer. */
export const NO_DOCUMENT: Pick<Representation, 'document'> = { document: () => [] };

/** A no-op, a replacement, or the removal of an object that nothing holds back any more. */
export function* replaceObject(write: Write, replacement: Replacement): Steps<Outcome> {
  const { shard } = write;
  const { kind = shard.kind, key, stored, updated, dryRun, representation } = replacement;
  const reply = objectReply(replacement.code, replacement.warnings);
  updated.metadata.resourceVersion = String(stored.rv);
  const wire = storedText(shard, updated);
  const isStored = kind === shard.kind;
  if (dryRun) {
    const shown = isStored
      ? shownAs(stored.markedAs, wire)
      : Buffer.from(storedText(shard, yield* inStoredVersion(shard, kind, updated)));
    return { changes: [], reply, body: shownObject(representation, shown) };
  }
  const removes = isFinalized(updated);
  const isStale = stored.writtenAs === undefined && shard.isStale(stored.rv);
  if (wire === stored.wire && !removes && !isStale) {
    return { ...unchanged(shard, stored, representation), reply };
  }
  if (removes) {
    // Addresses that were allocated for the update are released with it.
    shard.allocator?.release(updated, stored.object);
    void shard.allocator?.giveBack?.(updated, stored.object);
    // Answered with the object as it was updated, at its old version; watches get its last state,
    // which is the stored one: the update itself is never written.
    const last = isStored ? stored : (shard.latest(key) ?? stored);
    const body = shownObject(representation, shownAs(stored.markedAs, wire));
    return { changes: [removal(shard, key, last)], reply, body };
  }
  const change = yield* isStored
    ? modifiedInPlace(shard, replacement, wire)
    : modifiedInStoredVersion(shard, kind, replacement);
  return { changes: [change], reply, body: writtenObject(shard, representation, change.rv) };
}

/** Nothing is written. The answer waits until the version that it shows is committed. */
export function unchanged(
  shard: Shard,
  { wire, rv, markedAs }: Latest,
  representation: Pick<Representation, 'document'>,
): Omit<Outcome, 'reply'> {
  const body = shownObject(representation, shownAs(markedAs, wire), shard.keptAs(rv));
  return { changes: [], isPending: true, body };
}

/** A new version of an object, with that text. */
export function modified(
  shard: Shard,
  key: string,
  { rv: previousRv, object: stored, writtenAs }: Pick<Latest, 'rv' | 'object' | 'writtenAs'>,
  object: ApiObject,
  wire: string,
): ObjectChange {
  const rv = shard.clock.take();
  const text = withResourceVersion(wire, rv);
  const release = releasing(shard, stored, object);
  const operation = OPERATION.modified;
  return { operation, rv, key, previousRv, object, wire: text, writtenAs, release };
}

function* modifiedInPlace(
  shard: Shard,
  { key, stored, updated }: Replacement,
  wire: string,
): Steps<Change> {
  yield* inStoredVersion(shard, shard.kind, updated, stored.object);
  return modified(shard, key, stored, updated, wire);
}

/** The change to an object in a version that is not stored: such kinds allocate nothing. */
function* modifiedInStoredVersion(
  shard: Shard,
  kind: ResourceType,
  { key, stored: { rv, object: before }, updated }: Replacement,
): Steps<Change> {
  const object = yield* inStoredVersion(shard, kind, updated, shard.latest(key)?.object);
  const wire = storedText(shard, object);
  return modified(shard, key, { rv, object: before }, object, wire);
}

/** A terminating object that nothing holds back any more (../README.md#deletion). */
function isFinalized(object: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = object.metadata;
  if (deletionTimestamp === undefined || (deletionGracePeriodSeconds ?? 0) !== 0) return false;
  return !hasFinalizers(object);
}
