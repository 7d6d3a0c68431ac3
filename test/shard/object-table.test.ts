import t from 'tap';
import {
  afterKey,
  ALL_KEYS,
  keysOfNamespace,
  ObjectTable,
} from '../../src/shard/table/object-table.ts';
import type { TableEntry } from '../../src/shard/table/table-entry.ts';

function entry(key: string, rv = 1): TableEntry {
  return { key, rv, labels: undefined, fields: [] };
}

function keys(table: ObjectTable, namespace = ''): string[] {
  const seen: string[] = [];
  const range = namespace === '' ? ALL_KEYS : keysOfNamespace(namespace);
  table.scan(range, ({ key }) => void seen.push(key));
  return seen;
}

t.test('set replaces, delete removes, get finds', async (t) => {
  const table = new ObjectTable();
  t.equal(table.size, 0);
  t.equal(table.get('ns/a'), undefined);
  table.set(entry('ns/a', 1));
  table.set(entry('ns/a', 2));
  t.equal(table.size, 1);
  t.equal(table.get('ns/a')?.rv, 2);
  const seen: number[] = [];
  table.scan(keysOfNamespace('ns'), ({ rv }) => void seen.push(rv));
  t.same(seen, [2], 'a scan sees the newest entry, once');
  table.delete('ns/a');
  table.delete('ns/a');
  t.equal(table.size, 0);
  t.equal(table.get('ns/a'), undefined);
  t.same(keys(table), []);
});

t.test('a scan is by namespace, then name', async (t) => {
  const table = new ObjectTable();
  const sorted = ['a-b/x', 'a.b/x', 'a/', 'a/a', 'a/b', 'a/z.z', 'a0/x', 'aa/x', 'b/x'];
  for (const key of sorted.toReversed()) table.set(entry(key));
  t.same(keys(table), sorted);
  t.same(keys(table, 'a'), ['a/', 'a/a', 'a/b', 'a/z.z'], 'and of no namespace like it');
  t.same(keys(table, 'a-b'), ['a-b/x']);
  t.same(keys(table, 'a0'), ['a0/x']);
  t.same(keys(table, 'none'), []);
});

t.test('load replaces all content', async (t) => {
  const table = new ObjectTable();
  table.set(entry('old/x'));
  const loaded = ['b/x', 'a/y', 'a/x'].map((key) => [key, entry(key, 7)] as const);
  table.load((entries) => {
    for (const [, entry] of loaded) entries.set(entry);
  });
  t.equal(table.size, 3);
  t.equal(table.get('old/x'), undefined);
  t.equal(table.get('a/y')?.rv, 7);
  t.same(keys(table), ['a/x', 'a/y', 'b/x']);
  table.set(entry('a/xx'));
  table.delete('b/x');
  t.same(keys(table), ['a/x', 'a/xx', 'a/y']);
});

t.test('an index finds the objects with one value of a field', async (t) => {
  const table = new ObjectTable([1]);
  const typed = (key: string, type: string) => ({ ...entry(key), fields: ['other', type] });
  const withType = (value: string, namespace = ''): string[] => {
    const seen: string[] = [];
    const range = namespace === '' ? ALL_KEYS : keysOfNamespace(namespace);
    table.scan(range, ({ key }) => void seen.push(key), { position: 1, value });
    return seen;
  };
  t.same(withType('t1'), []);
  for (const key of ['b/x', 'a/y', 'a/x']) table.set(typed(key, 't1'));
  t.same(withType('t1'), ['a/x', 'a/y', 'b/x']);
  t.same(withType('t1', 'a'), ['a/x', 'a/y']);
  table.set(typed('a/x', 't2'));
  table.set({ ...typed('a/y', 't1'), rv: 5 });
  table.delete('b/x');
  t.same(withType('t1'), ['a/y']);
  t.same(withType('t2'), ['a/x']);
  table.load((entries) => entries.set(typed('c/x', 't2')));
  t.same([withType('t1'), withType('t2')], [[], ['c/x']]);
});

t.test('counts of ranges', async (t) => {
  const table = new ObjectTable();
  for (const key of ['a/x', 'a/y', 'b/x']) table.set(entry(key));
  t.equal(table.count(ALL_KEYS), 3);
  t.equal(table.count(keysOfNamespace('a')), 2);
  t.equal(table.count({ from: afterKey('a/x'), to: undefined }), 2);
  t.equal(table.count(keysOfNamespace('none')), 0);
});
