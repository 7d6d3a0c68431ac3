/** update: PUT of an object, or of a part of it through a subresource (API-FACTS 3.3). */
import type { Answer } from '../actors/link.ts';
import type { ApiObject } from '../resources/kind.ts';
import { ownersOfUpdate, takeGivenOwners } from '../resources/field-owners.ts';
import { prepareUpdate, type Track } from '../resources/prepare-object.ts';
import { invalidObject, type FieldError } from '../semantics/field-error.ts';
import { managedFieldsText } from '../semantics/object-meta.ts';
import { isUnconditional, RESOURCE_VERSION_MISSING } from '../semantics/object-meta-validation.ts';
import { conflict, notFound, staleVersion } from '../semantics/status.ts';
import type { GroupResource, StatusError } from '../semantics/status.ts';
import { OPERATION, wireBytes } from '../storage/record.ts';
import { createObject, refuseInvalid } from './create.ts';
import { checkIdentity, decodeBody, type DecodedBody } from './decode-body.ts';
import { stageRemoval } from './removal.ts';
import type { Representation } from './representation/representation.ts';
import { isHeld } from './plan-deletion.ts';
import { parseResourceVersion } from './resource-version.ts';
import { splitKey } from './selection.ts';
import type { Latest, Shard } from './shard.ts';
import type { ChangeRequest, ObjectReply, WriteRequest } from './shard-protocol.ts';
import { storageFailure } from './storage-failure.ts';
import { storedText } from './stored-text.ts';
import { objectReply, withResourceVersion } from './wire.ts';
import { writerOf } from './writer.ts';

/** Throws StatusError 400, 404, 409 or 422; otherwise answers 200 or 201 after the commit. */
export function update(
  shard: Shard,
  request: WriteRequest,
  body: Uint8Array,
  answer: Answer<ObjectReply>,
): void {
  const { kind } = shard;
  const { definition } = kind;
  const shown = shard.kind.shown(request);
  const decoded = decodeBody(shown, body, request, shard.dialectOf(request));
  checkIdentity(definition, decoded.object, request);
  const key = shard.keyOf(request.namespace, request.name);
  const stored = shard.latest(key);
  if (stored === undefined) {
    if (!definition.putCreates || request.subresource !== '') {
      throw notFound(kind.version(request.version).resource, request.name);
    }
    checkUid(shard, request, decoded.object, '');
    createObject(shard, request, decoded, answer);
    return;
  }
  checkUid(shard, request, decoded.object, stored.object.metadata.uid ?? '');
  replace(shard, request, decoded, stored, answer);
}

/**
 * The part that PUT, patches and apply share: the object is decoded, or for the subresource `scale`
 * a Scale, and is the one of the request. `track` says whose its fields are then: what changes is
 * the request's manager's, where it is absent. Throws StatusError 409 or 422.
 */
export function replace(
  shard: Shard,
  request: ChangeRequest,
  { object, warnings }: DecodedBody,
  stored: Latest,
  answer: Answer<ObjectReply>,
  track: Track = trackChange(shard, request, object, stored),
): void {
  checkVersion(shard, request, object, stored);
  const updated = updatedObject(shard, request, object, stored, track);
  const key = shard.keyOf(request.namespace, request.name);
  const { dryRun } = request;
  const shown = shard.representations.of(request);
  writeUpdate(shard, { key, stored, updated, dryRun, code: 200, shown, warnings }, answer);
}

/** What the client sent as managedFields is taken out of the object, and counts as it is valid. */
function trackChange(
  shard: Shard,
  request: ChangeRequest,
  object: ApiObject,
  { object: stored }: Latest,
): Track {
  const errors: FieldError[] = [];
  const given = takeGivenOwners(object, managedFieldsText(stored.metadata), errors);
  refuseInvalid(shard, object, errors);
  const writer = writerOf(shard, request);
  return (updated) => ownersOfUpdate(shard.kind, updated, stored, given, writer);
}

/** The object that is to be written, valid. Throws StatusError 422. */
function updatedObject(
  shard: Shard,
  request: ChangeRequest,
  object: ApiObject,
  stored: Latest,
  track: Track,
): ApiObject {
  const { kind, allocator } = shard;
  // A Scale changes the object itself.
  const isScale = request.subresource === 'scale';
  const given = isScale && kind.scale ? kind.scale.merge(object, stored.object) : object;
  const part = isScale ? '' : request.subresource;
  const updated = prepareUpdate(kind, given, stored.object, part, track);
  const { groupVersion } = kind.version(request.version);
  const { validator } = kind;
  refuseInvalid(
    shard,
    updated,
    validator.validateUpdate(updated, stored.object, part, groupVersion),
  );
  if (part === '' && allocator !== undefined) {
    refuseInvalid(shard, updated, allocator.allocate(updated, stored.object));
    if (request.dryRun) allocator.release(updated, stored.object);
  }
  return updated;
}

