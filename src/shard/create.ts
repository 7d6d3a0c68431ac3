/** create: a new object from a POST, or from a PUT of a kind that allows it (API-FACTS 3.2). */
import type { Answer } from '../actors/link.ts';
import { utcSeconds } from '../base/utc-time.ts';
import type { ApiObject } from '../resources/kind.ts';
import { ownersOfNew, takeGivenOwners } from '../resources/field-owners.ts';
import { prepareCreate, settleNamespace, type Track } from '../resources/prepare-object.ts';
import { invalidObject, type FieldError } from '../semantics/field-error.ts';
import { isUnconditional } from '../semantics/object-meta-validation.ts';
import { alreadyExists, badRequest, generatedNameTaken } from '../semantics/status.ts';
import { OPERATION, wireBytes } from '../storage/record.ts';
import { decodeBody, type DecodedBody } from './decode-body.ts';
import type { Shard } from './shard.ts';
import type { ChangeRequest, ObjectReply, WriteRequest } from './shard-protocol.ts';
import { refusedWhenSettled, storageFailure } from './storage-failure.ts';
import { storedText } from './stored-text.ts';
import { objectReply } from './wire.ts';
import { writerOf } from './writer.ts';

/** Throws StatusError 400, 403, 404, 409 or 422; otherwise answers 201 after the commit. */
export function create(
  shard: Shard,
  request: WriteRequest,
  body: Uint8Array,
  answer: Answer<ObjectReply>,
): void {
  const decoded = decodeBody(
    shard.kind.version(request.version),
    body,
    request,
    shard.dialectOf(request),
  );
  const { object } = decoded;
  settleNamespace(object, shard.kind.definition.namespaced ? request.namespace : '');
  if (!isUnconditional(object.metadata)) {
    throw badRequest('resourceVersion should not be set on objects to be created');
  }
  createObject(shard, request, decoded, answer);
}

/**
 * The part that POST, creating PUT and creating apply share: the object is decoded and in its
 * namespace. `track` says whose its fields are: the request's manager's, where it is absent.
 */
export function createObject(
  shard: Shard,
  request: ChangeRequest,
  { object, warnings }: DecodedBody,
  answer: Answer<ObjectReply>,
  track: Track = trackNew(shard, request, object),
): void {
  const { kind, allocator } = shard;
  const { metadata } = object;
  const shown = kind.version(request.version);
  const { resource } = shown;
  if (kind.definition.namespaced) {
    shard.namespaces.checkCreate(request.namespace, resource, metadata.name ?? '');
  }
  const creationTimestamp = utcSeconds(shard.nowMs());
  const { user } = request;
  const generated = prepareCreate(kind, object, {
    uid: shard.newUid(),
    creationTimestamp,
    user,
    track,
  });
  refuseInvalid(shard, object, kind.validator.validateCreate(object, shown.groupVersion));

  const name = metadata.name ?? '';
  const key = shard.keyOf(request.namespace, name);
  if (shard.exists(key)) {
    refusedWhenSettled(shard, key, answer, () => {
      if (generated) throw generatedNameTaken(resource, name);
      const terminating = shard.latest(key)?.object.metadata.deletionTimestamp !== undefined;
      throw alreadyExists(resource, name, terminating);
    });
    return;
  }
  if (allocator !== undefined) refuseInvalid(shard, object, allocator.allocate(object, undefined));
  const reply = objectReply(201, warnings);
  const representation = shard.representations.of(request);
  if (request.dryRun) {
    const wire = Buffer.from(storedText(shard, object));
    allocator?.release(object, undefined);
    answer.reply(reply, ...representation.document(wire, 0));
    return;
  }
  const rv = shard.clock.take();
  metadata.resourceVersion = String(rv);
  shard.stage({
    operation: OPERATION.added,
    rv,
    key,
    previousRv: 0,
    object,
    wire: storedText(shard, object),
    committed: (record) =>
      answer.reply(reply, ...representation.document(wireBytes(record), shard.keptAs(rv))),
    failed: (error) => answer.fail(storageFailure(error)),
  });
}

/** What the client sent as managedFields is taken out of the object, and counts as it is valid. */
function trackNew(shard: Shard, request: ChangeRequest, object: ApiObject): Track {
  const errors: FieldError[] = [];
  const given = takeGivenOwners(object, '', errors);
  refuseInvalid(shard, object, errors);
  const writer = writerOf(shard, request);
  return (defaulted) => ownersOfNew(shard.kind, defaulted, given, writer);
}

/** Throws StatusError 422 when there are errors. */
export function refuseInvalid(shard: Shard, { metadata }: ApiObject, errors: FieldError[]): void {
  if (errors.length === 0) return;
  const { group, kind } = shard.kind.definition;
  throw invalidObject(group, kind, metadata.name ?? '', errors);
}
