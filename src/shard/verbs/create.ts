/**
 * create: a new object from a POST, or from a PUT or apply of what is not there
 * (src/resources/README.md#create).
 */
import { isAtMost } from '../../base/text/decimal.ts';
import { utcSeconds } from '../../base/time/utc-time.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { dropDuplicateOwners } from '../../semantics/metadata/duplicate-owners.ts';
import type { ObjectMeta } from '../../semantics/metadata/object-meta.ts';
import { alreadyExists, badRequest, generatedNameTaken } from '../../semantics/errors/status.ts';
import type { Writer } from '../../semantics/fields/track-update.ts';
import { userOfText } from '../../semantics/user.ts';
import { OPERATION } from '../../storage/record.ts';
import { ownerErrors, ownersOfNew, takeGivenOwners } from '../../types/field-owners.ts';
import {
  prepareCreate,
  proposeCreate,
  settleNamespace,
  type Track,
} from '../../types/prepare-object.ts';
import type { ResourceType } from '../../types/resource-type.ts';
import { kindOf } from '../read/converting.ts';
import { inStoredVersion } from '../write/in-version.ts';
import { checkSentNamespace, decodeBody, type DecodedBody } from '../write/decode-body.ts';
import type { Shard } from '../state/shard.ts';
import type { ChangeRequest, WriteRequest } from '../../protocol/shard-protocol.ts';
import { isPatch, propose, writeOptions } from '../write/admission.ts';
import { allocate } from '../write/allocate.ts';
import { shownObject, writtenObject } from '../write/answer-body.ts';
import { mayCreate } from '../write/create-right.ts';
import { contextErrors } from '../write/check-context.ts';
import { checkGrants } from '../write/check-grants.ts';
import { refuseInvalid } from '../write/invalid.ts';
import { objectReply } from '../write/object-reply.ts';
import { checkNamespace } from '../write/check-namespace.ts';
import { writerOf } from '../write/record-owners.ts';
import { storedText } from '../write/stored-text.ts';
import { orRestart, TURN, Turn } from '../write/write.ts';
import type { Outcome, Steps, Write } from '../write/write.ts';

/** Throws StatusError 400, 403, 404, 409 or 422; otherwise answers 201. */
export function* create(write: Write, request: WriteRequest, body: Uint8Array): Steps<Outcome> {
  const kind = kindOf(write.shard, request);
  const decoded = decodeBody(kind.version(request.version), body, request);
  const { object } = decoded;
  checkSentNamespace(kind.definition, object, request);
  // As in the reference, where the store refuses it, and does not see a dry run.
  if (!request.dryRun && namesVersion(object.metadata)) {
    throw badRequest('resourceVersion should not be set on objects to be created');
  }
  return yield* createObject(write, request, decoded);
}

/** Tells whether the body names a version. One that is no number is no version, and is dropped. */
function namesVersion({ resourceVersion = '' }: ObjectMeta): boolean {
  return /^[0-9]+$/.test(resourceVersion) && !isAtMost(resourceVersion, 0n);
}

/**
 * The part that POST, creating PUT and creating apply share: the object is decoded. `track` says
 * whose its fields are: the request's manager's, where it is absent. `isUpdate`: who asks was let
 * update or patch, and the write rests on there being no such object.
 */
