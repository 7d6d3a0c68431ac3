/**
 * delete: at once, or by setting deletionTimestamp while something holds it (README.md#deletion).
 */
import type { Answer } from '../actors/link.ts';
import type { ApiObject } from '../resources/kind.ts';
import { NAMESPACE } from '../resources/core/namespace.ts';
import type { ServedVersion } from '../types/served-version.ts';
import {
  conflict,
  forbidden,
  notFound,
  StatusError,
  successStatus,
  type Status,
} from '../semantics/status.ts';
import { replyWith, shownAs } from './converting.ts';
import { admissionOf, deletionOptions } from './admission.ts';
import { Attempt } from './attempt.ts';
import { deleteOptions } from './delete-options.ts';
import type { DeleteOptions } from './delete-options.ts';
import { warned } from './object-reply.ts';
import { planDeletion, type Deletion } from './plan-deletion.ts';
import { stageRemoval } from './removal.ts';
import { splitKey } from './selection.ts';
import type { Latest } from './latest.ts';
import type { Shard } from './shard.ts';
import type { DeleteRequest, ObjectReply, View } from './shard-protocol.ts';
import { storageFailure } from './storage-failure.ts';
import { stageUpdate, writeUpdate } from './write-update.ts';

const OK: ObjectReply = { code: 200 };

/** Throws StatusError 400, 403, 404, 409 or 422; otherwise answers 200 after the commit. */
export function deleteObject(
  shard: Shard,
  request: DeleteRequest,
  body: Uint8Array,
  answer: Answer<ObjectReply>,
): void {
  const options = deleteOptions(shard, request, body);
  const { undeletable } = shard.kind.definition;
  if (undeletable?.names.has(request.name) === true) {
    const { resource } = shard.kind.version(options.view.version);
    throw forbidden(resource, request.name, undeletable.why);
  }
  const key = shard.keyOf(request.namespace, request.name);
  warned(deleteWarnings(shard, options), answer, (told) => {
    deleteStored(shard, key, options, told);
  });
}

/** There is one where the kind orphans dependents of which nothing is said. */
export function deleteWarnings(
  { kind }: Shard,
  { view, propagationPolicy, orphanDependents }: DeleteOptions,
): readonly string[] | undefined {
  const { orphanWarning } = kind.definition;
  if (orphanWarning === undefined || propagationPolicy !== '' || orphanDependents !== undefined) {
    return undefined;
  }
  const isOrphaning = kind.version(view.version).defaultPropagation === 'Orphan';
  return isOrphaning ? [orphanWarning] : undefined;
}

/**
 * Deletes the object with this key. False when somebody is waited for first. Throws StatusError
 * 403, 404 or 409.
 */
export function deleteStored(
  shard: Shard,
  key: string,
  options: DeleteOptions,
  answer: Answer<ObjectReply>,
): boolean {
  const [namespace, name] = splitKey(key);
  const { view, dryRun, user, isAudited, isAdmitted, isOfCollection } = options;
  const stored = shard.latest(key);
  if (stored === undefined) throw notFound(shard.kind.version(view.version).resource, name);
  checkPreconditions(shard, options, stored);
  // Who is asked about a deletion is not asked again while its grace period goes on.
  if (isAdmitted === true || isPending(shard, stored, options)) {
    deleteAdmitted(shard, { key, stored, options }, answer);
    return true;
  }
  const named = isOfCollection === true ? '' : name;
  const asked = { ...view, namespace, name: named, dryRun, user, isAudited };
  const admission = admissionOf(
    shard,
    asked,
    {
      operation: 'DELETE',
      name: asked.name,
      oldObject: stored.object,
      options: () => deletionOptions(withOwnUid(shard, stored, options)),
    },
    answer,
  );
  const basis = { key, rv: stored.rv };
  admission.admit(undefined, basis, () => {
    admission.validate(undefined, basis, () => {
      deleteAdmitted(shard, { key, stored, options }, admission);
    });
  });
  return !admission.isWaiting;
}

/** Whether the object is on its way to its end, and this request changes nothing of that. */
function isPending(shard: Shard, stored: Latest, options: DeleteOptions): boolean {
  if (stored.object.metadata.deletionTimestamp === undefined) return false;
  const { updated, removes } = planOf(shard, stored, options);
  return updated === undefined && !removes;
}

/** Kinds that end in steps of their own are deleted as those that they were when it began. */
function withOwnUid(
  { kind: { definition } }: Shard,
  { object: { metadata } }: Latest,
  options: DeleteOptions,
): DeleteOptions {
  const hasSteps = definition === NAMESPACE || definition.beginEnd !== undefined;
  return hasSteps ? { ...options, uid: options.uid || (metadata.uid ?? '') } : options;
}

interface AdmittedDeletion {
  readonly key: string;
  readonly stored: Latest;
  readonly options: DeleteOptions;
}

