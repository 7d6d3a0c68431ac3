/**
 * create: a new object from a POST, or from a PUT of a kind that allows it
 * (src/resources/README.md#create).
 */
import type { Answer } from '../actors/link.ts';
import { isAtMost } from '../base/decimal.ts';
import { utcSeconds } from '../base/utc-time.ts';
import type { ApiObject } from '../resources/kind.ts';
import { ownerErrors, ownersOfNew, takeGivenOwners } from '../types/field-owners.ts';
import {
  prepareCreate,
  proposeCreate,
  settleNamespace,
  type Track,
} from '../types/prepare-object.ts';
import { dropDuplicateOwners } from '../semantics/duplicate-owners.ts';
import { invalidObject, type FieldError } from '../semantics/field-error.ts';
import type { ObjectMeta } from '../semantics/object-meta.ts';
import { userOfText } from '../semantics/user.ts';
import { alreadyExists, badRequest, generatedNameTaken } from '../semantics/status.ts';
import { OPERATION } from '../storage/record.ts';
import { kindOf, replyWith, inStoredVersion } from './converting.ts';
import { admissionOf, writeOptions, type Admission } from './admission.ts';
import { decodeBody, type DecodedBody } from './decode-body.ts';
import { checkCreateRight } from './create-right.ts';
import { checkGrants } from './granting.ts';
import { checkNamespace } from './placing.ts';
import type { Shard } from './shard.ts';
import type { ChangeRequest, ObjectReply, WriteRequest } from './shard-protocol.ts';
import { refusedWhenSettled, storageFailure } from './storage-failure.ts';
import { storedText } from './stored-text.ts';
import { objectReply } from './object-reply.ts';
import { writerOf } from './record-owners.ts';
import type { Basis } from './write-steps.ts';

/** Throws StatusError 400, 403, 404, 409 or 422; otherwise answers 201 after the commit. */
export function create(
  shard: Shard,
  request: WriteRequest,
  body: Uint8Array,
  answer: Answer<ObjectReply>,
): void {
  const decoded = decodeBody(kindOf(shard, request).version(request.version), body, request);
  const { object } = decoded;
  // As in the reference, where the store refuses it, and does not see a dry run.
  if (!request.dryRun && namesVersion(object.metadata)) {
    throw badRequest('resourceVersion should not be set on objects to be created');
  }
  createObject(shard, request, decoded, answer);
}

/** What is no number is no version, and is dropped. */
function namesVersion({ resourceVersion = '' }: ObjectMeta): boolean {
  return /^[0-9]+$/.test(resourceVersion) && !isAtMost(resourceVersion, 0n);
}

/**
 * The part that POST, creating PUT and creating apply share: the object is decoded. `track` says
 * whose its fields are: the request's manager's, where it is absent. Who was let update or
 * patch, and has seen that there is no such object, says so as the `basis`.
 */
export function createObject(
  shard: Shard,
  request: ChangeRequest,
  { object, warnings: found }: DecodedBody,
  answer: Answer<ObjectReply>,
  track: Track = trackNew(shard, request, object),
  basis?: Basis,
): void {
  const options = (): object => writeOptions('CreateOptions', request);
  const { name = '' } = object.metadata;
  const change = { operation: 'CREATE', name, oldObject: undefined, options } as const;
  const admission = admissionOf(shard, request, change, answer);
  admission.warn(dropDuplicateOwners(object.metadata, isPatch(request), found));
  const write = { request, admission, basis, sentName: name };
  admission.begin(() =>
    shard.writeSteps.next(admission, () => proposeNew(shard, write, object, track), basis),
  );
}

/** A create on its way. */
interface NewWrite {
  readonly request: ChangeRequest;
  readonly admission: Admission;
  readonly basis: Basis | undefined;
  /** That of the body; '' where it is to be generated. */
  readonly sentName: string;
}

/** `createObject` once it is known what is warned of, whatever becomes of the request. */
function proposeNew(shard: Shard, write: NewWrite, object: ApiObject, track: Track): void {
  const { request, admission, basis } = write;
  const { version } = request;
  proposeCreate(kindOf(shard, request), object, { version, track });
  admission.admit(object, basis, (admitted) => {
    if (admitted !== object) admission.warn(dropDuplicateOwners(admitted.metadata, true, []));
    prepareNew(shard, write, admitted);
  });
}

