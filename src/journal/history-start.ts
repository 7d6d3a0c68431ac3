/** Where history begins in etcd. */
import type { EtcdClient } from '../etcd/etcd.ts';
import { EtcdError } from '../etcd/etcd-error.ts';
import type { JournalKeys } from './keys.ts';

const FIRST_REVISION = 1;

/**
 * The oldest revision that etcd can still tell, at least that from which the owner keeps history.
 * Rejects with EtcdError.
 */
export async function historyStart(client: EtcdClient, keys: JournalKeys): Promise<number> {
  const key = keys.history;
  const { kvs } = await client.range({ key });
  const kept = kvs[0] === undefined ? FIRST_REVISION : Number(Buffer.from(kvs[0].value).toString());
  try {
    await client.range({ key, revision: kept });
    return kept;
  } catch (error) {
    const isCompacted = error instanceof EtcdError && error.reason === 'compacted';
    if (!isCompacted) throw error;
  }
  // Others compact the same etcd. A watch is the one call that says up to where.
  return new Promise((resolve, reject) => {
    client.watch(
      { key, startRevision: kept },
      {
        events: () => undefined,
        ended: (error) => {
          if (error.compactRevision === undefined) reject(error);
          else resolve(error.compactRevision);
        },
      },
    );
  });
}
