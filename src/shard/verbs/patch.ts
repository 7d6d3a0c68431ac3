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
import { checkIdentity, receivedText, type DecodedBody } from '../../proposals/decode-body.ts';
import type { ResourceType } from '../../types/resource-type.ts';
import type { Latest } from '../log/latest.ts';
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
  const stored = yield* latestIn(write, key, kind);
  if (stored === undefined) {
    throw toldFirst(body, notFound(kind.version(request.version).resource, request.name));
  }
  yield TURN;
  const patched = patchedBy(request, body, { kind, stored });
  checkIdentity(kind.definition, patched.object, request);
  yield TURN;
  return yield* replace(write, request, patched, stored);
}

interface Patchable {
  readonly kind: ResourceType;
  readonly stored: Latest;
}

function patchedBy(
  request: PatchRequest,
  body: Uint8Array,
  { kind, stored }: Patchable,
): DecodedBody {
  try {
    return patchedObject(kind, request, body, stored);
  } catch (error) {
    throw toldFirst(body, error);
  }
}

/**
 * The error to tell. That a patch is no JSON comes before all else in some releases: to find out
 * takes as long as to apply it, so it is asked only where there is an error.
 */
function toldFirst(body: Uint8Array, error: unknown): unknown {
  const isTold = READS_FIRST && !isJsonText(receivedText(body));
  return isTold ? badRequest('invalid JSON patch') : error;
}
