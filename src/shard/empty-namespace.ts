/** Deletes all that a terminating namespace holds, in bounded steps between other requests. */
import type { Answer } from '../actors/link.ts';
import type { ApiObject } from '../resources/kind.ts';
import { stageRemoval } from './delete.ts';
import type { Shard } from './shard.ts';
import { utcSeconds } from './utc-time.ts';
import { writeUpdate } from './update.ts';

/** Objects deleted per turn: their requests share the mailbox with everybody else's. */
const STEP_OBJECTS = 500;

/**
 * Answers with the number of objects that finalizers hold back, once all others are gone. From
 * this moment on creates in the namespace are refused: mailbox order makes it final.
 */
export function emptyNamespace(
  shard: Shard,
  namespace: string,
  answer: Answer<{ remaining: number }>,
): void {
  shard.namespaces.update([{ name: namespace, state: 'terminating' }]);
  const keys: string[] = [];
  shard.table.scan(namespace, ({ key }) => keys.push(key));
  // What is committed in this moment is not yet in the table, but was accepted before.
  shard.pipeline.uncommittedKeys(`${namespace}/`, (key) => keys.push(key));
  emptyKeys(shard, [...new Set(keys)], 0, 0, answer);
}

function emptyKeys(
  shard: Shard,
  keys: readonly string[],
  from: number,
  heldBack: number,
  answer: Answer<{ remaining: number }>,
): void {
  let remaining = heldBack;
  const end = Math.min(keys.length, from + STEP_OBJECTS);
  for (const key of keys.slice(from, end)) {
    const stored = shard.latest(key);
    if (stored === undefined) continue;
    if ((stored.object.metadata.finalizers?.length ?? 0) === 0) {
      stageRemoval(shard, key, stored, () => undefined, (error) => answer.fail(error));
      continue;
    }
    remaining++;
    const metadata = { ...stored.object.metadata };
    metadata.deletionTimestamp ??= utcSeconds(shard.nowMs());
    metadata.deletionGracePeriodSeconds ??= 0;
    const updated: ApiObject = { ...stored.object, metadata };
    const ignored = { reply: () => undefined, fail: (error: unknown) => answer.fail(error) };
    writeUpdate(shard, { key, stored, updated, dryRun: false }, ignored);
  }
  void shard.pipeline.idle().then(() => {
    if (end === keys.length) answer.reply({ remaining });
    else emptyKeys(shard, keys, end, remaining, answer);
  });
}
