/** Objects are found in the state of one version, over however many turns, whatever is written. */
import fc from 'fast-check';
import t from 'tap';
import { newestView, viewAt } from '../../src/shard/read/read-view.ts';
import { findObjects } from '../../src/shard/read/select-objects.ts';
import type { SelectedObjects } from '../../src/shard/read/select-objects.ts';
import { Selection } from '../../src/shard/table/selection.ts';
import { turns } from '../support/gate.ts';
import { configMap } from '../support/kinds.ts';
import { listRequest, ShardUnderTest } from '../support/shard-under-test.ts';

const NAMES = 'abcdefghijkl'.split('');

/** A turn writes one change: an object is made, gets another label, or is deleted. */
const change = fc.record({
  name: fc.constantFrom(...NAMES),
  app: fc.constantFrom('web', 'db', undefined),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

async function make(subject: ShardUnderTest, { name, app }: Change): Promise<void> {
  const exists = subject.keys().includes(`default/${name}`);
  if (app === undefined) {
    if (exists) await subject.delete(name);
    return;
  }
  const object = configMap(name, {}, { labels: { app } });
  await (exists ? subject.update(object) : subject.create(object));
}

t.test('in the state of the first turn, in order, with where the rest begins', async (t) => {
  let turnsTaken = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { maxLength: 16 }),
      fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 6 }),
      fc.record({
        lookMax: fc.integer({ min: 1, max: 5 }),
        limit: fc.constantFrom(0, 1, 2, 3, 5),
        labelSelector: fc.constantFrom('', 'app=web', 'app!=web'),
        isPast: fc.boolean(),
      }),
      async (before, during, { lookMax, limit, labelSelector, isPast }) => {
        const subject = new ShardUnderTest();
        for (const one of before) await make(subject, one);
        const { shard } = subject;
        const selection = new Selection(shard.kind, listRequest({ labelSelector }));
        const rv = shard.pipeline.listVersion();
        const expected: [string, number][] = [];
        shard.table.scan(selection.range, (entry) => {
          if (selection.matches(entry)) expected.push([entry.key, entry.rv]);
        });
        const writes = [...during];
        if (isPast) for (const one of writes.shift() ?? []) await make(subject, one);
        const most = limit === 0 ? Infinity : limit;
        const found = await new Promise<SelectedObjects | undefined>((resolve, reject) => {
          viewAt(shard, rv, (past) => {
            const view = isPast && past !== undefined ? past : newestView(shard);
            const request = { selection, view, start: '', most, lookMax };
            findObjects(shard, request, resolve, () => resolve(undefined), reject);
          });
          void (async () => {
            for (const some of writes) {
              turnsTaken++;
              for (const one of some) await make(subject, one);
              await turns(1);
            }
          })();
        });
        const seen = found?.keys.map((key, at) => [key, found.rvs[at]]);
        t.same(seen, expected.slice(0, most));
        const next = expected[most];
        const hasRest = found?.next !== undefined;
        t.equal(hasRest, next !== undefined, 'whether there is a rest');
        if (next === undefined || found?.next === undefined) return;
        const last = expected[most - 1]?.[0] ?? '';
        t.ok(found.next > last && found.next <= next[0], 'where it begins');
      },
    ),
    { numRuns: 150 },
  );
  t.ok(turnsTaken > 100);
});
