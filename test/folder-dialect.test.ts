import t from 'tap';
import { noteTranslated, openInDialect } from '../src/folder-dialect.ts';
import { MemoryStore } from '../src/storage/memory-store.ts';
import type { Store } from '../src/storage/store.ts';

const TYPES = ['configmaps', 'pods', 'secrets'];

function open(store: Store, domain: 'cluster.io' | 'k8s.io'): readonly string[] {
  return openInDialect(store, domain, TYPES);
}

/** As it was left by a server that did not write down a dialect: all of it is neutral. */
async function earlierFolder(): Promise<Store> {
  const store = new MemoryStore();
  await store.putSetting('highWater', '100001');
  return store;
}

t.test('a new folder has nothing to translate, in either dialect', async (t) => {
  for (const domain of ['cluster.io', 'k8s.io'] as const) {
    const store = new MemoryStore();
    t.same(open(store, domain), []);
    await store.putSetting('highWater', '100001');
    t.same(open(store, domain), [], 'nor when it is opened again');
  }
});

t.test('a folder from before is in the neutral dialect', async (t) => {
  t.same(open(await earlierFolder(), 'cluster.io'), []);
  t.same(open(await earlierFolder(), 'k8s.io'), TYPES);
});

t.test('types that are done are not looked at again', async (t) => {
  const store = await earlierFolder();
  open(store, 'k8s.io');
  t.equal(noteTranslated(store, 'pods', 7), undefined);
  t.same(open(store, 'k8s.io'), ['configmaps', 'secrets'], 'after a kill');
  t.equal(noteTranslated(store, 'secrets', 0), undefined);
  t.equal(noteTranslated(store, 'configmaps', 5), 12, 'the last one is told of all records');
  t.same(open(store, 'k8s.io'), []);
});

t.test('back in the middle, all types may hold records of both', async (t) => {
  const store = await earlierFolder();
  open(store, 'k8s.io');
  noteTranslated(store, 'pods', 7);
  t.same(open(store, 'cluster.io'), TYPES);
  for (const type of ['pods', 'secrets']) noteTranslated(store, type, 1);
  t.equal(noteTranslated(store, 'configmaps', 1), 3, 'counted anew');
  t.same(open(store, 'cluster.io'), []);
  t.same(open(store, 'k8s.io'), TYPES);
});

t.test('a custom type that has gone is not waited for', async (t) => {
  const store = await earlierFolder();
  t.same(openInDialect(store, 'k8s.io', ['pods', 'one', 'other']), ['pods', 'one', 'other']);
  t.equal(noteTranslated(store, 'one', 0), undefined);
  t.same(openInDialect(store, 'k8s.io', ['pods']), ['pods'], 'dropped without a word');
  t.equal(noteTranslated(store, 'pods', 2), 2);
  t.equal(noteTranslated(store, 'pods', 0), undefined, 'said once');
  t.same(openInDialect(store, 'k8s.io', ['pods']), []);
});
