/** update: PUT of an object or of its status (API-FACTS 3.3). */
import type { Answer } from '../actors/link.ts';
import { deepEqual } from '../base/deep-equal.ts';
import type { ApiObject } from '../resources/kind.ts';
import { invalidObject } from '../semantics/field-error.ts';
import { isUnconditional, RESOURCE_VERSION_MISSING } from '../semantics/object-meta-validation.ts';
import { conflict, notFound, staleVersion } from '../semantics/status.ts';
import { OPERATION, wireBytes } from '../storage/record.ts';
import { createObject } from './create.ts';
import { checkIdentity, decodeBody } from './decode-body.ts';
import { stageRemoval } from './removal.ts';
import { parseResourceVersion } from './resource-version.ts';
import type { Latest, Shard } from './shard.ts';
import type { ObjectReply, WriteRequest } from './shard-protocol.ts';
import { storageFailure } from './storage-failure.ts';
import { NEWLINE, withResourceVersion } from './wire.ts';

/** Throws StatusError 400, 404, 409 or 422; otherwise answers 200 or 201 after the commit. */
export function update(
  shard: Shard,
  request: WriteRequest,
  body: Uint8Array,
  answer: Answer<ObjectReply>,
): void {
  const { kind } = shard;
  const object = decodeBody(kind, body, request.format);
  checkIdentity(kind, object, request);
  const key = shard.keyOf(request.namespace, request.name);
  const stored = shard.latest(key);
  if (stored === undefined) {
    if (!kind.definition.putCreates || request.subresource !== '') {
      throw notFound(kind.resource, request.name);
    }
    checkUid(shard, key, object, '');
    createObject(shard, request, object, answer);
    return;
  }
  checkUid(shard, key, object, stored.object.metadata.uid ?? '');
  checkVersion(shard, request, object, stored);
  const updated = request.subresource === '' ? object : withStatusOf(shard, object, stored.object);
  keepServerFields(updated, stored.object);
  prepare(shard, request, updated, stored.object);
  const errors = kind.validator.validateUpdate(updated, stored.object, request.subresource);
  if (errors.length > 0) {
    const { group, kind: kindName } = kind.definition;
    throw invalidObject(group, kindName, request.name, errors);
  }
  if (kind.definition.tracksGeneration && !deepEqual(updated['spec'], stored.object['spec'])) {
    updated.metadata.generation = (stored.object.metadata.generation ?? 0) + 1;
  }
  writeUpdate(shard, { key, stored, updated, dryRun: request.dryRun, code: 200 }, answer);
}

/** A uid in the body is a precondition; '' stands for an object that does not exist. */
function checkUid(shard: Shard, key: string, { metadata }: ApiObject, stored: string): void {
  const sent = metadata.uid ?? '';
  if (sent === '' || sent === stored) return;
  const { resource } = shard.kind;
  const why =
    `StorageError: invalid object, Code: 4, Key: /registry/${shard.kind.key}/${key}, ` +
    'ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ' +
    `UID in precondition: ${sent}, UID in object meta: ${stored}`;
  throw conflict(resource, metadata.name ?? '', why);
}

/** Optimistic concurrency (API-FACTS 3.3 and 3.4). */
function checkVersion(
  shard: Shard,
  request: WriteRequest,
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
    throw staleVersion(kind.resource, request.name);
  }
}

/** The stored object with the status, and where the kind allows it the metadata, of the new one. */
function withStatusOf(shard: Shard, object: ApiObject, stored: ApiObject): ApiObject {
  const writable = shard.kind.definition.statusSubresource?.metadataWritable === true;
  const metadata = writable ? object.metadata : { ...object.metadata };
  if (!writable) {
    const { labels, annotations, finalizers, ownerReferences } = stored.metadata;
    Object.assign(metadata, { labels, annotations, finalizers, ownerReferences });
  }
  return { ...stored, metadata, status: object['status'] };
}

/** What no client changes (API-FACTS 3.3). */
function keepServerFields({ metadata }: ApiObject, { metadata: stored }: ApiObject): void {
  if (metadata.uid === undefined || metadata.uid === '') metadata.uid = stored.uid;
  metadata.creationTimestamp = stored.creationTimestamp;
  metadata.generation = stored.generation;
  metadata.managedFields = stored.managedFields;
  delete metadata.selfLink;
  delete metadata.clusterName;
  if (stored.deletionTimestamp !== undefined) {
    metadata.deletionTimestamp = stored.deletionTimestamp;
  }
  metadata.deletionGracePeriodSeconds ??= stored.deletionGracePeriodSeconds;
}

/** Defaults, and what this endpoint does not change. */
function prepare(shard: Shard, request: WriteRequest, object: ApiObject, stored: ApiObject): void {
  const { definition, codec } = shard.kind;
  const isMain = request.subresource === '';
  if (isMain && definition.statusSubresource !== undefined) object['status'] = stored['status'];
  codec.applyDefaults(object);
  definition.applyDefaults?.(object);
  if (isMain) definition.prepareForUpdate?.(object, stored);
}

/** An object that replaces the stored one, ready to be written. */
export interface Replacement {
  readonly key: string;
  readonly stored: Latest;
  readonly updated: ApiObject;
  readonly dryRun: boolean;
  /** The HTTP status of the answer. */
  readonly code: number;
}

/** Writes a prepared update: a no-op, a replacement, or the removal of a finalized object. */
export function writeUpdate(
  shard: Shard,
  { key, stored, updated, dryRun, code }: Replacement,
  answer: Answer<ObjectReply>,
): void {
  const { kind } = shard;
  updated.metadata.resourceVersion = String(stored.rv);
  const wire = kind.codec.encode(updated);
  const reply = (bytes: Uint8Array): void =>
    answer.reply({ code }, kind.objectPrefix, bytes, NEWLINE);
  const removed = isFinalized(updated);
  if (dryRun) {
    reply(Buffer.from(wire));
    return;
  }
  if (wire === stored.wire && !removed) {
    // Nothing to write; but what it equals may itself still be on its way to the disk.
    shard.pipeline.afterPending(key, (error) => {
      if (error === undefined) reply(Buffer.from(wire));
      else answer.fail(storageFailure(error));
    });
    return;
  }
  const failed = (error: Error): void => answer.fail(storageFailure(error));
  if (removed) {
    // Answered with the object as it was updated, at its old version; watches get its last state,
    // which is the stored one: the update itself is never written.
    stageRemoval(shard, key, stored, () => reply(Buffer.from(wire)), failed);
    return;
  }
  const rv = shard.clock.take();
  shard.stage({
    operation: OPERATION.modified,
    rv,
    key,
    previousRv: stored.rv,
    object: updated,
    wire: withResourceVersion(wire, rv),
    committed: (record) => reply(wireBytes(record)),
    failed,
  });
}

/** A terminating object that nothing holds back any more (SPEC Deletion with finalizers). */
function isFinalized(object: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = object.metadata;
  if (deletionTimestamp === undefined || (deletionGracePeriodSeconds ?? 0) !== 0) return false;
  return !isHeld(object);
}

/** Whether finalizers hold the object back; namespaces also have some in their spec. */
export function isHeld(object: ApiObject): boolean {
  if ((object.metadata.finalizers?.length ?? 0) > 0) return true;
  const spec = object['spec'] as { finalizers?: unknown } | undefined;
  return Array.isArray(spec?.finalizers) && spec.finalizers.length > 0;
}
