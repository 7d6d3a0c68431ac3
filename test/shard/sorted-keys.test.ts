import fc from 'fast-check';
import t from 'tap';
import { SortedKeys } from '../../src/shard/table/sorted-keys.ts';

function scanned<V>(set: SortedKeys<V>, from = '', to?: string): [string, V][] {
  const entries: [string, V][] = [];
  set.scan(from, to, (key, value) => {
    entries.push([key, value]);
  });
  return entries;
}

/** Gives the keys that a scan should visit, from an unordered model. */
function expected<V>(model: Map<string, V>, from = '', to?: string): [string, V][] {
  return [...model]
    .filter(([key]) => key >= from && (to === undefined || key < to))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

t.test('an empty set', async (t) => {
  const set = new SortedKeys<number>();
  t.equal(set.size, 0);
  t.same(scanned(set), []);
  t.equal(set.countRange('', undefined), 0);
  t.equal(set.delete('a'), false);
});

t.test('set replaces, delete removes, scan is ordered', async (t) => {
  const set = new SortedKeys<number>();
  for (const key of ['b', 'a/b', 'a', 'a-b', 'c']) set.set(key, key.length);
  set.set('a', 9);
  t.equal(set.size, 5);
  t.same(scanned(set), [
    ['a', 9],
    ['a-b', 3],
    ['a/b', 3],
    ['b', 1],
    ['c', 1],
  ]);
  t.same(scanned(set, 'a/', 'b'), [['a/b', 3]]);
  t.same(scanned(set, 'b', 'b'), []);
  t.same(scanned(set, 'c', 'a'), []);
  t.equal(set.countRange('c', 'a'), 0);
  t.equal(set.delete('a'), true);
  t.equal(set.delete('a'), false);
  t.equal(set.size, 4);
});

t.test('a visitor ends the scan', async (t) => {
  const set = new SortedKeys<number>();
  for (const key of ['a', 'b', 'c']) set.set(key, 1);
  const seen: string[] = [];
  t.equal(
    set.scan('', undefined, (key) => seen.push(key) < 2),
    false,
  );
  t.same(seen, ['a', 'b']);
  t.equal(
    set.scan('', undefined, () => true),
    true,
  );
});

t.test('load takes entries in any order', async (t) => {
  const set = new SortedKeys<number>();
  set.set('old', 1);
  set.load(
    new Map([
      ['b', 1],
      ['a', 2],
      ['b', 3],
    ]),
  );
  t.same(scanned(set), [
    ['a', 2],
    ['b', 3],
  ]);
  t.equal(set.size, 2);
});

t.test('many keys in ascending, descending and mixed order', async (t) => {
  const count = 5000;
  const keyOf = (index: number) => `ns-${index % 7}/name-${String(index).padStart(6, '0')}`;
  const orders = {
    ascending: (index: number) => index,
    descending: (index: number) => count - 1 - index,
    mixed: (index: number) => (index * 2741) % count,
  };
  for (const [name, order] of Object.entries(orders)) {
    const set = new SortedKeys<number>();
    const model = new Map<string, number>();
    for (let step = 0; step < count; step++) {
      const index = order(step);
      set.set(keyOf(index), index);
      model.set(keyOf(index), index);
    }
    t.same(scanned(set), expected(model), name);
    const [from, to] = ['ns-2/', 'ns-4/'];
    t.same(scanned(set, from, to), expected(model, from, to), `${name}, one range`);
    t.equal(set.countRange(from, to), expected(model, from, to).length);
    for (let index = 0; index < count; index++) {
      if (index % 50 === 0) continue;
      set.delete(keyOf(index));
      model.delete(keyOf(index));
    }
    t.same(scanned(set), expected(model), `${name}, most of them deleted`);
    t.equal(set.size, model.size);
  }
});

t.test('any operations agree with a sorted array', async (t) => {
  const key = fc.integer({ min: 0, max: 4000 }).map((number) => number.toString(36));
  const operation = fc.oneof(
    { weight: 1, arbitrary: fc.tuple(fc.constant('set' as const), key) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('delete' as const), key) },
    // Runs of neighbours are what splits and joins chunks.
    {
      weight: 2,
      arbitrary: fc.tuple(fc.constantFrom('setRun' as const, 'deleteRun' as const), key),
    },
  );
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.array(operation, { maxLength: 25 }),
      key,
      key,
      (loaded, operations, from, to) => {
        const set = new SortedKeys<number>();
        const model = new Map<string, number>();
        if (loaded) {
          for (let index = 0; index < 1500; index++) model.set((index * 2).toString(36), index);
          set.load(new Map([...model].reverse()));
        }
        operations.forEach(([kind, first], step) => {
          const start = Number.parseInt(first, 36);
          const length = kind.endsWith('Run') ? 700 : 1;
          for (let number = start; number < start + length; number++) {
            const one = number.toString(36);
            if (kind.startsWith('set')) {
              set.set(one, step);
              model.set(one, step);
            } else if (set.delete(one) !== model.delete(one)) {
              throw new Error(`delete of ${one} disagrees`);
            }
          }
        });
        t.equal(set.size, model.size);
        t.same(scanned(set), expected(model));
        t.same(scanned(set, from, to), expected(model, from, to));
        t.equal(set.countRange(from, to), expected(model, from, to).length);
        t.equal(set.countRange(from, undefined), expected(model, from).length);
      },
    ),
    { numRuns: 25 },
  );
});
