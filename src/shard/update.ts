/** update: PUT of an object, or of a part of it through a subresource (README.md#updates). */
import type { Answer } from '../actors/link.ts';
import type { ApiObject } from '../resources/kind.ts';
import { ownersOfUpdate, takeGivenOwners } from '../types/field-owners.ts';
import { prepareUpdate, type Track } from '../types/prepare-object.ts';
import { dropDuplicateOwners } from '../semantics/duplicate-owners.ts';
import { invalidObject, type FieldError } from '../semantics/field-error.ts';
import { storedManagedFields } from '../semantics/object-meta.ts';
import { isUnconditional, RESOURCE_VERSION_MISSING } from '../semantics/object-meta-validation.ts';
import { conflict, notFound, staleVersion } from '../semantics/status.ts';
import type { GroupResource, StatusError } from '../semantics/status.ts';
import { OPERATION, wireBytes } from '../storage/record.ts';
import { createObject, isPatch, refuseInvalid } from './create.ts';
import { inStoredVersion, kindOf, latestIn, replyWith, shownAs } from './converting.ts';
import { checkIdentity, decodeBody, type DecodedBody } from './decode-body.ts';
import { checkGrants } from './granting.ts';
import { stageRemoval } from './removal.ts';
import type { Representation } from './representation/representation.ts';
import { isHeld } from './plan-deletion.ts';
import { referenceKey } from './reference-key.ts';
import { parseResourceVersion } from './resource-version.ts';
import { splitKey } from './selection.ts';
import type { ResourceType } from '../types/resource-type.ts';
import type { Latest } from './latest.ts';
import type { Shard } from './shard.ts';
import type { ChangeRequest, ObjectReply, WriteRequest } from './shard-protocol.ts';
import { storageFailure } from './storage-failure.ts';
import { storedText } from './stored-text.ts';
import { objectReply, warned } from './object-reply.ts';
import { withResourceVersion } from './stored-text-edits.ts';
import { writerOf } from './record-owners.ts';

/** Throws StatusError 400, 404, 409 or 422; otherwise answers 200 or 201 after the commit. */
export function update(
  shard: Shard,
  request: WriteRequest,
  body: Uint8Array,
  answer: Answer<ObjectReply>,
): void {
  const kind = kindOf(shard, request);
  const { definition } = kind;
  const served = kind.servedAs(request);
  const decoded = decodeBody(served, body, request);
  const { object } = decoded;
  checkIdentity(definition, object, request);
  const warnings = dropDuplicateOwners(object.metadata, false, decoded.warnings);
  const key = shard.keyOf(request.namespace, request.name);
  warned(warnings, answer, (told) => {
    const identified = (): void => updateIdentified(shard, request, object, told);
    shard.writeSteps.next(told, identified, { key });
  });
}

/** `update` once it is known what is warned of, whatever becomes of the request. */
function updateIdentified(
  shard: Shard,
  request: WriteRequest,
  object: ApiObject,
  answer: Answer<ObjectReply>,
): void {
  const kind = kindOf(shard, request);
  const { definition } = kind;
  const key = shard.keyOf(request.namespace, request.name);
  const stored = latestIn(shard, key, kind);
  checkUid(shard, request, object, stored?.object.metadata.uid ?? '');
  const decoded: DecodedBody = { object, warnings: [] };
  if (stored === undefined) {
    if (!definition.putCreates || request.subresource !== '') {
      throw notFound(kind.version(request.version).resource, request.name);
    }
    createObject(shard, request, decoded, answer, undefined, { key, rv: 0 });
    return;
  }
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
  { object, warnings: found }: DecodedBody,
  stored: Latest,
  answer: Answer<ObjectReply>,
  track: Track = trackChange(shard, request, object, stored),
): void {
  const atFirst = dropDuplicateOwners(object.metadata, isPatch(request), found);
  warned(atFirst, answer, (told) => replacePrepared(shard, request, object, stored, told, track));
}

function replacePrepared(
  shard: Shard,
  request: ChangeRequest,
  object: ApiObject,
  stored: Latest,
  answer: Answer<ObjectReply>,
  track: Track,
): void {
  checkVersion(shard, request, object, stored);
  const { writeSteps } = shard;
  const kind = kindOf(shard, request);
  const key = shard.keyOf(request.namespace, request.name);
  const basis = { key, rv: stored.rv };
  // A Scale changes the object itself.
  const isScale = request.subresource === 'scale';
  const given = isScale ? kind.scale(request.version).merge(object, stored.object) : object;
  const part = isScale ? '' : request.subresource;
  const { version } = request;
  const updated = prepareUpdate(kind, given, stored.object, part, { version, track });
  checkGrants(shard, request, updated, stored.object);
  const check = (): void => {
    const { groupVersion } = kind.version(version);
    const errors = kind.validator.validateUpdate(updated, stored.object, part, groupVersion);
    refuseInvalid(shard, updated, errors);
    writeSteps.next(answer, write, basis);
  };
  const write = (): void => {
    if (part === '') allocate(shard, request, updated, stored.object);
    const { dryRun } = request;
    const representation = shard.representations.of(request);
    const warnings = updateWarnings(shard, request, updated, stored.object);
    const code = 200;
    const replacement = { kind, key, stored, updated, dryRun, code, representation, warnings };
    writeUpdate(shard, replacement, answer);
  };
  const isStatus = part === 'status';
  const ahead = isStatus ? undefined : shard.slowCheck(kind, updated);
  writeSteps.next(answer, check, basis, ahead);
}

/**
 * The entries that the client sent as managedFields, which are taken out of the object. They count
 * if they are valid.
 */
function trackChange(
  shard: Shard,
  request: ChangeRequest,
  object: ApiObject,
  { object: stored }: Latest,
): Track {
  const errors: FieldError[] = [];
  const given = takeGivenOwners(object, storedManagedFields(stored.metadata), errors);
  refuseInvalid(shard, object, errors);
  const writer = writerOf(shard, request);
  return (updated) => ownersOfUpdate(kindOf(shard, request), updated, stored, given, writer);
}

/** What no two objects of the kind may share. Throws StatusError 422. */
function allocate(
  shard: Shard,
  { dryRun }: ChangeRequest,
  updated: ApiObject,
  stored: ApiObject,
): void {
  const { allocator } = shard;
  if (allocator === undefined) return;
  refuseInvalid(shard, updated, allocator.allocate(updated, stored));
  if (dryRun) allocator.release(updated, stored);
}

/** What the kind says of an update of the object itself, which one of its scale is too. */
export function updateWarnings(
  { kind }: Shard,
  { subresource }: Pick<ChangeRequest, 'subresource'>,
  updated: ApiObject,
  stored: ApiObject,
): readonly string[] | undefined {
  if (subresource !== '' && subresource !== 'scale') return undefined;
  return kind.definition.updateWarnings?.(updated, stored);
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
    `StorageError: invalid object, Code: 4, Key: ${referenceKey(shard.kind.definition, key)}, ` +
    `ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${failed}`;
  return conflict(resource, name, why);
}

/** Optimistic concurrency (README.md#updates). */
function checkVersion(
  shard: Shard,
  request: ChangeRequest,
  { metadata }: ApiObject,
  stored: Latest,
): void {
  const { kind } = shard;
  if (isUnconditional(metadata)) {
    if (kind.definition.unconditionalUpdate || request.subresource === 'scale') return;
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
