/** The versions that were checked: a set, until its time is over. */
import t from 'tap';
import { CHECKED_MS_MAX } from '../../src/limits.ts';
import { CheckedVersions } from '../../src/storage/checked-versions.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { Random } from '../support/random.ts';

/** How far apart the versions are. */
const SPREADS = { 'one after another': 1, 'here and there': 1_000, 'far apart': 2 ** 31 };

for (const [what, spread] of Object.entries(SPREADS)) {
  t.test(`versions ${what}`, async (t) => {
    const random = new Random(spread);
    const timers = new ManualTimers();
    const checked = new CheckedVersions(timers);
    const all = Array.from({ length: 2_000 }, (_, at) => (at + 1) * spread + random.below(spread));
    for (const epoch of ['at first', 'and again']) {
      const added = new Set(all.filter(() => random.below(2) === 0));
      for (const rv of added) checked.add(rv);
      const wrong = all.filter((rv) => checked.has(rv) !== added.has(rv));
      t.same(wrong, [], epoch);
      timers.pass(CHECKED_MS_MAX);
      t.notOk(
        all.some((rv) => checked.has(rv)),
        'its time is over',
      );
    }
    t.equal(timers.size, 0, 'no timer is left where nothing is remembered');
  });
}

t.test('the time of all begins with the first of them', async (t) => {
  const timers = new ManualTimers();
  const checked = new CheckedVersions(timers);
  t.equal(timers.size, 0);
  checked.add(1);
  timers.pass(CHECKED_MS_MAX - 1);
  checked.add(2);
  t.ok(checked.has(1));
  timers.pass(1);
  t.notOk(checked.has(1));
  t.notOk(checked.has(2));
});

t.end();
