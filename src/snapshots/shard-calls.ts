/** Asks the shards of types for what snapshots need of them. */
import { LinkClosedError, type Link } from '../actors/link.ts';
import type { ShardCalls, ShardEvents } from '../protocol/shard-protocol.ts';
import type { SnapshotCalls } from '../protocol/snapshot-protocol.ts';

export type Shards = ReadonlyMap<string, Link<ShardCalls, ShardEvents>>;

export interface Answered<V extends keyof SnapshotCalls> {
  readonly type: string;
  readonly reply: SnapshotCalls[V]['reply'];
}

/** Asks all at once. Types that end meanwhile have nothing to say. Rejects with StatusError. */
export async function callShards<V extends keyof SnapshotCalls>(
  shards: Shards,
  verb: V,
  request: SnapshotCalls[V]['request'],
): Promise<readonly Answered<V>[]> {
  const answers = await Promise.all(
    [...shards].map(async ([type, shard]) => {
      try {
        const reply = await shard.call('snapshot', { verb, request });
        return [{ type, reply: reply as SnapshotCalls[V]['reply'] }];
      } catch (error) {
        if (error instanceof LinkClosedError) return [];
        throw error;
      }
    }),
  );
  return answers.flat();
}

/** Those of these types that there are. */
export function only(shards: Shards, types: Iterable<string>): Shards {
  const found = new Map(shards);
  const asked = new Set(types);
  for (const type of shards.keys()) if (!asked.has(type)) found.delete(type);
  return found;
}
