/** get: the stored bytes of one object (SPEC Resource version semantics; API-FACTS 7.5). */
import type { Answer } from '../actors/link.ts';
import { notFound } from '../semantics/status.ts';
import { whenNotOlderThan } from './resource-version.ts';
import type { Shard } from './shard.ts';
import type { GetRequest, ObjectReply } from './shard-protocol.ts';
import { NEWLINE } from './wire.ts';

const OK: ObjectReply = { code: 200 };

export function get(shard: Shard, request: GetRequest, answer: Answer<ObjectReply>): void {
  whenNotOlderThan(shard, request.resourceVersion, () => {
    const key = shard.keyOf(request.namespace, request.name);
    const entry = shard.table.get(key);
    if (entry === undefined) {
      answer.fail(notFound(shard.kind.resource, request.name));
      return;
    }
    answer.reply(OK, shard.kind.objectPrefix, shard.wireAt(entry.rv), NEWLINE);
  });
}
