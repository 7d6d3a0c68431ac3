/** The write of an object that is prepared and checked, in the place of the stored one. */
import type { Answer } from '../actors/link.ts';
import type { ApiObject } from '../resources/kind.ts';
import type { ResourceType } from '../types/resource-type.ts';
import { OPERATION, wireBytes } from '../storage/record.ts';
import { inStoredVersion, replyWith, shownAs } from './converting.ts';
import type { Latest } from './latest.ts';
import { objectReply } from './object-reply.ts';
import { isHeld } from './plan-deletion.ts';
import { stageRemoval } from './removal.ts';
import type { Representation } from './representation/representation.ts';
import type { Shard } from './shard.ts';
import type { ObjectReply } from './shard-protocol.ts';
import { storageFailure } from './storage-failure.ts';
import { storedText } from './stored-text.ts';
import { withResourceVersion } from './stored-text-edits.ts';

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
export const UNSEEN: Pick<Representation, 'document'> = { document: () => [] };

/** Writes a prepared update: a no-op, a replacement, or the removal of a finalized object. */
export function writeUpdate(
  shard: Shard,
  replacement: Replacement,
  answer: Answer<ObjectReply>,
): void {
  const { kind = shard.kind, key, stored, updated, dryRun } = replacement;
  const { representation, code, warnings } = replacement;
  updated.metadata.resourceVersion = String(stored.rv);
  const wire = storedText(shard, updated, stored.object);
  const reply = (bytes: Uint8Array, rv: number): void =>
    replyWith(answer, objectReply(code, warnings), () =>
      representation.document(bytes, shard.keptAs(rv)),
    );
  const removed = isFinalized(updated);
  if (dryRun) {
    if (kind === shard.kind) {
      reply(shownAs(stored.markedAs, wire), 0);
      return;
    }
    inStoredVersion(shard, { kind, key, rv: stored.rv }, updated, answer, (its) => {
      reply(Buffer.from(storedText(shard, its)), 0);
    });
    return;
  }
  const isStale = stored.writtenAs === undefined && shard.isStale(stored.rv);
  if (wire === stored.wire && !removed && !isStale) {
    replyUnchanged(shard, key, stored, answer, reply);
    return;
  }
  const failed = (error: Error): void => answer.fail(storageFailure(error));
  if (removed) {
    // What was allocated for the update is released with it.
    shard.allocator?.release(updated, stored.object);
    // Answered with the object as it was updated, at its old version; watches get its last state,
    // which is the stored one: the update itself is never written.
    // A closure with `wire` in it would keep the text of each update alive until the commit.
    const shown = shownAs(stored.markedAs, wire);
    const last = kind === shard.kind ? stored : (shard.latest(key) ?? stored);
    stageRemoval(shard, key, last, () => reply(shown, 0), failed);
    return;
  }
  if (kind === shard.kind) {
    stageUpdate(shard, { key, stored, updated }, wire, reply, failed);
    return;
  }
  inStoredVersion(shard, { kind, key, rv: stored.rv }, updated, answer, (its) => {
    const text = storedText(shard, its, stored.object);
    stageUpdate(shard, { key, stored: { rv: stored.rv }, updated: its }, text, reply, failed);
  });
}

/** Nothing is written. The answer waits until the version that it shows is committed. */
export function replyUnchanged(
  shard: Shard,
  key: string,
  { wire, rv, markedAs }: Latest,
  answer: Pick<Answer<ObjectReply>, 'fail'>,
  reply: (bytes: Uint8Array, rv: number) => void,
): void {
  shard.pipeline.afterPending(key, (error) => {
    if (error === undefined) reply(shownAs(markedAs, wire), rv);
    else answer.fail(storageFailure(error));
  });
}

interface StagedUpdate extends Pick<Replacement, 'key' | 'updated'> {
  readonly stored: Pick<Latest, 'rv'> & Partial<Pick<Latest, 'object' | 'writtenAs'>>;
}

/** Stages a new version; `committed` is called with its bytes. */
export function stageUpdate(
  shard: Shard,
  { key, stored, updated }: StagedUpdate,
  wire: string,
  committed: (bytes: Uint8Array, rv: number) => void,
  failed: (error: Error) => void,
): void {
  const rv = shard.clock.take();
  const hasAllocator = shard.kind.definition.newAllocator !== undefined;
  shard.stage({
    operation: OPERATION.modified,
    rv,
    key,
    previousRv: stored.rv,
    object: updated,
    wire: withResourceVersion(wire, rv),
    writtenAs: stored.writtenAs,
    committed:
      hasAllocator && stored.object
        ? releasing(shard, stored.object, updated, (bytes) => committed(bytes, rv))
        : (record) => committed(shard.writtenWire(record), rv),
    failed,
  });
}

/**
 * A function of its own, so that the closures of other writes do not keep both objects alive until
 * the commit.
 */
function releasing(
  shard: Shard,
  stored: ApiObject,
  updated: ApiObject,
  committed: (bytes: Uint8Array) => void,
): (record: Buffer) => void {
  return (record) => {
    shard.allocator?.release(stored, updated);
    committed(wireBytes(record));
  };
}

/** A terminating object that nothing holds back any more (README.md#deletion). */
function isFinalized(object: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = object.metadata;
  if (deletionTimestamp === undefined || (deletionGracePeriodSeconds ?? 0) !== 0) return false;
  return !isHeld(object);
}
