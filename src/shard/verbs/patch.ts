/**
 * patch: changes the object as it is in this moment, in the version of the request, and then does
 * what an update does (src/semantics/patch/README.md#patch-types). Nothing comes between the look
 * at the object and the write, so that a patch never races with another writer.
 */
import { isJsonText } from '../../codec/json/json-syntax.ts';
import { ownRelease } from '../../release/release.ts';
import { badRequest, notFound } from '../../semantics/errors/status.ts';
import { kindOf } from '../../proposals/proposal-context.ts';
import { latestIn } from '../write/in-version.ts';
import { checkIdentity, receivedText } from '../../proposals/decode-body.ts';
import type { PatchRequest } from '../../protocol/shard-protocol.ts';
import { TURN, type Steps } from '../../proposals/steps.ts';
import type { Outcome, Write } from '../write/write.ts';
import { apply } from './apply.ts';
import { patchedObject } from './patched-object.ts';
import { replace } from './update.ts';

const READS_FIRST = ownRelease().has('readPatchesFirst');

/** Throws StatusError 400, 404, 409, 413, 422 or 500; otherwise answers 200. */
export function* patch(write: Write, request: PatchRequest, body: Uint8Array): Steps<Outcome> {
  if (request.patchType === 'apply') return yield* apply(write, request, body);
  const { shard } = write;
  const kind = kindOf(shard, request);
  const key = shard.keyOf(request.namespace, request.name);
  if (READS_FIRST && !isJsonText(receivedText(body))) throw badRequest('invalid JSON patch');
  const stored = yield* latestIn(write, key, kind);
  if (stored === undefined) throw notFound(kind.version(request.version).resource, request.name);
  yield TURN;
  const patched = patchedObject(kind, request, body, stored);
  checkIdentity(kind.definition, patched.object, request);
  yield TURN;
  return yield* replace(write, request, patched, stored);
}
