/** Deletes all that a terminating namespace holds, in bounded steps between other requests. */
import type { Answer } from '../../actors/link.ts';
import { whenKnown } from '../../base/turns/when-known.ts';
import type { StatusError } from '../../semantics/errors/status.ts';
import { deleteOrRefuse, NAMESPACE_CONTROLLER } from './controller-writes.ts';
import { deleteMany } from '../write/delete-many.ts';
import { keysOfNamespace } from '../table/object-table.ts';
import type { Shard } from '../state/shard.ts';
import type { NamespaceContent } from '../../protocol/upkeep-protocol.ts';

const NOT_TERMINATING: NamespaceContent = { terminating: false, remaining: 0, finalizers: {} };

/**
 * Answers with what is left: the objects that finalizers or a grace period hold back, once all
 * others are gone. A namespace that does not terminate, because it was made anew in the meantime,
 * is left alone.
 *
 * Nothing is left behind: the order is given after it was written down that the namespace ends, and
 * so it waits here until this thread knows. A create looks at the namespace in the turn in which it
 * is staged. One that was staged before that is among what is deleted, committed or not; any later
 * one finds that the namespace ends, and is refused.
 */
export function emptyNamespace(
  shard: Shard,
  namespace: string,
  answer: Answer<NamespaceContent>,
): void {
  const { namespaces } = shard;
  if (namespaces === undefined || namespaces.isCurrent) {
    emptyKnown(shard, namespace, answer);
    return;
  }
  namespaces
    .whenCurrent()
    .then(() => emptyKnown(shard, namespace, answer))
    .catch((error: unknown) => answer.fail(error));
}

function emptyKnown(shard: Shard, namespace: string, answer: Answer<NamespaceContent>): void {
  if (shard.namespaces?.isTerminating(namespace) !== true) {
    answer.reply(NOT_TERMINATING);
    return;
  }
  const range = keysOfNamespace(namespace);
  const keys = new Set<string>();
  shard.table.scan(range, ({ key }) => void keys.add(key));
  // Waits for writes that were accepted but are not in the table yet.
  shard.pipeline.uncommittedKeys(range.from, (key) => keys.add(key));
  deleteMany(shard, [...keys], (key, failed) => {
    // A restore of a snapshot may have brought it back between two steps.
    if (shard.namespaces?.isTerminating(namespace) !== true) return true;
    const told = (refusal: StatusError | undefined): boolean => {
      if (refusal !== undefined) failed(refusal);
      return true;
    };
    const writer = { shard, user: NAMESPACE_CONTROLLER };
    return whenKnown(deleteOrRefuse(writer, key, 'Background', failed), told);
  })
    .then(() => contentLeft(shard, namespace))
    .then(
      (content) => answer.reply(content),
      (error: unknown) => answer.fail(error),
    );
}

/** Counts again: an object whose deletion failed to commit is still there. */
async function contentLeft(shard: Shard, namespace: string): Promise<NamespaceContent> {
  const finalizers: Record<string, number> = {};
  const left: string[] = [];
  shard.table.scan(keysOfNamespace(namespace), ({ key }) => void left.push(key));
  const { length: remaining } = left;
  await deleteMany(shard, left, (key) => {
    for (const finalizer of new Set(shard.latest(key)?.object.metadata.finalizers)) {
      finalizers[finalizer] = (finalizers[finalizer] ?? 0) + 1;
    }
    return true;
  });
  return { terminating: true, remaining, finalizers };
}
