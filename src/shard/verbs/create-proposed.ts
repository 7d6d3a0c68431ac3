/**
 * createProposed: a new object that a front has proposed, had admitted and written down
 * (src/proposals/README.md#elsewhere): what is left is what its shard alone knows.
 */
import { splitKey } from '../table/selection.ts';
import { decodeRecordHeader } from '../../storage/record.ts';
import type { Steps } from '../../proposals/steps.ts';
import { interestInNew } from '../../proposals/draft.ts';
import { ASK_WITH_BODY, type ProposedRequest } from '../../protocol/shard-protocol.ts';
import { writtenObject } from '../write/answer-body.ts';
import { checkNamespace } from '../write/check-namespace.ts';
import { objectReply } from '../write/object-reply.ts';
import { NO_BODY, type Outcome, type Write } from '../write/write.ts';
import { taken } from './create.ts';

/**
 * Throws StatusError 403, 404 or 409; otherwise answers 201, or that the shard is to be asked with
 * the body: somebody who keeps something of such writes has got something to do since.
 */
export function* createProposed(
  write: Write,
  request: ProposedRequest,
  draft: Uint8Array,
): Steps<Outcome> {
  const { shard } = write;
  const { versionAt, uid, generateName } = request;
  const interest = interestInNew(shard, request.version);
  if (!interest.keepsNothingIn(request.namespace)) {
    yield interest.ready();
    const isStill = interest.keepsNothingIn(request.namespace);
    if (!isStill) return { changes: [], reply: { code: ASK_WITH_BODY }, body: NO_BODY };
  }
  const header = decodeRecordHeader(draft);
  const { key, operation } = header;
  const [, name] = splitKey(key);
  checkNamespace(shard, request, { name });
  if (shard.exists(key)) throw taken(write, request, key, { name, generateName });
  write.restOn(key, 0);
  write.admitUnasked('whoever proposed it has asked');
  const rv = shard.clock.take();
  const change = { operation, rv, key, previousRv: 0, draft, versionAt, header, uid };
  const representation = shard.representations.of(request);
  return {
    changes: [change],
    reply: objectReply(201),
    body: writtenObject(shard, representation, rv),
  };
}
