/** Deletes all that a terminating namespace holds, in bounded steps between other requests. */
import type { Answer } from '../actors/link.ts';
import { markTerminating, stageRemoval } from './delete.ts';
import type { Shard } from './shard.ts';

/** Objects deleted per turn: their requests share the mailbox with everybody else's. */
const STEP_OBJECTS = 500;

/**
 * Answers with the number of objects that are left: those that finalizers hold back, once all
 * others are gone. Creates in a terminating namespace are refused, so none can follow. A namespace
 * that does not terminate, because it was made anew in the meantime, is left alone.
 */
export function emptyNamespace(
  shard: Shard,
  namespace: string,
  answer: Answer<{ remaining: number; terminating: boolean }>,
): void {
  if (!shard.namespaces.isTerminating(namespace)) {
    answer.reply({ remaining: 0, terminating: false });
    return;
  }
  const keys = new Set<string>();
  shard.table.scan(namespace, ({ key }) => keys.add(key));
  // What is being committed in this moment is not yet in the table, but was accepted before.
  shard.pipeline.uncommittedKeys(`${namespace}/`, (key) => keys.add(key));
  emptyKeys(shard, namespace, [...keys]).then(
    (remaining) => answer.reply({ remaining, terminating: true }),
    (error: unknown) => answer.fail(error),
  );
}

async function emptyKeys(
  shard: Shard,
  namespace: string,
  keys: readonly string[],
): Promise<number> {
  let failure: Error | undefined;
  const failed = (error: unknown): void => void (failure ??= error as Error);
  for (let from = 0; from < keys.length; from += STEP_OBJECTS) {
    if (shard.stopping) throw new Error('the server stops');
    for (const key of keys.slice(from, from + STEP_OBJECTS)) {
      const stored = shard.latest(key);
      if (stored === undefined) continue;
      if ((stored.object.metadata.finalizers?.length ?? 0) === 0) {
        stageRemoval(shard, key, stored, () => undefined, failed);
      } else {
        const target = { key, stored, dryRun: false, code: 200 };
        markTerminating(shard, target, { reply: () => undefined, fail: failed });
      }
    }
    // Not until it is idle: others may go on writing without a pause.
    await shard.pipeline.settled();
    if (failure !== undefined) throw failure;
  }
  // Not counted above: what looked gone may be back, if its own deletion failed.
  let remaining = 0;
  shard.table.scan(namespace, () => remaining++);
  return remaining;
}
