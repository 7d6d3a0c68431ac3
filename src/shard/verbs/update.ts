/** update: PUT of an object, or of a part of it through a subresource (../README.md#updates). */
import type { ApiObject } from '../../resources/kind.ts';
import { dropDuplicateOwners } from '../../semantics/metadata/duplicate-owners.ts';
import { invalidObject } from '../../semantics/errors/field-error.ts';
import { storedManagedFields } from '../../semantics/metadata/object-meta.ts';
import {
  isUnconditional,
  RESOURCE_VERSION_MISSING,
} from '../../semantics/metadata/object-meta-validation.ts';
import { notFound, staleVersion } from '../../semantics/errors/status.ts';
import { ownerErrors, ownersOfUpdate, takeGivenOwners } from '../../types/field-owners.ts';
import {
  prepareUpdate,
  proposeAdmitted,
  proposeSent,
  proposeUpdate,
  type Track,
} from '../../types/prepare-object.ts';
import type { Writer } from '../../semantics/fields/track-update.ts';
import type { ResourceType } from '../../types/resource-type.ts';
import { kindOf } from '../../proposals/proposal-context.ts';
import { latestIn } from '../write/in-version.ts';
import { checkIdentity, decodeBody, type DecodedBody } from '../../proposals/decode-body.ts';
import type { Latest } from '../log/latest.ts';
import { parseResourceVersion } from '../read/resource-version.ts';
import type { Shard } from '../state/shard.ts';
import { ownRelease } from '../../release/release.ts';
import type { ChangeRequest, WriteRequest } from '../../protocol/shard-protocol.ts';
import { isPatch, propose, writeOptions, type Admission } from '../../proposals/admission.ts';
import { allocate } from '../write/allocate.ts';
import { contextErrors } from '../../proposals/check-context.ts';
import { checkGrants } from '../write/check-grants.ts';
import { refuseInvalid } from '../../proposals/invalid.ts';
import { preconditionFailed } from '../write/precondition.ts';
import { writerOf } from '../../proposals/writer-of.ts';
import { orRestart, TURN, Turn, type Steps } from '../../proposals/steps.ts';
import type { Outcome, Write } from '../write/write.ts';
import { replaceObject } from '../write/replace-object.ts';
import { createObject } from './create.ts';

const MISSING_FIRST = ownRelease().has('missingBeforeExpected');

/** Throws StatusError 400, 404, 409 or 422; otherwise answers 200 or 201. */
export function* update(write: Write, request: WriteRequest, body: Uint8Array): Steps<Outcome> {
  const { shard } = write;
  const kind = kindOf(shard, request);
  const { definition } = kind;
  const key = shard.keyOf(request.namespace, request.name);
  write.restOn(key);
  const { object, warnings } = decodeBody(kind.servedAs(request), body, request);
  checkIdentity(definition, object, request);
  write.warn(dropDuplicateOwners(object.metadata, false, warnings));
  yield TURN;
  const stored = yield* latestIn(write, key, kind);
  const isCreatable = definition.putCreates && request.subresource === '';
  const missing = () => notFound(kind.version(request.version).resource, request.name);
  if (MISSING_FIRST && stored === undefined && !isCreatable) throw missing();
  checkUid(shard, request, object, stored?.object.metadata.uid ?? '');
  const decoded: DecodedBody = { object, warnings: [] };
  if (stored !== undefined) return yield* replace(write, request, decoded, stored);
  if (!isCreatable) throw missing();
  return yield* createObject(write, request, decoded, { isUpdate: true });
}

/**
 * The part that PUT, patches and apply share: the object is decoded, or for the subresource `scale`
 * a Scale, and is the one of the request. `given` says whose its fields are then: what changes is
 * the request's manager's, where it is absent. Throws StatusError 409 or 422.
 */
