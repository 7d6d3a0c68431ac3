/** A thread for `custom-logs.test.ts`: opens logs as others do at the same time, and drops some. */
import { parentPort, workerData } from 'node:worker_threads';
import { joinStore } from '../../src/storage/open-store.ts';

export interface OpenerData {
  readonly folder: string;
  /** The logs of all threads; each appends to its own only. */
  readonly names: readonly string[];
  readonly own: readonly string[];
  readonly dropped: readonly string[];
}

const { folder, names, own, dropped } = workerData as OpenerData;
const store = joinStore({ dataDir: folder, durability: 'relaxed' });
for (const name of names) store.openCustomLog(name);
await Promise.all(
  own.map((name) => store.openCustomLog(name).append([{ rv: 1, value: Buffer.from(name) }])),
);
await Promise.all(dropped.map((name) => store.dropLog(name)));
await store.close();
parentPort?.close();
