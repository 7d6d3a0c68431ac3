/** Deletes all that a terminating namespace holds, in bounded steps between other requests. */
import type { Answer } from '../actors/link.ts';
import { markTerminating } from './delete.ts';
import { deleteMany } from './delete-many.ts';
import { keysOfNamespace } from './object-table.ts';
import { stageRemoval } from './removal.ts';
import type { Shard } from './shard.ts';

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
  const range = keysOfNamespace(namespace);
  const keys = new Set<string>();
  shard.table.scan(range, ({ key }) => void keys.add(key));
  // What is being committed in this moment is not yet in the table, but was accepted before.
  shard.pipeline.uncommittedKeys(range.from, (key) => keys.add(key));
  deleteMany(shard, [...keys], (key, failed) => deleteOne(shard, key, failed)).then(
    // Counted anew: what looked gone may be back, if its own deletion failed.
    () => answer.reply({ remaining: shard.table.count(range), terminating: true }),
    (error: unknown) => answer.fail(error),
  );
}

function deleteOne(shard: Shard, key: string, failed: (error: unknown) => void): boolean {
  const stored = shard.latest(key);
  if (stored === undefined) return true;
  if ((stored.object.metadata.finalizers?.length ?? 0) === 0) {
    stageRemoval(shard, key, stored, () => undefined, failed);
  } else {
    const target = { key, stored, dryRun: false, code: 200 };
    markTerminating(shard, target, { reply: () => undefined, fail: failed });
  }
  return true;
}
