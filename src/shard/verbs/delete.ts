/**
 * delete: at once, or by setting deletionTimestamp while something holds the object
 * (../README.md#deletion).
 */
import { NAMESPACE } from '../../resources/core/namespace.ts';
import type { ApiObject } from '../../resources/kind.ts';
import {
  conflict,
  forbidden,
  notFound,
  successStatus,
  type Status,
} from '../../semantics/errors/status.ts';
import type { ServedVersion } from '../../types/served-version.ts';
import { shownAs } from '../read/converting.ts';
import { deleteOptions } from '../write/delete-options.ts';
import type { DeleteOptions } from '../write/delete-options.ts';
import type { Latest } from '../log/latest.ts';
import { planDeletion, type Deletion } from '../write/plan-deletion.ts';
import { splitKey } from '../table/selection.ts';
import type { Shard } from '../state/shard.ts';
import type { DeleteRequest, ObjectReply, View } from '../../protocol/shard-protocol.ts';
import { optionsOf, propose } from '../../proposals/admission.ts';
import { shownObject } from '../write/answer-body.ts';
import { removal } from '../write/removal.ts';
import { modified, replaceObject } from '../write/replace-object.ts';
import type { Steps } from '../../proposals/steps.ts';
import type { AnswerBody, Outcome, Write } from '../write/write.ts';

const OK: ObjectReply = { code: 200 };

/** Throws StatusError 400, 403, 404, 409 or 422; otherwise answers 200 or 202. */
export function* deleteObject(
  write: Write,
  request: DeleteRequest,
  body: Uint8Array,
): Steps<Outcome> {
  const { shard } = write;
  const key = shard.keyOf(request.namespace, request.name);
  write.restOn(key);
  const options = deleteOptions(shard, request, body);
  const { undeletable } = shard.kind.definition;
  if (undeletable?.names.has(request.name) === true) {
    const { resource } = shard.kind.version(options.view.version);
    throw forbidden(resource, request.name, undeletable.why);
  }
  write.warn(deleteWarnings(shard, options));
  return yield* deleteStored(write, key, options);
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

/** Deletes the object with this key. Throws StatusError 403, 404 or 409. */
export function* deleteStored(write: Write, key: string, options: DeleteOptions): Steps<Outcome> {
  const { shard } = write;
  const [namespace, name] = splitKey(key);
  const { view, dryRun, user, isAudited, isAdmitted, isOfCollection } = options;
  const stored = write.latest(key);
  if (stored === undefined) throw notFound(shard.kind.version(view.version).resource, name);
  checkPreconditions(shard, options, stored);
  if (isAdmitted === true) {
    write.admitUnasked('it is a part of an operation that was admitted as what it is');
  } else if (isPending(shard, stored, options)) {
    write.admitUnasked(
      'who was asked about a deletion is not asked while its grace period goes on',
    );
  } else {
    const named = isOfCollection === true ? '' : name;
    const asked = { ...view, namespace, name: named, dryRun, user, isAudited };
    const admission = propose(write, asked, {
      operation: 'DELETE',
      name: named,
      oldObject: stored.object,
      options: () => deletionOptions(withOwnUid(shard, stored, options)),
    });
    yield* admission.admit(undefined);
    yield* admission.validate(undefined);
  }
  return yield* deleteAdmitted(write, { key, stored, options });
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
  const hasSteps = definition.emptiesNamespace || definition.beginEnd !== undefined;
  return hasSteps ? { ...options, uid: options.uid ?? metadata.uid } : options;
}

interface AdmittedDeletion {
  readonly key: string;
  readonly stored: Latest;
  readonly options: DeleteOptions;
}

function* deleteAdmitted(write: Write, { key, stored, options }: AdmittedDeletion): Steps<Outcome> {
  const { shard } = write;
  const { view, dryRun } = options;
  const { updated, removes } = planOf(shard, stored, options);
  if (!removes) {
    // With `orphanDependents: false` said explicitly the answer is 202 while the object waits
    // (../README.md#deletion).
    const code = options.orphanDependents === false ? 202 : 200;
    const representation = shard.representations.of(view);
    const target = { key, stored, updated: updated ?? stored.object, dryRun, code };
    return yield* replaceObject(write, { ...target, representation });
  }
  if (updated === undefined) {
    const body = removedBody(shard, stored, view);
    return { changes: dryRun ? [] : [removal(shard, key, stored)], reply: OK, body };
  }
  const wire = shard.kind.stored.codec.encode(updated);
  if (dryRun)
    return { changes: [], reply: OK, body: removedBody(shard, { ...stored, wire }, view) };
  // Watches get the terminating object, then its removal. If one of both writes fails, both do.
  const first = modified(shard, key, stored, updated, wire);
  const last = { ...stored, object: updated, rv: first.rv, wire: first.wire };
  const changes = [first, removal(shard, key, last)];
  return { changes, reply: OK, body: removedBody(shard, last, view) };
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
  if (definition.emptiesNamespace) {
    checkNamespacePreconditions(options, stored);
    return;
  }
  const { kind, group } = definition;
  let why = '';
  if (uid !== undefined && uid !== metadata.uid) {
    why =
      `the UID in the precondition (${uid}) does not match the UID in record ` +
      `(${metadata.uid}). The object might have been deleted and then recreated`;
  } else if (resourceVersion !== undefined && resourceVersion !== storedVersion) {
    why =
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ` +
      `ResourceVersion in record (${storedVersion}). The object might have been modified`;
  }
  if (why === '') return;
  // The reference names the kind where the resource type belongs.
  throw conflict({ group, resource: kind }, metadata.name ?? '', why);
}

/** Checks preconditions in the words in which namespaces are refused. */
function checkNamespacePreconditions(options: DeleteOptions, stored: Latest): void {
  const { metadata } = stored.object;
  const check = (what: string, asked: string | undefined, found: string): void => {
    if (asked === undefined || asked === found) return;
    const why =
      `Precondition failed: ${what} in precondition: ${asked}, ` +
      `${what} in object meta: ${found}`;
    throw conflict({ group: '', resource: NAMESPACE.plural }, metadata.name ?? '', why);
  };
  check('UID', options.uid, metadata.uid ?? '');
  check('ResourceVersion', options.resourceVersion, String(stored.rv));
}

/** The body that answers the removal: it keeps no more of the object than it needs. */
function removedBody(
  shard: Shard,
  { wire, object, markedAs }: Pick<Latest, 'wire' | 'object' | 'markedAs'>,
  view: View,
): AnswerBody {
  if (shard.kind.version(view.version).deleteReturns === 'object') {
    return shownObject(shard.representations.of(view), shownAs(markedAs, wire));
  }
  const status = deletedStatus(shard.kind.version(view.version), object);
  return () => [shard.representations.status(view, status)];
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

/** The options of a deletion as a document of that kind. */
function deletionOptions(options: DeleteOptions): object {
  const { dryRun, uid, resourceVersion, propagationPolicy, orphanDependents } = options;
  const { gracePeriodSeconds } = options;
  const preconditions = {
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  return {
    ...optionsOf('DeleteOptions'),
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(Object.keys(preconditions).length > 0 && { preconditions }),
    ...(orphanDependents !== undefined && { orphanDependents }),
    ...(propagationPolicy !== '' && { propagationPolicy }),
    ...(dryRun && { dryRun: ['All'] }),
  };
}
