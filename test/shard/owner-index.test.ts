/** The index of owners, alone and in the table that keeps it. */
import fc from 'fast-check';
import t from 'tap';
import { haveSameOwners, OwnerIndex } from '../../src/shard/table/owner-index.ts';
import { ObjectTable } from '../../src/shard/table/object-table.ts';
import type { TableEntry } from '../../src/shard/table/table-entry.ts';
import { AWAITS } from '../../src/storage/record.ts';
import type { OwnerLink } from '../../src/storage/record.ts';

/** `u1!` blocks its owner `u1`, `u2` does not. */
function owner(text: string): OwnerLink {
  return { uid: text.replace('!', ''), blocks: text.endsWith('!') };
}

function entry(key: string, owners: readonly string[] = [], awaits = 0): TableEntry {
  return {
    key,
    rv: 1,
    labels: undefined,
    fields: [],
    ...(owners.length > 0 && { owners: owners.map(owner) }),
    ...(awaits > 0 && { awaits }),
  };
}

function newTable(): { table: ObjectTable; index: OwnerIndex } {
  const index = new OwnerIndex();
  return { table: new ObjectTable([], index), index };
}

t.test('dependents are found by owner until they go or let go', async (t) => {
  const { table, index } = newTable();
  table.set(entry('a/x', ['u1!', 'u2']));
  table.set(entry('a/y', ['u1']));
  table.set(entry('a/z'));
  t.same([...index.keysOf('u1')], ['a/x', 'a/y']);
  t.same([...index.keysOf('u2')], ['a/x']);
  t.same([...index.keysOf('u3')], []);
  t.match(index.countsOf('u1'), { count: 2, blocking: 1, someWait: false });
  table.set(entry('a/x', ['u2!']));
  t.match(index.countsOf('u1'), { count: 1, blocking: 0 });
  t.match(index.countsOf('u2'), { count: 1, blocking: 1 });
  table.set(entry('a/x'));
  t.match(index.countsOf('u2'), { count: 0, blocking: 0 });
  table.delete('a/y');
  table.delete('a/y');
  t.match(index.countsOf('u1'), { count: 0, blocking: 0 });
});

t.test('what waits is known, and whether a dependent does', async (t) => {
  const { table, index } = newTable();
  for (let at = 0; at < 5; at++) table.set(entry(`a/${at}`, ['u1']));
  table.set(entry('a/other', [], AWAITS.dependents));
  t.equal(index.countsOf('u1').someWait, false);
  table.set(entry('a/3', ['u1'], AWAITS.orphaning));
  t.equal(index.countsOf('u1').someWait, false, 'orphaning is not what is meant');
  t.equal(index.awaits('a/3'), AWAITS.orphaning);
  table.set(entry('a/3', ['u1'], AWAITS.dependents | AWAITS.orphaning));
  t.equal(index.countsOf('u1').someWait, true);
  for (let at = 0; at < 9; at++) table.set(entry(`b/${at}`, ['u2'], AWAITS.dependents));
  t.equal(index.countsOf('u1').someWait, true, 'from the other side');
  table.set(entry('a/3', ['u1']));
  t.equal(index.countsOf('u1').someWait, false);
  table.delete('b/0');
  t.equal(index.awaits('b/0'), AWAITS.nothing);
});

t.test('owners are the same in whatever order', async (t) => {
  const same = (some: string[] | undefined, others: string[] | undefined): boolean =>
    haveSameOwners(some?.map(owner), others?.map(owner));
  t.equal(same(undefined, undefined), true);
  t.equal(same(['u1'], undefined), false);
  t.equal(same(undefined, ['u1']), false);
  t.equal(same(['u1', 'u2!'], ['u2!', 'u1']), true);
  t.equal(same(['u1', 'u2!'], ['u2', 'u1']), false);
  t.equal(same(['u1', 'u2'], ['u1']), false);
  t.equal(same(['u1', 'u2'], ['u1', 'u3']), false);
});

t.test('however it came about, it is what a load makes of the entries', async () => {
  const step = fc.record({
    key: fc.constantFrom('a/w', 'a/x', 'b/y', 'b/z'),
    owners: fc.uniqueArray(fc.constantFrom('u1', 'u2', 'u3!', 'u4!'), { maxLength: 3 }),
    awaits: fc.integer({ min: 0, max: 3 }),
    isGone: fc.boolean(),
  });
  const uids = ['u1', 'u2', 'u3', 'u4'];
  const shown = (index: OwnerIndex): unknown =>
    uids.map((uid) => [[...index.keysOf(uid)].sort(), index.countsOf(uid)]);
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const { table, index } = newTable();
      const entries = new Map<string, TableEntry>();
      for (const { key, owners, awaits, isGone } of steps) {
        if (isGone) {
          table.delete(key);
          entries.delete(key);
        } else {
          const next = entry(key, owners, awaits);
          table.set(next);
          entries.set(key, next);
        }
      }
      const loaded = newTable();
      loaded.table.load((table) => {
        for (const entry of entries.values()) table.set(entry);
      });
      t.same(shown(index), shown(loaded.index));
      for (const key of entries.keys()) t.equal(index.awaits(key), loaded.index.awaits(key));
    }),
    { numRuns: 100 },
  );
});
