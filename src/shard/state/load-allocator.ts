/** Tells an allocator of all that has been given. */
import type { Allocator } from '../../resources/allocator.ts';
import type { ApiObject } from '../../resources/kind.ts';
import type { Latest } from '../log/latest.ts';
import { ALL_KEYS, type ObjectTable } from '../table/object-table.ts';
import type { WritePipeline } from './write-pipeline.ts';

/** All objects of a type, also those that are not committed yet. */
export interface KnownObjects {
  readonly table: Pick<ObjectTable, 'scan'>;
  readonly pipeline: Pick<WritePipeline, 'uncommittedKeys'>;
  readonly allocating: ReadonlySet<ApiObject>;
  latest(key: string): Latest | undefined;
}

/** Values that a write releases stay taken until the write is committed. */
export function loadAllocator(
  allocator: Allocator,
  known: KnownObjects,
  objectAt: (rv: number) => ApiObject,
): void {
  known.table.scan(ALL_KEYS, ({ rv }) => {
    allocator.load(objectAt(rv));
  });
  known.pipeline.uncommittedKeys('', (key) => {
    const latest = known.latest(key);
    if (latest !== undefined) allocator.load(latest.object);
  });
  for (const object of known.allocating) allocator.load(object);
}
