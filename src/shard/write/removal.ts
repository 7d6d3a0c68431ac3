/** The removal of an object: the write that ends it, whatever brought it about. */
import type { ApiObject } from '../../resources/kind.ts';
import { OPERATION } from '../../storage/record.ts';
import type { Latest } from '../log/latest.ts';
import type { Shard } from '../state/shard.ts';
import { withResourceVersion } from '../log/stored-text-edits.ts';
import type { Change, ObjectChange } from '../state/change.ts';

type Removed = Pick<Latest, 'rv' | 'object' | 'wire' | 'writtenAs'>;

/** The mark of a deletion carries the last state at the version of the deletion. */
export function removal(shard: Shard, key: string, { rv: last, ...stored }: Removed): ObjectChange {
  const { object, wire, writtenAs } = stored;
  const rv = shard.clock.take();
  return {
    operation: OPERATION.deleted,
    rv,
    key,
    previousRv: last,
    object,
    wire: withResourceVersion(wire, rv),
    writtenAs,
    release: releasing(shard, object, undefined),
  };
}

/**
 * Gives back what an object has and its successor has not, where the kind allocates any. A function
 * of its own, so that other writes do not keep their objects until the commit.
 */
export function releasing(
  shard: Shard,
  stored: ApiObject,
  updated: ApiObject | undefined,
): Change['release'] {
  if (shard.kind.definition.newAllocator === undefined) return undefined;
  return () => {
    const { allocator } = shard;
    allocator?.release(stored, updated);
    return allocator?.giveBack?.(stored, updated);
  };
}
