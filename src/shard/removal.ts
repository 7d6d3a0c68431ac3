/** The removal of an object: the write that ends it, whatever brought it about. */
import type { ApiObject } from '../resources/kind.ts';
import { OPERATION } from '../storage/record.ts';
import type { Latest } from './latest.ts';
import type { Shard } from './shard.ts';
import { withResourceVersion } from './stored-text-edits.ts';

/** The mark of a deletion carries the last state at the version of the deletion. */
export function stageRemoval(
  shard: Shard,
  key: string,
  stored: Latest,
  committed: () => void,
  failed: (error: Error) => void,
): void {
  const rv = shard.clock.take();
  shard.stage({
    operation: OPERATION.deleted,
    rv,
    key,
    previousRv: stored.rv,
    object: stored.object,
    wire: withResourceVersion(stored.wire, rv),
    writtenAs: stored.writtenAs,
    committed:
      shard.kind.definition.newAllocator === undefined
        ? committed
        : releasing(shard, stored.object, committed),
    failed,
  });
}

/** A function of its own, so that other removals do not keep their objects until the commit. */
function releasing(shard: Shard, removed: ApiObject, committed: () => void): () => void {
  return () => {
    shard.allocator?.release(removed, undefined);
    committed();
  };
}
