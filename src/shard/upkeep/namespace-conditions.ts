/** Writes into a terminating namespace what holds its end up (../README.md#namespaces). */
import type { Answer } from '../../actors/link.ts';
import { utcSeconds } from '../../base/time/utc-time.ts';
import { replaceNamespace } from './controller-writes.ts';
import type { Shard } from '../state/shard.ts';
import type { NamespaceCondition } from '../../protocol/upkeep-protocol.ts';

interface StoredCondition extends Omit<NamespaceCondition, 'status'> {
  readonly status: string;
  readonly lastTransitionTime?: string;
}

/** The status of a namespace that does not terminate any more, or that says it already, stays. */
export function setConditions(
  shard: Shard,
  name: string,
  conditions: readonly NamespaceCondition[],
  answer: Answer<undefined>,
): void {
  const stored = shard.latest(name);
  if (stored?.object.metadata.deletionTimestamp === undefined) {
    answer.reply(undefined);
    return;
  }
  const status = (stored.object['status'] ?? {}) as { conditions?: StoredCondition[] };
  const merged = mergeConditions(status.conditions ?? [], conditions, utcSeconds(shard.nowMs()));
  const metadata = { ...stored.object.metadata };
  const updated = { ...stored.object, metadata, status: { ...status, conditions: merged } };
  replaceNamespace(shard, { stored, updated, subresource: 'status' }, answer);
}

/** Others are kept, and so is the time of a condition whose status is the same. */
export function mergeConditions(
  stored: readonly StoredCondition[],
  wanted: readonly NamespaceCondition[],
  now: string,
): StoredCondition[] {
  const merged = [...stored];
  for (const { type, status, reason, message } of wanted) {
    const index = merged.findIndex((condition) => condition.type === type);
    const before = merged[index];
    const since = before?.status === status ? before.lastTransitionTime : undefined;
    const condition = { type, status, lastTransitionTime: since ?? now, reason, message };
    if (index < 0) merged.push(condition);
    else merged[index] = condition;
  }
  return merged;
}
