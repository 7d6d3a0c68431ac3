/** Deletes all that a terminating namespace holds, in bounded steps between other requests. */
import type { Answer } from '../actors/link.ts';
import { markTerminating, stageRemoval } from './delete.ts';
import type { Shard } from './shard.ts';

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
  const keys = new Set<string>();
  shard.table.scan(namespace, ({ key }) => keys.add(key));
  // What is being committed in this moment is not yet in the table, but was accepted before.
  shard.pipeline.uncommittedKeys(`${namespace}/`, (key) => keys.add(key));
  emptyKeys(shard, [...keys]).then(
    (remaining) => answer.reply({ remaining }),
    (error: unknown) => answer.fail(error),
  );
}

async function emptyKeys(shard: Shard, keys: readonly string[]): Promise<number> {
  let remaining = 0;
  let failure: Error | undefined;
  const failed = (error: unknown): void => void (failure ??= error as Error);
  for (let from = 0; from < keys.length; from += STEP_OBJECTS) {
    for (const key of keys.slice(from, from + STEP_OBJECTS)) {
      const stored = shard.latest(key);
      if (stored === undefined) continue;
      if ((stored.object.metadata.finalizers?.length ?? 0) === 0) {
        stageRemoval(shard, key, stored, () => undefined, failed);
      } else {
        remaining++;
        markTerminating(shard, key, stored, false, { reply: () => undefined, fail: failed });
      }
    }
    await shard.pipeline.idle();
    if (failure !== undefined) throw failure;
  }
  return remaining;
}