function deleteAdmitted(
  shard: Shard,
  { key, stored, options }: AdmittedDeletion,
  answer: Answer<ObjectReply>,
): void {
  const { view, dryRun } = options;
  const { updated, removes } = planOf(shard, stored, options);
  // With `orphanDependents: false` said explicitly the answer is 202 while the object waits
  // (README.md#deletion).
  const code = options.orphanDependents === false && !removes ? 202 : 200;
  if (!removes) {
    const target = { key, stored, updated: updated ?? stored.object, dryRun, code };
    writeUpdate(shard, { ...target, representation: shard.representations.of(view) }, answer);
  } else if (updated === undefined) {
    remove(shard, { key, stored, dryRun, view }, answer);
  } else {
    const wire = shard.kind.stored.codec.encode(updated);
    if (dryRun) {
      remove(shard, { key, stored: { ...stored, wire }, dryRun, view }, answer);
      return;
    }
    // Watches get the terminating object, then its removal. If one of both writes fails, both do.
    const none = (): void => undefined;
    stageUpdate(shard, { key, stored, updated }, wire, none, none);
    remove(shard, { key, stored: shard.latest(key) ?? stored, dryRun, view }, answer);
  }
}

function planOf(shard: Shard, { object }: Latest, options: DeleteOptions): Deletion {
  const { definition } = shard.kind;
  const { defaultPropagation } = shard.kind.version(options.view.version);
  return planDeletion({ definition, defaultPropagation }, object, options, shard.nowMs());
}

function checkPreconditions(shard: Shard, options: DeleteOptions, stored: Latest): void {
  const { uid, resourceVersion } = options;
  const { metadata } = stored.object;
  const storedVersion = String(stored.rv);
  const { definition } = shard.kind;
  if (definition === NAMESPACE) {
    checkNamespacePreconditions(options, stored);
    return;
  }
  const { kind, group } = definition;
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

/** The same in the words in which namespaces are refused. */
function checkNamespacePreconditions(options: DeleteOptions, stored: Latest): void {
  const { metadata } = stored.object;
  const check = (what: string, asked: string, found: string): void => {
    if (asked === '' || asked === found) return;
    const why =
      `Precondition failed: ${what} in precondition: ${asked}, ` +
      `${what} in object meta: ${found}`;
    throw conflict({ group: '', resource: NAMESPACE.plural }, metadata.name ?? '', why);
  };
  check('UID', options.uid, metadata.uid ?? '');
  check('ResourceVersion', options.resourceVersion, String(stored.rv));
}

interface Removal {
  readonly key: string;
  readonly stored: Latest;
  readonly dryRun: boolean;
  readonly view: View;
}

function remove(
  shard: Shard,
  { key, stored, dryRun, view }: Removal,
  answer: Answer<ObjectReply>,
): void {
  const reply = removalReply(shard, stored, view, answer);
  if (dryRun) {
    reply();
    return;
  }
  stageRemoval(shard, key, stored, reply, (error) => answer.fail(storageFailure(error)));
}

/**
 * What answers the removal. A function of its own, so that what waits for the commit keeps no more
 * of the object than the answer needs.
 */
function removalReply(
  shard: Shard,
  { wire, object, markedAs }: Latest,
  view: View,
  answer: Answer<ObjectReply>,
): () => void {
  if (shard.kind.definition.deleteReturns === 'object') {
    const bytes = shownAs(markedAs, wire);
    return () => replyWith(answer, OK, () => shard.representations.of(view).document(bytes, 0));
  }
  const status = deletedStatus(shard.kind.version(view.version), object);
  return () => answer.reply(OK, shard.representations.status(view, status));
}

/** The Status of an immediate delete (src/resources/README.md#traits). */
function deletedStatus(version: ServedVersion, { metadata }: ApiObject): Status {
  const { group, resource } = version.resource;
  return successStatus({
    details: {
      name: metadata.name ?? '',
      ...(group === '' ? {} : { group }),
      kind: resource,
      uid: metadata.uid ?? '',
    },
  });
}

/**
 * Deletes the object with this key for somebody who does not read the answer. Gives why it is
 * refused, and undefined when it is done; a promise of that where somebody is waited for first.
 * `failed` is called when what was staged could not be committed, and `replied` with the header of
 * the answer.
 */
export function deleteUnseen(
  shard: Shard,
  key: string,
  options: DeleteOptions,
  failed: (error: unknown) => void,
  replied: (reply: ObjectReply) => void = () => undefined,
): StatusError | undefined | Promise<StatusError | undefined> {
  let isStaged = false;
  let settle: ((refusal: StatusError | undefined) => void) | undefined;
  const answer: Answer<ObjectReply> = {
    reply: (reply) => {
      replied(reply);
      settle?.(undefined);
    },
    fail: (error) => {
      const isRefusal = settle !== undefined && error instanceof StatusError;
      if (!isRefusal) failed(error);
      settle?.(isRefusal ? error : undefined);
    },
  };
  const attempt = new Attempt(shard, answer, (told) => {
    isStaged = deleteStored(shard, key, options, told);
  });
  try {
    attempt.begin();
  } catch (refusal) {
    if (!(refusal instanceof StatusError)) throw refusal;
    return refusal;
  }
  if (isStaged) return undefined;
  return new Promise((resolve) => (settle = resolve));
}