/** A uid in the body is a precondition; '' stands for an object that does not exist. */
function checkUid(
  shard: Shard,
  { version, namespace, name }: WriteRequest,
  { metadata }: ApiObject,
  stored: string,
): void {
  const sent = metadata.uid ?? '';
  if (sent === '' || sent === stored) return;
  const { resource } = shard.kind.version(version);
  const failed = `UID in precondition: ${sent}, UID in object meta: ${stored}`;
  throw preconditionFailed(shard, resource, shard.keyOf(namespace, name), failed);
}

/** A 409 in the words of the reference's store; `failed` says what was not met. */
export function preconditionFailed(
  shard: Shard,
  resource: GroupResource,
  key: string,
  failed: string,
): StatusError {
  const [, name] = splitKey(key);
  const why =
    `StorageError: invalid object, Code: 4, Key: /registry/${shard.kind.key}/${key}, ` +
    `ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${failed}`;
  return conflict(resource, name, why);
}

/** Optimistic concurrency (API-FACTS 3.3 and 3.4). */
function checkVersion(
  shard: Shard,
  request: ChangeRequest,
  { metadata }: ApiObject,
  stored: Latest,
): void {
  const { kind } = shard;
  if (isUnconditional(metadata)) {
    if (kind.definition.unconditionalUpdate) return;
    // The reference names the resource type where the kind belongs.
    const { group, plural } = kind.definition;
    throw invalidObject(group, plural, request.name, [RESOURCE_VERSION_MISSING]);
  }
  if (parseResourceVersion(metadata.resourceVersion ?? '') !== stored.rv) {
    throw staleVersion(kind.version(request.version).resource, request.name);
  }
}

/** An object that replaces the stored one, ready to be written. */
export interface Replacement {
  readonly key: string;
  readonly stored: Latest;
  readonly updated: ApiObject;
  readonly dryRun: boolean;
  /** The HTTP status of the answer. */
  readonly code: number;
  /** What the answer shows of the object. */
  readonly shown: Pick<Representation, 'document'>;
  readonly warnings?: readonly string[];
}

/** For writers who do not look at the answer. */
export const UNSEEN: Pick<Representation, 'document'> = { document: () => [] };

/** Writes a prepared update: a no-op, a replacement, or the removal of a finalized object. */
export function writeUpdate(
  shard: Shard,
  { key, stored, updated, dryRun, shown, code, warnings = [] }: Replacement,
  answer: Answer<ObjectReply>,
): void {
  updated.metadata.resourceVersion = String(stored.rv);
  const wire = storedText(shard, updated, stored.object);
  const reply = (bytes: Uint8Array, rv: number): void =>
    answer.reply(objectReply(code, warnings), ...shown.document(bytes, shard.keptAs(rv)));
  const removed = isFinalized(updated);
  if (dryRun) {
    reply(Buffer.from(wire), 0);
    return;
  }
  if (wire === stored.wire && !removed) {
    replyUnchanged(shard, key, stored, answer, reply);
    return;
  }
  const failed = (error: Error): void => answer.fail(storageFailure(error));
  if (removed) {
    // What the update was given goes with it.
    shard.allocator?.release(updated, stored.object);
    // Answered with the object as it was updated, at its old version; watches get its last state,
    // which is the stored one: the update itself is never written.
    stageRemoval(shard, key, stored, () => reply(Buffer.from(wire), 0), failed);
    return;
  }
  stageUpdate(shard, { key, stored, updated }, wire, reply, failed);
}

/** Nothing is to be written; but what is there may itself still be on its way to the disk. */
export function replyUnchanged(
  shard: Shard,
  key: string,
  { wire, rv }: Latest,
  answer: Pick<Answer<ObjectReply>, 'fail'>,
  reply: (bytes: Uint8Array, rv: number) => void,
): void {
  shard.pipeline.afterPending(key, (error) => {
    if (error === undefined) reply(Buffer.from(wire), rv);
    else answer.fail(storageFailure(error));
  });
}

/** Stages a new version; `committed` is called with its bytes. */
export function stageUpdate(
  shard: Shard,
  { key, stored, updated }: Pick<Replacement, 'key' | 'stored' | 'updated'>,
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
    committed: hasAllocator
      ? releasing(shard, stored.object, updated, (bytes) => committed(bytes, rv))
      : (record) => committed(wireBytes(record), rv),
    failed,
  });
}

/** Apart, so that other writes do not hold on to both objects until they are committed. */
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

/** A terminating object that nothing holds back any more (SPEC Deletion with finalizers). */
function isFinalized(object: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = object.metadata;
  if (deletionTimestamp === undefined || (deletionGracePeriodSeconds ?? 0) !== 0) return false;
  return !isHeld(object);
}
