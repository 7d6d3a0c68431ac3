/**
 * What becomes of a new object before it is stored: from what was sent to what is to be written
 * (src/resources/README.md#create).
 */
import { isAtMost } from '../base/text/decimal.ts';
import { utcSeconds } from '../base/time/utc-time.ts';
import type { ChangeRequest, WriteRequest } from '../protocol/shard-protocol.ts';
import type { ApiObject } from '../resources/kind.ts';
import { badRequest } from '../semantics/errors/status.ts';
import type { Writer } from '../semantics/fields/track-update.ts';
import { dropDuplicateOwners } from '../semantics/metadata/duplicate-owners.ts';
import type { ObjectMeta } from '../semantics/metadata/object-meta.ts';
import { userOfText } from '../semantics/user.ts';
import { ownerErrors, ownersOfNew, takeGivenOwners } from '../types/field-owners.ts';
import {
  prepareCreate,
  proposeCreate,
  settleNamespace,
  type Track,
} from '../types/prepare-object.ts';
import type { ResourceType } from '../types/resource-type.ts';
import { isPatch, propose, writeOptions, type Admission } from './admission.ts';
import { contextErrors } from './check-context.ts';
import { checkSentNamespace, decodeBody, type DecodedBody } from './decode-body.ts';
import { refuseInvalid } from './invalid.ts';
import { kindOf, type ProposalContext } from './proposal-context.ts';
import type { Proposed } from './proposed.ts';
import { orRestart, TURN, type Steps } from './steps.ts';
import { writerOf } from './writer-of.ts';

/** A new object whose admission has begun. */
export interface NewObject {
  readonly object: ApiObject;
  readonly admission: Admission;
}

/** The object that a create has sent. Throws StatusError 400 and 422. */
export function sentObject(
  context: ProposalContext,
  request: WriteRequest,
  body: Uint8Array,
): DecodedBody {
  const kind = kindOf(context, request);
  const decoded = decodeBody(kind.version(request.version), body, request);
  checkSentNamespace(kind.definition, decoded.object, request);
  // As in the reference, where the store refuses it, and does not see a dry run.
  if (!request.dryRun && namesVersion(decoded.object.metadata)) {
    throw badRequest('resourceVersion should not be set on objects to be created');
  }
  return decoded;
}

/** Tells whether the body names a version. One that is no number is no version, and is dropped. */
function namesVersion({ resourceVersion = '' }: ObjectMeta): boolean {
  return /^[0-9]+$/.test(resourceVersion) && !isAtMost(resourceVersion, 0n);
}

/**
 * Proposes the object, has it admitted, and gives it what the server alone decides about. `track`
 * says whose its fields are: the request's manager's, where it is absent. Throws StatusError.
 */
export function* admittedNew(
  write: Proposed,
  request: ChangeRequest,
  { object: sent, warnings }: DecodedBody,
  given?: Track,
): Steps<NewObject> {
  const { context } = write;
  const track = given ?? trackNew(kindOf(context, request), sent, writerOf(context, request));
  const { name = '' } = sent.metadata;
  const options = (): object => writeOptions('CreateOptions', request);
  const change = { operation: 'CREATE', name, oldObject: undefined, options } as const;
  const admission = propose(write, request, change);
  write.warn(dropDuplicateOwners(sent.metadata, isPatch(request), warnings));
  yield TURN;
  const kind = kindOf(context, request);
  yield* orRestart(() => proposeCreate(kind, sent, { version: request.version, track }));
  const object = yield* admission.admit(sent);
  if (object !== sent) write.warn(dropDuplicateOwners(object.metadata, true, []));
  prepare(context, kind, request, object);
  return { object, admission };
}

/** Throws StatusError 422 for an admitted object that is not valid. */
export function* checkNew(
  write: Proposed,
  request: ChangeRequest,
  object: ApiObject,
): Steps<undefined> {
  const { context } = write;
  const kind = kindOf(context, request);
  const { groupVersion } = kind.version(request.version);
  const before = yield* contextErrors(context, request, { kind, object, stored: undefined });
  const errors = kind.validator.validateCreate(object, groupVersion);
  refuseInvalid(kind, object, [...before, ...errors]);
  write.warn(kind.definition.createWarnings?.(object, kind.gates));
  return undefined;
}

/** Gives an admitted object what the server alone decides about. */
function prepare(
  { random, nowMs }: ProposalContext,
  kind: ResourceType,
  { namespace, user, version }: ChangeRequest,
  object: ApiObject,
): void {
  settleNamespace(object, kind.definition.namespaced ? namespace : '');
  const recorded = kind.definition.recordUser && user;
  prepareCreate(kind, object, {
    uid: random.uuid(),
    creationTimestamp: utcSeconds(nowMs()),
    random,
    user: recorded === undefined ? undefined : userOfText(recorded),
    version,
  });
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
