import t from 'tap';
import { noteTranslated, openInDialect } from '../src/folder-dialect.ts';
import { serverId } from '../src/server-id.ts';
import { continueTokenKey } from '../src/shard/state/continue-token.ts';
import { MemorySettings, MemoryStore } from '../src/storage/memory-store.ts';
import type { Settings } from '../src/storage/store.ts';

const TYPES = ['configmaps', 'pods', 'secrets'];

function open(settings: Settings, domain: 'cluster.io' | 'k8s.io'): readonly string[] {
  return openInDialect(settings, domain, TYPES);
}

/** As it was left by a server that did not write down a dialect: all of it is neutral. */
async function earlierFolder(): Promise<Settings> {
  const settings = new MemorySettings();
  await settings.put('highWater', '100001');
  return settings;
}

t.test('a new folder has nothing to translate, in either dialect', async (t) => {
  for (const domain of ['cluster.io', 'k8s.io'] as const) {
    const settings = new MemorySettings();
    t.same(open(settings, domain), []);
    await settings.put('highWater', '100001');
    t.same(open(settings, domain), [], 'nor when it is opened again');
  }
});

t.test('a folder from before is in the neutral dialect', async (t) => {
  t.same(open(await earlierFolder(), 'cluster.io'), []);
  t.same(open(await earlierFolder(), 'k8s.io'), TYPES);
});

t.test('types that are done are not looked at again', async (t) => {
  const settings = await earlierFolder();
  open(settings, 'k8s.io');
  t.equal(noteTranslated(settings, 'pods', 7), undefined);
  t.same(open(settings, 'k8s.io'), ['configmaps', 'secrets'], 'after a kill');
  t.equal(noteTranslated(settings, 'secrets', 0), undefined);
  t.equal(noteTranslated(settings, 'configmaps', 5), 12, 'the last one is told of all records');
  t.same(open(settings, 'k8s.io'), []);
});

t.test('back in the middle, all types may hold records of both', async (t) => {
  const settings = await earlierFolder();
  open(settings, 'k8s.io');
  noteTranslated(settings, 'pods', 7);
  t.same(open(settings, 'cluster.io'), TYPES);
  for (const type of ['pods', 'secrets']) noteTranslated(settings, type, 1);
  t.equal(noteTranslated(settings, 'configmaps', 1), 3, 'counted anew');
  t.same(open(settings, 'cluster.io'), []);
  t.same(open(settings, 'k8s.io'), TYPES);
});

t.test('a custom type that has gone is not waited for', async (t) => {
  const settings = await earlierFolder();
  t.same(openInDialect(settings, 'k8s.io', ['pods', 'one', 'other']), ['pods', 'one', 'other']);
  t.equal(noteTranslated(settings, 'one', 0), undefined);
  t.same(openInDialect(settings, 'k8s.io', ['pods']), ['pods'], 'dropped without a word');
  t.equal(noteTranslated(settings, 'pods', 2), 2);
  t.equal(noteTranslated(settings, 'pods', 0), undefined, 'said once');
  t.same(openInDialect(settings, 'k8s.io', ['pods']), []);
});

t.test('servers of a cluster agree on what is shared, and each has its own name', async (t) => {
  const first = new MemoryStore();
  const second = new MemoryStore(first.shared);
  await first.shared.put('highWater', '100001');
  t.same(openInDialect(first.shared, 'k8s.io', TYPES), TYPES);
  t.same(openInDialect(second.shared, 'k8s.io', TYPES), TYPES, 'in the dialect of the first');
  const key = continueTokenKey(first.shared);
  t.equal(continueTokenKey(second.shared), key, 'a page of one goes on at the other');
  const [one, other] = [serverId(first.local), serverId(second.local)];
  t.not(one, other);
  t.equal(serverId(first.local), one, 'that it keeps');
  t.not(continueTokenKey(new MemoryStore().shared), key, 'another cluster has another key');
});