function prepareNew(shard: Shard, write: NewWrite, object: ApiObject): void {
  const { request, admission, basis, sentName } = write;
  const kind = kindOf(shard, request);
  settleNamespace(object, kind.definition.namespaced ? request.namespace : '');
  const user = kind.definition.recordUser && request.user;
  prepareCreate(kind, object, {
    uid: shard.newUid(),
    creationTimestamp: utcSeconds(shard.nowMs()),
    user: user === undefined ? undefined : userOfText(user),
    version: request.version,
  });
  checkGrants(shard, request, object, undefined, sentName);
  const check = (): void => checkNew(shard, write, object);
  shard.writeSteps.next(admission, check, basis, shard.slowCheck(kind, object));
}

function checkNew(shard: Shard, { request, admission, basis }: NewWrite, object: ApiObject): void {
  const kind = kindOf(shard, request);
  const { groupVersion } = kind.version(request.version);
  refuseInvalid(shard, object, kind.validator.validateCreate(object, groupVersion));
  admission.warn(kind.definition.createWarnings?.(object));
  const store = (): void => storeNew(shard, request, object, admission);
  const ask = (): void => admission.validate(object, basis, store);
  const allowed = (): void => shard.writeSteps.next(admission, ask, basis);
  if (basis === undefined) allowed();
  else admission.authorize(() => checkCreateRight(shard, request), basis, allowed);
}

/** Stores a valid object unless there is one of its name. */
function storeNew(
  shard: Shard,
  request: ChangeRequest,
  object: ApiObject,
  answer: Answer<ObjectReply>,
): void {
  const key = shard.keyOf(request.namespace, object.metadata.name ?? '');
  if (!shard.exists(key)) {
    const place = { kind: kindOf(shard, request), key, rv: 0 };
    inStoredVersion(shard, place, object, answer, (its) => {
      storeConverted(shard, request, key, its, answer);
    });
    return;
  }
  storeConverted(shard, request, key, object, answer);
}

/** `storeNew` for an object in the stored version. */
function storeConverted(
  shard: Shard,
  request: ChangeRequest,
  key: string,
  object: ApiObject,
  answer: Answer<ObjectReply>,
): void {
  const { allocator } = shard;
  const { metadata } = object;
  // It may have begun to end since the object was prepared.
  checkNamespace(shard, request, object);
  if (shard.exists(key)) {
    refuseTaken(shard, request, metadata, answer);
    return;
  }
  if (allocator !== undefined) refuseInvalid(shard, object, allocator.allocate(object, undefined));
  const reply = objectReply(201);
  const representation = shard.representations.of(request);
  if (request.dryRun) {
    const wire = Buffer.from(storedText(shard, object));
    allocator?.release(object, undefined);
    replyWith(answer, reply, () => representation.document(wire, 0));
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
      replyWith(answer, reply, () =>
        representation.document(shard.writtenWire(record), shard.keptAs(rv)),
      ),
    failed: (error) => answer.fail(storageFailure(error)),
  });
}

/**
 * Who says what to generate a name from is told to try again, as by the reference, even if the name
 * was given. A function of its own, so that the closures of a create that is stored do not keep its
 * metadata alive until the commit.
 */
function refuseTaken(
  shard: Shard,
  { namespace, version }: ChangeRequest,
  { name = '', generateName }: ObjectMeta,
  answer: Answer<ObjectReply>,
): void {
  const { resource } = shard.kind.version(version);
  const key = shard.keyOf(namespace, name);
  refusedWhenSettled(shard, key, answer, () => {
    if (generateName) throw generatedNameTaken(resource, name);
    const terminating = shard.latest(key)?.object.metadata.deletionTimestamp !== undefined;
    throw alreadyExists(resource, name, terminating);
  });
}

/** Whether the request is a patch or an apply, not the object as a whole. */
export function isPatch(request: ChangeRequest): boolean {
  return 'patchType' in request;
}

/**
 * The entries that the client sent as managedFields, which are taken out of the object. They count
 * if they are valid.
 */
function trackNew(shard: Shard, request: ChangeRequest, object: ApiObject): Track {
  const given = takeGivenOwners(object, '');
  const writer = writerOf(shard, request);
  return (defaulted) => {
    const owners = ownersOfNew(kindOf(shard, request), defaulted, given, writer);
    refuseInvalid(shard, defaulted, ownerErrors(given, owners));
    return owners;
  };
}

/** Throws StatusError 422 when there are errors. */
export function refuseInvalid(shard: Shard, { metadata }: ApiObject, errors: FieldError[]): void {
  if (errors.length === 0) return;
  const { group, groupOfErrors, kind } = shard.kind.definition;
  throw invalidObject(groupOfErrors ?? group, kind, metadata.name ?? '', errors);
}
