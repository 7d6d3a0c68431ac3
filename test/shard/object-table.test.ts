import t from 'tap';
import { ObjectTable } from '../../src/shard/object-table.ts';
import type { TableEntry } from '../../src/shard/object-table.ts';

function entry(key: string, rv = 1): TableEntry {
  return { key, rv, labels: undefined, fields: [] };
}

function keys(table: ObjectTable, namespace = ''): string[] {
  const seen: string[] = [];
  table.scan(namespace, ({ key }) => seen.push(key));
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
  table.scan('ns', ({ rv }) => seen.push(rv));
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
  table.load(new Map(loaded));
  t.equal(table.size, 3);
  t.equal(table.get('old/x'), undefined);
  t.equal(table.get('a/y')?.rv, 7);
  t.same(keys(table), ['a/x', 'a/y', 'b/x']);
  table.set(entry('a/xx'));
  table.delete('b/x');
  t.same(keys(table), ['a/x', 'a/xx', 'a/y']);
});

t.end();
