/** Takes changes that another server has made (src/journal/README.md). */
import { decodeUtf8 } from '../../codec/text-body.ts';
import { decodeRecordHeader, OPERATION, wireBytes } from '../../storage/record.ts';
import type { LogEntry } from '../../storage/store.ts';
import type { Shard } from './shard.ts';

/**
 * Takes changes that the journal has, in their order; resolves when they are applied and published.
 * Rejects where they cannot be stored.
 */
export async function adopt(shard: Shard, entries: readonly LogEntry[]): Promise<void> {
  let problem: Error | undefined;
  for (const { rv, value } of entries) {
    // Versions that the view had before it followed.
    if (rv <= shard.pipeline.appliedRv) continue;
    const record = Buffer.from(value);
    const header = decodeRecordHeader(record);
    const isGone = header.operation === OPERATION.deleted;
    shard.largeWrites.note(header.key, isGone ? 0 : record.length);
    shard.pipeline.stage({
      ...header,
      rv,
      record,
      // Told of what has gone alone.
      uid: isGone ? shard.decodeStored(decodeUtf8(wireBytes(record))).metadata.uid : undefined,
      isDecided: true,
      committed: () => undefined,
      failed: (error) => (problem = error),
    });
  }
  shard.forgetAllocations();
  await shard.pipeline.settled();
  if (problem !== undefined) throw problem;
}