export function* createObject(
  write: Write,
  request: ChangeRequest,
  { object: sent, warnings }: DecodedBody,
  { track: given, isUpdate = false }: HowCreated = {},
): Steps<Outcome> {
  const { shard } = write;
  const track = given ?? trackNew(kindOf(shard, request), sent, writerOf(shard, request));
  const { name: sentName = '' } = sent.metadata;
  const options = (): object => writeOptions('CreateOptions', request);
  const change = { operation: 'CREATE', name: sentName, oldObject: undefined, options } as const;
  const admission = propose(write, request, change);
  write.warn(dropDuplicateOwners(sent.metadata, isPatch(request), warnings));
  yield TURN;
  const kind = kindOf(shard, request);
  yield* orRestart(() => proposeCreate(kind, sent, { version: request.version, track }));
  const object = yield* admission.admit(sent);
  if (object !== sent) write.warn(dropDuplicateOwners(object.metadata, true, []));
  prepare(shard, kind, request, object);
  yield* checkGrants(shard, request, { object, stored: undefined, sentName });
  yield new Turn(shard.slowCheck(kind, object));
  const { groupVersion } = kind.version(request.version);
  const before = yield* contextErrors(shard, request, { kind, object, stored: undefined });
  const errors = kind.validator.validateCreate(object, groupVersion);
  refuseInvalid(kind, object, [...before, ...errors]);
  write.warn(kind.definition.createWarnings?.(object, kind.gates));
  if (isUpdate) yield* mayCreate(shard, request);
  yield TURN;
  // One that there is already is refused in the end.
  if (!shard.exists(keyIn(shard, request, object))) {
    const { dryRun } = request;
    yield* allocate(write, admission, { object, stored: undefined, dryRun });
  }
  yield* admission.validate(object);
  return yield* stored(write, request, object);
}

interface HowCreated {
  readonly track?: Track | undefined;
  readonly isUpdate?: boolean;
}

/** Gives an admitted object what the server alone decides about. */
function prepare(
  shard: Shard,
  kind: ResourceType,
  { namespace, user, version }: ChangeRequest,
  object: ApiObject,
): void {
  settleNamespace(object, kind.definition.namespaced ? namespace : '');
  const recorded = kind.definition.recordUser && user;
  prepareCreate(kind, object, {
    uid: shard.random.uuid(),
    creationTimestamp: utcSeconds(shard.nowMs()),
    random: shard.random,
    user: recorded === undefined ? undefined : userOfText(recorded),
    version,
  });
}

/** Stores a valid object unless there is one of its name. */
function* stored(write: Write, request: ChangeRequest, valid: ApiObject): Steps<Outcome> {
  const { shard } = write;
  const key = keyIn(shard, request, valid);
  let object = valid;
  if (!shard.exists(key)) {
    write.restOn(key, 0);
    object = yield* inStoredVersion(shard, kindOf(shard, request), valid);
  }
  // It may have begun to end since the object was prepared.
  checkNamespace(shard, request, object);
  if (shard.exists(key)) throw taken(write, request, key, object.metadata);
  const reply = objectReply(201);
  const representation = shard.representations.of(request);
  if (request.dryRun) {
    const wire = Buffer.from(storedText(shard, object));
    return { changes: [], reply, body: shownObject(representation, wire) };
  }
  const rv = shard.clock.take();
  object.metadata.resourceVersion = String(rv);
  const wire = storedText(shard, object);
  const change = { operation: OPERATION.added, rv, key, previousRv: 0, object, wire };
  return { changes: [change], reply, body: writtenObject(shard, representation, rv) };
}

function keyIn(shard: Shard, { namespace }: ChangeRequest, { metadata }: ApiObject): string {
  return shard.keyOf(namespace, metadata.name ?? '');
}

/**
 * Who says what to generate a name from is told to try again, as by the reference, even if the name
 * was given.
 */
function taken(
  write: Write,
  { version }: ChangeRequest,
  key: string,
  { name = '', generateName }: ObjectMeta,
): Error {
  const { resource } = write.shard.kind.version(version);
  const latest = write.latest(key);
  if (generateName) return generatedNameTaken(resource, name);
  const isTerminating = latest?.object.metadata.deletionTimestamp !== undefined;
  return alreadyExists(resource, name, isTerminating);
}

/**
 * The entries that the client sent as managedFields, which are taken out of the object. They count
 * if they are valid.
 */
function trackNew(kind: ResourceType, object: ApiObject, writer: Writer): Track {
  const given = takeGivenOwners(object, '');
  return (defaulted) => {
    const owners = ownersOfNew(kind, defaulted, given, writer);
    refuseInvalid(kind, defaulted, ownerErrors(given, owners));
    return owners;
  };
}
