/** delete: at once, or by setting deletionTimestamp while finalizers remain (API-FACTS 4). */
import type { Answer } from '../actors/link.ts';
import type { ApiObject } from '../resources/kind.ts';
import { IMMORTAL_NAMESPACES, NAMESPACE } from '../resources/core/namespace.ts';
import { conflict, forbidden, notFound } from '../semantics/status.ts';
import type { Status } from '../semantics/status.ts';
import { checkOptions, deleteOptions } from './delete-options.ts';
import type { DeleteOptions } from './delete-options.ts';
import { stageRemoval } from './removal.ts';
import { splitKey } from './selection.ts';
import type { Latest, Shard } from './shard.ts';
import type { DeleteRequest, ObjectReply } from './shard-protocol.ts';
import { storageFailure } from './storage-failure.ts';
import { isHeld, writeUpdate } from './update.ts';
import type { Replacement } from './update.ts';
import { utcSeconds } from './utc-time.ts';
import { NEWLINE } from './wire.ts';

const OK: ObjectReply = { code: 200 };

/** Throws StatusError 400, 403, 404, 409 or 422; otherwise answers 200 after the commit. */
export function deleteObject(
  shard: Shard,
  request: DeleteRequest,
  body: Uint8Array,
  answer: Answer<ObjectReply>,
): void {
  const options = deleteOptions(shard.kind, request, body);
  checkOptions(options);
  deleteStored(shard, shard.keyOf(request.namespace, request.name), options, answer);
}

/** Deletes the object with this key. Throws StatusError 403, 404 or 409. */
export function deleteStored(
  shard: Shard,
  key: string,
  options: DeleteOptions,
  answer: Answer<ObjectReply>,
): void {
  const [, name] = splitKey(key);
  const stored = shard.latest(key);
  if (stored === undefined) throw notFound(shard.kind.resource, name);
  checkPreconditions(shard, options, stored);
  if (shard.kind.definition === NAMESPACE && IMMORTAL_NAMESPACES.has(name)) {
    throw forbidden(shard.kind.resource, name, 'this namespace may not be deleted');
  }
  const dryRun = options.dryRun;
  if (isHeld(stored.object)) {
    // Whoever says that dependents are not to wait is told that the object does (API-FACTS 4.2).
    const code = options.orphanDependents === false ? 202 : 200;
    markTerminating(shard, { key, stored, dryRun, code }, answer);
  } else {
    remove(shard, key, stored, dryRun, answer);
  }
}

function checkPreconditions(shard: Shard, options: DeleteOptions, stored: Latest): void {
  const { uid, resourceVersion } = options;
  const { metadata } = stored.object;
  const storedVersion = String(stored.rv);
  const { kind, group } = shard.kind.definition;
  let why = '';
  if (uid !== '' && uid !== metadata.uid) {
    why =
      `the UID in the precondition (${uid}) does not match the UID in record ` +
      `(${metadata.uid}). The object might have been deleted and then recreated`;
  } else if (resourceVersion !== '' && resourceVersion !== storedVersion) {
    why =
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ` +
      `ResourceVersion in record (${storedVersion}). The object might have been modified`;
  }
  if (why === '') return;
  // The reference names the kind where the resource type belongs.
  throw conflict({ group, resource: kind }, metadata.name ?? '', why);
}

/** Sets deletionTimestamp; a second delete of a terminating object changes nothing. */
export function markTerminating(
  shard: Shard,
  target: Omit<Replacement, 'updated'>,
  answer: Answer<ObjectReply>,
): void {
  const { stored } = target;
  const metadata = { ...stored.object.metadata };
  const updated: ApiObject = { ...stored.object, metadata };
  if (metadata.deletionTimestamp === undefined) {
    metadata.deletionTimestamp = utcSeconds(shard.nowMs());
    metadata.deletionGracePeriodSeconds = 0;
    if ((metadata.generation ?? 0) > 0) metadata.generation = (metadata.generation ?? 0) + 1;
    if (shard.kind.definition === NAMESPACE) {
      updated['status'] = { ...(updated['status'] as object), phase: 'Terminating' };
    }
  }
  writeUpdate(shard, { ...target, updated }, answer);
}

function remove(
  shard: Shard,
  key: string,
  stored: Latest,
  dryRun: boolean,
  answer: Answer<ObjectReply>,
): void {
  const reply = (): void => {
    const { kind } = shard;
    if (kind.definition.deleteReturns === 'object') {
      answer.reply(OK, kind.objectPrefix, Buffer.from(stored.wire), NEWLINE);
    } else {
      answer.reply(OK, Buffer.from(`${JSON.stringify(deletedStatus(shard, stored.object))}\n`));
    }
  };
  if (dryRun) {
    reply();
    return;
  }
  stageRemoval(shard, key, stored, reply, (error) => answer.fail(storageFailure(error)));
}

/** The Status of an immediate delete (API-FACTS 4.3). */
function deletedStatus(shard: Shard, { metadata }: ApiObject): Status {
  const { group, resource } = shard.kind.resource;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name: metadata.name ?? '',
      ...(group === '' ? {} : { group }),
      kind: resource,
      uid: metadata.uid ?? '',
    },
  };
}