export function* replace(
  write: Write,
  request: ChangeRequest,
  { object: sent, warnings }: DecodedBody,
  stored: Latest,
  given?: Track,
): Steps<Outcome> {
  const { shard } = write;
  const { version, subresource, dryRun } = request;
  const kind = kindOf(shard, request);
  const track = given ?? trackChange(kind, sent, stored, writerOf(shard, request));
  const isScale = subresource === 'scale';
  const part = isScale ? '' : subresource;
  const options = (): object => writeOptions('UpdateOptions', request);
  const oldObject = isScale ? scaleOf(shard, request, stored.wire) : stored.object;
  const change = { operation: 'UPDATE', name: request.name, oldObject, options } as const;
  const admission = propose(write, request, change);
  write.warn(dropDuplicateOwners(sent.metadata, isPatch(request), warnings));
  checkVersion(shard, request, sent, stored);
  const proposal = { write, request, stored, admission, track };
  const updated = isScale
    ? yield* admittedScale(proposal, sent)
    : yield* admittedObject(proposal, sent);
  prepareUpdate(kind, updated, stored.object, part, version);
  const sentName = updated.metadata.name ?? '';
  yield* checkGrants(shard, request, { object: updated, stored: stored.object, sentName });
  yield new Turn(part === 'status' ? undefined : shard.slowCheck(kind, updated));
  const { groupVersion } = kind.version(version);
  const written = { kind, object: updated, stored: stored.object };
  const before = yield* contextErrors(shard, request, written);
  const errors = kind.validator.validateUpdate(updated, stored.object, part, groupVersion);
  refuseInvalid(kind, updated, [...before, ...errors]);
  yield TURN;
  if (part === '') {
    yield* allocate(write, admission, { object: updated, stored: stored.object, dryRun });
  }
  const shown = isScale ? scaleOf(shard, request, kind.stored.codec.encode(updated)) : updated;
  yield* admission.validate(shown);
  return yield* replaceObject(write, {
    kind,
    key: shard.keyOf(request.namespace, request.name),
    stored,
    updated,
    dryRun,
    code: 200,
    representation: shard.representations.of(request),
    warnings: updateWarnings(shard, request, updated, stored.object),
  });
}

/** An update before it is admitted. */
interface ProposedUpdate {
  readonly write: Write;
  readonly request: ChangeRequest;
  readonly stored: Latest;
  readonly admission: Admission;
  readonly track: Track;
}

/** A Scale changes the object itself, and is shown as what it is. */
function* admittedScale(
  { write, request, stored, admission, track }: ProposedUpdate,
  sent: ApiObject,
): Steps<ApiObject> {
  const { version } = request;
  const scale = yield* admission.admit(sent);
  const kind = kindOf(write.shard, request);
  const given = kind.scale(version).merge(scale, stored.object);
  return yield* orRestart(() => proposeUpdate(kind, given, stored.object, '', { version, track }));
}

function* admittedObject(
  { write, request, stored, admission, track }: ProposedUpdate,
  object: ApiObject,
): Steps<ApiObject> {
  const { version, subresource } = request;
  const kind = kindOf(write.shard, request);
  const sent = admission.showsSent && { ...object, metadata: { ...object.metadata } };
  const updated = yield* orRestart(() =>
    proposeUpdate(kind, object, stored.object, subresource, { version, track }),
  );
  const proposed = sent ? proposeSent(kind, sent, updated, version) : updated;
  const admitted = yield* admission.admit(proposed);
  if (admitted === updated) return updated;
  if (admitted !== proposed) {
    checkIdentity(kind.definition, admitted, request);
    write.warn(dropDuplicateOwners(admitted.metadata, true, []));
  }
  return proposeAdmitted(kind, admitted, stored.object, subresource, version);
}

/** The Scale of an object, from the text of its members. */
function scaleOf(shard: Shard, request: ChangeRequest, wire: string): ApiObject {
  const scale = kindOf(shard, request).scale(request.version);
  return scale.decode(scale.documentText(wire)).object as ApiObject;
}

/**
 * The entries that the client sent as managedFields, which are taken out of the object. They count
 * if they are valid.
 */
function trackChange(
  kind: ResourceType,
  object: ApiObject,
  { object: stored }: Latest,
  writer: Writer,
): Track {
  const given = takeGivenOwners(object, storedManagedFields(stored.metadata));
  return (updated, sent = updated) => {
    const owners = ownersOfUpdate(kind, sent, stored, given, writer);
    refuseInvalid(kind, updated, ownerErrors(given, owners));
    return owners;
  };
}

/** The kind's warnings about an update of the object, by itself, its scale or its status. */
export function updateWarnings(
  { kind }: Shard,
  { subresource }: Pick<ChangeRequest, 'subresource'>,
  updated: ApiObject,
  stored: ApiObject,
): readonly string[] | undefined {
  if (subresource === 'status') return kind.definition.statusWarnings?.(updated);
  if (subresource !== '' && subresource !== 'scale') return undefined;
  return kind.definition.updateWarnings?.(updated, stored, kind.gates);
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

/** Optimistic concurrency (../README.md#updates). */
function checkVersion(
  { kind }: Shard,
  request: ChangeRequest,
  { metadata }: ApiObject,
  stored: Latest,
): void {
  if (isUnconditional(metadata)) {
    const { unconditionalUpdate } = kind.version(request.version);
    if (unconditionalUpdate || request.subresource === 'scale') return;
    // The reference names the resource type where the kind belongs.
    const { group, plural } = kind.definition;
    throw invalidObject(group, plural, request.name, [RESOURCE_VERSION_MISSING]);
  }
  if (parseResourceVersion(metadata.resourceVersion ?? '') !== stored.rv) {
    throw staleVersion(kind.version(request.version).resource, request.name);
  }
}
