/** Runs of items that are kept for lists that are asked for again. */
import fc from 'fast-check';
import t from 'tap';
import { RUN_BYTES_MAX } from '../../../src/limits.ts';
import { CacheBudget } from '../../../src/shard/representation/cache-budget.ts';
import { EncodingCache } from '../../../src/shard/representation/encoding-cache.ts';
import { KeptRuns } from '../../../src/shard/representation/kept-runs.ts';

/** What a list of these versions says, with all runs that are kept; offers the others. */
function listed(runs: KeptRuns, versions: readonly number[]): { text: string; kept: number } {
  const rvs = Float64Array.from(versions);
  let text = '';
  let kept = 0;
  for (let start = 0; start < rvs.length;) {
    const end = runs.end(rvs, start);
    const items = runs.get(rvs, start, end);
    if (items !== undefined) {
      kept += end - start;
      text += `,${Buffer.from(items).toString()}`;
    } else {
      const made = versions.slice(start, end).map((rv) => `item ${rv}`);
      text += `,${made.join()}`;
      runs.offer(rvs, start, end, Buffer.from(made.join()));
    }
    start = end;
  }
  return { text, kept };
}

function expected(versions: readonly number[]): string {
  return versions.map((rv) => `,item ${rv}`).join('');
}

const MANY = Array.from({ length: 2_000 }, (_, at) => 1_000 + 3 * at);

t.test('a list that is asked for a third time is kept, but for runs of one item', async (t) => {
  const runs = new KeptRuns(new EncodingCache());
  t.equal(listed(runs, MANY).kept, 0);
  t.equal(listed(runs, MANY).kept, 0, 'who asks once keeps nothing');
  const third = listed(runs, MANY);
  t.equal(third.text, expected(MANY));
  t.ok(third.kept > 0.95 * MANY.length, `${third.kept} items`);
});

t.test('what changes leaves the other runs', async (t) => {
  const runs = new KeptRuns(new EncodingCache());
  for (let time = 0; time < 2; time++) listed(runs, MANY);
  const changes: [string, number[]][] = [
    ['one is replaced', MANY.with(700, 9_001)],
    ['one is added', MANY.toSpliced(500, 0, 9_002)],
    ['one goes', MANY.toSpliced(900, 1)],
    ['the first goes', MANY.slice(1)],
  ];
  for (const [name, versions] of changes) {
    const { text, kept } = listed(runs, versions);
    t.equal(text, expected(versions), name);
    t.ok(kept > 0.8 * MANY.length, `${name}: ${kept} items`);
  }
});

t.test('whatever comes and goes, a list says what it has', async (t) => {
  const runs = new KeptRuns(new EncodingCache(new CacheBudget(undefined, 20_000)));
  const edit = fc.tuple(fc.nat(), fc.boolean());
  let versions = Array.from({ length: 300 }, (_, at) => at + 1);
  let last = 1_000;
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 4 }), (edits) => {
      for (const [place, isGone] of edits) {
        const at = place % versions.length;
        versions = isGone ? versions.toSpliced(at, 1) : versions.with(at, (last += 1));
      }
      t.equal(listed(runs, versions).text, expected(versions));
    }),
    { seed: 5, numRuns: 200 },
  );
});

t.test('long runs are not kept, and other representations have their own', async (t) => {
  const cache = new EncodingCache();
  const [one, other] = [new KeptRuns(cache), new KeptRuns(cache)];
  const rvs = Float64Array.of(1, 2);
  const offered = (runs: KeptRuns, items: Uint8Array): Uint8Array | undefined => {
    for (let time = 0; time < 2; time++) runs.offer(rvs, 0, 2, items);
    return runs.get(rvs, 0, 2);
  };
  t.equal(offered(one, Buffer.alloc(RUN_BYTES_MAX + 1)), undefined);
  t.same(offered(one, Buffer.from('items')), Buffer.from('items'));
  t.equal(other.get(rvs, 0, 2), undefined);
});
