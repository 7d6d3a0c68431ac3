/**
 * apply: server-side apply. The configuration of one manager becomes a part of the object, which is
 * created when it is missing; conflicts with other managers are refused
 * (src/semantics/fields/README.md#apply).
 */
import type { ApiObject } from '../../resources/kind.ts';
import { conflict, notFound } from '../../semantics/errors/status.ts';
import { managedFieldsOf, ownersOfApply } from '../../types/field-owners.ts';
import type { Scale } from '../../types/scale-mapping.ts';
import type { ServedVersion } from '../../types/served-version.ts';
import { kindOf } from '../../proposals/proposal-context.ts';
import { latestIn } from '../write/in-version.ts';
import { checkIdentity } from '../../proposals/decode-body.ts';
import type { PatchRequest } from '../../protocol/shard-protocol.ts';
import { isUncontested } from '../../proposals/admission.ts';
import { objectReply } from '../write/object-reply.ts';
import { writerOf } from '../../proposals/writer-of.ts';
import { unchanged } from '../write/replace-object.ts';
import { orRestart, TURN, type Steps } from '../../proposals/steps.ts';
import type { Outcome, Write } from '../write/write.ts';
import {
  appliedConfig,
  appliedObject,
  checkReadable,
  checkScale,
  configOfScale,
  identityOf,
  readConfig,
} from './applied-object.ts';
import { refuseCustomScale } from './apply-custom-scale.ts';
import { createObject } from './create.ts';
import { replace, updateWarnings } from './update.ts';

/** Throws StatusError 400, 404, 409, 422 or 500; otherwise answers 200 or 201. */
export function* apply(write: Write, request: PatchRequest, body: Uint8Array): Steps<Outcome> {
  const { shard } = write;
  const kind = kindOf(shard, request);
  const version = kind.version(request.version);
  const key = shard.keyOf(request.namespace, request.name);
  write.restOn(key);
  const isScale = request.subresource === 'scale';
  const served = kind.servedAs(request);
  if (request.subresource !== '' && !shard.exists(key)) {
    checkReadable(body, request);
    throw notFound(version.resource, request.name);
  }
  const { config: sent, hasShortNumbers, warnings } = readConfig(served, body, request);
  const stored = yield* latestIn(write, key, kind);
  const writer = writerOf(shard, request);
  const { replicasPath } = kind.definition;
  if (isScale && stored !== undefined && replicasPath !== undefined) {
    const { force } = request;
    refuseCustomScale(kind.scale(request.version), replicasPath, sent, stored, { writer, force });
    checkIdentity(kind.definition, identityOf(sent, request), request);
    const reply = objectReply(200, warnings);
    return { ...unchanged(shard, stored, shard.representations.of(request)), reply };
  }
  const config = isScale ? configOfScale(served, version, sent) : sent;
  const applied = yield* orRestart(() => appliedConfig(kind, request, config, stored, writer));
  const { before, entries, changes } = applied;
  if (isScale) checkScale(served, sent);
  // An apply to the status ignores the other members.
  if (stored !== undefined && !changes && request.subresource !== 'status') {
    checkIdentity(kind.definition, identityOf(config, request), request);
  }
  if (stored !== undefined && !changes && isUncontested(shard, 'UPDATE', request)) {
    const { object } = stored;
    const ofKind = updateWarnings(shard, request, object, object) ?? [];
    const reply = objectReply(200, [...warnings, ...ofKind]);
    return { ...unchanged(shard, stored, shard.representations.of(request)), reply };
  }
  const object = appliedObject(version, config, stored, applied, hasShortNumbers);
  checkIdentity(kind.definition, object, request);
  if (stored === undefined) {
    checkNoUid(object, version, request.name);
    const track = () => managedFieldsOf(entries);
    return yield* createObject(write, request, { object, warnings }, { track, isUpdate: true });
  }
  yield TURN;
  const written = { object: isScale ? scaleOf(object) : object, warnings };
  return yield* replace(write, request, written, stored, (updated) =>
    ownersOfApply(updated, stored.object, before, entries),
  );
}

/** The Scale of an object, with what is written through it. */
function scaleOf({ metadata, spec }: ApiObject): Scale {
  const { name, namespace, uid, resourceVersion } = metadata;
  const { replicas } = (spec ?? {}) as { replicas?: number };
  return {
    metadata: { name, namespace, uid, resourceVersion },
    spec: replicas === undefined ? {} : { replicas },
  };
}

function checkNoUid({ metadata: { uid } }: ApiObject, version: ServedVersion, name: string): void {
  if (uid === undefined) return;
  const sent = `the provided object specified uid ${uid}`;
  const why = `uid mismatch: ${sent}, and no existing object was found`;
  throw conflict(version.resource, name, why);
}
