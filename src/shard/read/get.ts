/** get: the stored bytes of one object (../README.md#resource-versions). */
import type { Answer } from '../../actors/link.ts';
import { ownRelease } from '../../release/release.ts';
import { expired, notFound, type GroupResource } from '../../semantics/errors/status.ts';
import { replyWith } from './converting.ts';
import { viewAt, type ReadView } from './read-view.ts';
import { whenNotOlderThan } from './resource-version.ts';
import type { Shard } from '../state/shard.ts';
import type { GetRequest, ObjectReply } from '../../protocol/shard-protocol.ts';

const TOO_OLD = 'has left the history: see --watch-history';
const OK: ObjectReply = { code: 200 };

/** Answers 200 or 404, once the version that is asked for has been reached. */
export function get(shard: Shard, request: GetRequest, answer: Answer<ObjectReply>): void {
  const { at } = request;
  const asked = at === undefined ? request.resourceVersion : String(at);
  whenNotOlderThan(shard, asked, (newest) => {
    if (at === undefined) return getFrom(newest, shard, request, answer);
    viewAt(shard, at, (view) => {
      if (view === undefined) return answer.fail(expired(`version ${at} ${TOO_OLD}`));
      try {
        getFrom(view, shard, request, answer);
      } catch (error) {
        answer.fail(error);
      }
    });
  });
}

function getFrom(
  view: ReadView,
  shard: Shard,
  request: GetRequest,
  answer: Answer<ObjectReply>,
): void {
  const rv = view.versionOf(shard.keyOf(request.namespace, request.name));
  if (rv === undefined) {
    answer.fail(notFound(missing(shard, request), request.name));
    return;
  }
  const representation = shard.representations.of(request);
  // While a webhook is asked, other reads go on, and the version may leave history.
  const wire = shard.wireAt(rv);
  const kept = representation.needed === undefined ? wire : Uint8Array.from(wire);
  replyWith(answer, OK, () => representation.document(kept, rv));
}

/** Whether what is missing is the object where its scale is asked for. */
const NAMES_OBJECTS = ownRelease().has('missingScales');

/** The resource that a 404 names. */
function missing({ kind }: Shard, { version, subresource }: GetRequest): GroupResource {
  const { resource } = kind.version(version);
  const { missingScaleIn } = kind.definition;
  const isOther = subresource === 'scale' && missingScaleIn !== undefined && !NAMES_OBJECTS;
  if (!isOther) return resource;
  return { group: missingScaleIn, resource: `${resource.resource}/scale` };
}
