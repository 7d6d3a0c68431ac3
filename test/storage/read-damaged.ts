/**
 * A process of its own for `damage.test.ts`: opens each data folder that it is given and reads all
 * of it, as a start of the server does. Says of each, in a line, what became of it. The library of
 * the store may end the process.
 */
import { createHash } from 'node:crypto';
import { openLmdbStore } from '../../src/storage/lmdb-store.ts';
import { StoreError } from '../../src/storage/store.ts';

/** What is in a store, as one text; throws StoreError for what is damaged. */
export async function contentOf(folder: string, types: readonly string[]): Promise<string> {
  const store = openLmdbStore(folder, 'relaxed');
  try {
    const hash = createHash('sha256');
    const logs = [
      ...types.map((type) => [type, store.openLog(type)] as const),
      ...store.customLogs().map((name) => [name, store.openCustomLog(name)] as const),
    ];
    for (const [type, log] of logs) {
      let records = 0;
      hash.update(`${type} ${log.horizon()}\n`);
      log.scan(0, (rv, value) => {
        records++;
        hash.update(`${rv} ${value.length}\n`).update(value);
        return true;
      });
      if (records !== log.count()) throw new StoreError('records are missing');
    }
    for (const name of ['format', 'a setting']) hash.update(store.getSetting(name) ?? 'none');
    return hash.digest('hex');
  } finally {
    await store.close();
  }
}

const [types = '', ...folders] = process.argv.slice(2);
for (const folder of folders) {
  const outcome = await contentOf(folder, types.split(',')).catch((error: unknown) =>
    error instanceof StoreError ? `refused ${error.message}` : `failed ${String(error)}`,
  );
  process.stdout.write(`${outcome}\n`);
}
