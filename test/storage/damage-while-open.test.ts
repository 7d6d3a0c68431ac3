/** Damage that comes to the file while the store is open: it is found within a bounded time. */
import t from 'tap';
import { CHECKED_MS_MAX } from '../../src/limits.ts';
import { openStore } from '../../src/storage/open-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { damageText } from '../support/damage-text.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { temporaryFolder } from '../support/server-process.ts';

const LOGS = {
  'a built-in type': (store: Store) => store.openLog('pods'),
  'a custom type': (store: Store) => store.openCustomLog('widgets.example.com'),
};

for (const [what, openIn] of Object.entries(LOGS)) {
  t.test(`the log of ${what}, damaged while it is open`, async (t) => {
    const folder = temporaryFolder();
    const timers = new ManualTimers();
    const store = openStore({ dataDir: folder, durability: 'relaxed' }, { timers });
    const log = openIn(store);
    const texts = Array.from({ length: 4 }, (_, at) => `record ${at} of this log`);
    await log.append(texts.map((text, at) => ({ rv: at + 1, value: Buffer.from(text) })));
    const read = (rv: number) => Buffer.from(log.read(rv) ?? []).toString();
    const refusal = (rv: number) => ({
      name: 'StoreError',
      message: new RegExp(`^version ${rv} of .* is damaged on the disk`),
    });

    t.equal(read(1), texts[0]);
    timers.pass(CHECKED_MS_MAX / 2);
    t.equal(read(2), texts[1]);
    for (const text of texts.slice(0, 3)) damageText(folder, text);

    t.doesNotThrow(() => read(1), 'it was checked not long ago');
    t.throws(() => read(3), refusal(3), 'it was not');
    t.throws(() => read(3), refusal(3), 'and its damage is not taken for a check');
    t.throws(() => log.scan(0, () => true), refusal(1), 'what reads all checks all');

    timers.pass(CHECKED_MS_MAX / 2);
    for (const rv of [1, 2, 3]) t.throws(() => read(rv), refusal(rv));
    t.equal(read(4), texts[3], 'what is whole is served');
    await store.close();
  });
}

t.end();
