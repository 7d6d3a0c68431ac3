/**
 * A process of its own for `custom-logs.test.ts`, which kills it: appends to some logs of custom
 * types, each record dropping an old one, and makes and drops large ones meanwhile. Says in lines
 * what is on the disk.
 */
import { writeSync } from 'node:fs';
import { COMPRESSED_BYTES_MIN, DROP_STEP_RECORDS } from '../../src/limits.ts';
import { openStore } from '../../src/storage/open-store.ts';
import type { Store } from '../../src/storage/store.ts';

/** The records that a log keeps. */
export const KEPT = 10;
export const NAMES = ['a.example.com/1', 'b.example.com/2', 'c.example.com/3'];

function said(line: string): void {
  writeSync(1, `${line}\n`);
}

/** Long enough to be compressed. */
export function valueOf(rv: number): Buffer {
  return Buffer.from(`value ${rv} `.repeat(COMPRESSED_BYTES_MIN / 8));
}

const SHORT = Buffer.from('value '.padEnd(300, 'x'));

async function keepAppending(store: Store, name: string): Promise<never> {
  const log = store.openCustomLog(name);
  let rv = 0;
  log.scan(0, (last) => {
    rv = last;
    return true;
  });
  for (;;) {
    rv++;
    const dropped = rv - KEPT;
    const removal = dropped > 0 ? { rvs: [dropped], horizon: dropped + 1 } : undefined;
    await log.append([{ rv, value: valueOf(rv) }], removal);
    said(`appended ${name} ${rv}`);
  }
}

async function keepDropping(store: Store): Promise<never> {
  for (let at = 0; ; at++) {
    const name = `large.example.com/${process.pid}-${at}`;
    const records = Array.from({ length: DROP_STEP_RECORDS * 10 }, (_, index) => index + 1);
    await store.openCustomLog(name).append(records.map((rv) => ({ rv, value: SHORT })));
    const dropped = store.dropLog(name);
    said(`dropping ${name}`);
    await dropped;
    said(`dropped ${name}`);
  }
}

const [folder] = process.argv.slice(2);
if (folder !== undefined) {
  const store = openStore({ dataDir: folder, durability: 'relaxed' });
  await Promise.all([...NAMES.map((name) => keepAppending(store, name)), keepDropping(store)]);
}
