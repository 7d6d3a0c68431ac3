/** update: PUT of an object, or of a part of it through a subresource (README.md#updates). */
import type { Answer } from '../actors/link.ts';
import type { ApiObject } from '../resources/kind.ts';
import { ownerErrors, ownersOfUpdate, takeGivenOwners } from '../types/field-owners.ts';
import {
  prepareUpdate,
  proposeAdmitted,
  proposeSent,
  proposeUpdate,
  type Track,
} from '../types/prepare-object.ts';
import { dropDuplicateOwners } from '../semantics/duplicate-owners.ts';
import { invalidObject } from '../semantics/field-error.ts';
import { storedManagedFields } from '../semantics/object-meta.ts';
import { isUnconditional, RESOURCE_VERSION_MISSING } from '../semantics/object-meta-validation.ts';
import { conflict, notFound, staleVersion } from '../semantics/status.ts';
import type { GroupResource, StatusError } from '../semantics/status.ts';
import { admissionOf, writeOptions, type Admission } from './admission.ts';
import { createObject, isPatch, refuseInvalid } from './create.ts';
import { kindOf, latestIn } from './converting.ts';
import { checkIdentity, decodeBody, type DecodedBody } from './decode-body.ts';
import { checkGrants } from './granting.ts';
import { referenceKey } from './reference-key.ts';
import { parseResourceVersion } from './resource-version.ts';
import { splitKey } from './selection.ts';
import type { Latest } from './latest.ts';
import type { Shard } from './shard.ts';
import type { ChangeRequest, ObjectReply, WriteRequest } from './shard-protocol.ts';
import { warned } from './object-reply.ts';
import { writeUpdate } from './write-update.ts';
import { writerOf } from './record-owners.ts';
import type { Basis } from './write-steps.ts';

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
  const options = (): object => writeOptions('UpdateOptions', request);
  const isScale = request.subresource === 'scale';
  const oldObject = isScale ? scaleOf(shard, request, stored.wire) : stored.object;
  const change = { operation: 'UPDATE', name: request.name, oldObject, options } as const;
  const admission = admissionOf(shard, request, change, answer);
  admission.warn(dropDuplicateOwners(object.metadata, isPatch(request), found));
  const write = { request, stored, admission, basis: basisOf(shard, request, stored) };
  admission.begin(() => {
    checkVersion(shard, request, object, stored);
    if (isScale) proposeScale(shard, write, object, track);
    else proposeWhole(shard, write, object, track);
  });
}

/** An update on its way. */
interface ChangedWrite {
  readonly request: ChangeRequest;
  readonly stored: Latest;
  readonly admission: Admission;
  readonly basis: Basis;
}

function basisOf(shard: Shard, request: ChangeRequest, { rv }: Latest): Basis {
  return { key: shard.keyOf(request.namespace, request.name), rv };
}

/** The Scale of an object, from the text of its members. */
function scaleOf(shard: Shard, request: ChangeRequest, wire: string): ApiObject {
  const scale = kindOf(shard, request).scale(request.version);
  return scale.decode(scale.documentText(wire)).object as ApiObject;
}

/** A Scale changes the object itself, and is shown as what it is. */
function proposeScale(shard: Shard, write: ChangedWrite, sent: ApiObject, track: Track): void {
  const { request, stored, admission, basis } = write;
  const { version } = request;
  admission.admit(sent, basis, (scale) => {
    const kind = kindOf(shard, request);
    const given = kind.scale(version).merge(scale, stored.object);
    const updated = proposeUpdate(kind, given, stored.object, '', { version, track });
    checkUpdate(shard, write, updated, '');
  });
}

function proposeWhole(shard: Shard, write: ChangedWrite, object: ApiObject, track: Track): void {
  const { request, stored, admission, basis } = write;
  const { version, subresource } = request;
  const kind = kindOf(shard, request);
  const sent = admission.showsSent && { ...object, metadata: { ...object.metadata } };
  const updated = proposeUpdate(kind, object, stored.object, subresource, { version, track });
  const proposed = sent ? proposeSent(kind, sent, updated, version) : updated;
  admission.admit(proposed, basis, (admitted) => {
    if (admitted === updated) {
      checkUpdate(shard, write, updated, subresource);
      return;
    }
    if (admitted !== proposed) {
      checkIdentity(kind.definition, admitted, request);
      admission.warn(dropDuplicateOwners(admitted.metadata, true, []));
    }
    const whole = proposeAdmitted(kind, admitted, stored.object, subresource, version);
    checkUpdate(shard, write, whole, subresource);
  });
}

/** Checks an update that was admitted, and writes it if nobody objects. */
function checkUpdate(
  shard: Shard,
  { request, stored, admission, basis }: ChangedWrite,
  updated: ApiObject,
  part: string,
): void {
  const { writeSteps } = shard;
  const { version, subresource } = request;
  const kind = kindOf(shard, request);
  const { key } = basis;
  prepareUpdate(kind, updated, stored.object, part, version);
  checkGrants(shard, request, updated, stored.object);
  const check = (): void => {
    const { groupVersion } = kind.version(version);
    const errors = kind.validator.validateUpdate(updated, stored.object, part, groupVersion);
    refuseInvalid(shard, updated, errors);
    writeSteps.next(admission, ask, basis);
  };
  const ask = (): void => {
    const isScale = subresource === 'scale';
    const shown = isScale ? scaleOf(shard, request, kind.stored.codec.encode(updated)) : updated;
    admission.validate(shown, basis, write);
  };
  const write = (): void => {
    if (part === '') allocate(shard, request, updated, stored.object);
    const { dryRun } = request;
    const representation = shard.representations.of(request);
    const warnings = updateWarnings(shard, request, updated, stored.object);
    const code = 200;
    const replacement = { kind, key, stored, updated, dryRun, code, representation, warnings };
    writeUpdate(shard, replacement, admission);
  };
  const ahead = part === 'status' ? undefined : shard.slowCheck(kind, updated);
  writeSteps.next(admission, check, basis, ahead);
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
  const given = takeGivenOwners(object, storedManagedFields(stored.metadata));
  const writer = writerOf(shard, request);
  return (updated, sent = updated) => {
    const owners = ownersOfUpdate(kindOf(shard, request), sent, stored, given, writer);
    refuseInvalid(shard, updated, ownerErrors(given, owners));
    return owners;
  };
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
