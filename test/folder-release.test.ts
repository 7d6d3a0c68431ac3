// Which release a data folder was opened with, and what may follow.
import t from 'tap';
import { openInRelease, unservedTypes } from '../src/folder-release.ts';
import { MemorySettings } from '../src/storage/memory-store.ts';
import { openStore } from '../src/storage/open-store.ts';

t.test('a folder goes up, and down where that is allowed', async (t) => {
  const settings = new MemorySettings();
  t.equal(openInRelease(settings, 27, false), undefined, 'a new one');
  t.equal(openInRelease(settings, 31, false), 27);
  t.throws(() => openInRelease(settings, 30, false), {
    name: 'ConfigError',
    message: /last used with release 1\.31: give --release 1\.31, or --allow-lower-release to go/,
  });
  t.equal(openInRelease(settings, 31, false), 31, 'a refusal changes nothing');
  t.equal(openInRelease(settings, 30, true), 31);
  t.equal(openInRelease(settings, 30, false), 30);
});

t.test('a folder from before releases were written down is of the default one', async (t) => {
  const settings = new MemorySettings();
  await settings.put('highWater', '100001');
  t.equal(openInRelease(settings, 24, false), 23);
});

t.test('types without a place in the release are named where they have records', async (t) => {
  const place = { dataDir: t.testdir(), durability: 'relaxed' } as const;
  const making = openStore(place);
  making.makeLogs(['pods', 'old', 'empty']);
  await making.close();
  const store = openStore(place);
  t.teardown(() => store.close());
  await store.openLog('old').append([{ rv: 1, value: new Uint8Array([1]) }]);
  t.same(unservedTypes(store, ['pods']), ['old']);
  t.same(unservedTypes(store, ['pods', 'old']), []);
});
