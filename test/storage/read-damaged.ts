/**
 * A process of its own for `damage.test.ts`: opens each data folder that it is given and reads all
 * of it, as a start of the server does. Says of each, in a line, what became of it. The library of
 * the store may end the process.
 */
import { createHash } from 'node:crypto';
import { openStore } from '../../src/storage/open-store.ts';
import { StoreError } from '../../src/storage/store.ts';
import type { Store } from '../../src/storage/store.ts';

const FILLED_TYPE = 'filled';
const FILLED_RECORDS = 40;

/**
 * Gives the content of a store as one text, before and after more was written. Throws StoreError
 * for a damaged one.
 */
export async function contentOf(folder: string, types: readonly string[]): Promise<string> {
  const store = openStore({ dataDir: folder, durability: 'relaxed' });
  try {
    const content = readAll(store, types);
    // Free pages, and those that are taken for free, are written over.
    const log = store.openLog(FILLED_TYPE);
    const value = Buffer.alloc(5_000, '.');
    for (let rv = 1; rv <= FILLED_RECORDS; rv++) await log.append([{ rv, value }]);
    if (readAll(store, types) !== content) throw new Error('writes have changed what was there');
    return content;
  } finally {
    await store.close();
  }
}

function readAll(store: Store, types: readonly string[]): string {
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
  for (const name of ['format', 'a setting']) hash.update(store.local.get(name) ?? 'none');
  return hash.digest('hex');
}

const [types = '', ...folders] = process.argv.slice(2);
for (const folder of folders) {
  const outcome = await contentOf(folder, types.split(',')).catch((error: unknown) =>
    error instanceof StoreError ? `refused ${error.message}` : `failed ${String(error)}`,
  );
  process.stdout.write(`${outcome}\n`);
}
