/** Every Store must do this with the logs of custom types, beyond what any log does. */
import type { Test } from 'tap';
import { DROP_STEP_RECORDS } from '../../src/limits.ts';
import type { Store } from '../../src/storage/store.ts';
import { entriesOf, scanned, versions } from './log-entries.ts';
import type { StoreUnderTest } from './log-entries.ts';

const WIDGETS = 'widgets.example.com/0d1f';
const GADGETS = 'gadgets.example.com/77aa';

type Scenario = (t: Test, store: Store) => Promise<void>;

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'those that were made are listed, whatever their names': async (t, store) => {
    t.same(store.customLogs(), []);
    const names = [
      '',
      '__proto__',
      'a',
      'a ',
      'a b',
      'a/b',
      'é',
      '日本',
      `long ${'x'.repeat(500)}`,
    ];
    for (const [at, name] of names.entries()) {
      await store.openCustomLog(name).append(entriesOf(at + 1));
    }
    store.openLog('pods');
    t.same([...store.customLogs()].sort(), [...names].sort());
    for (const [at, name] of names.entries()) {
      t.same(versions(store.openCustomLog(name)), [at + 1], `the log '${name}'`);
    }
  },

  'a built-in type of the same name is another': async (t, store) => {
    await store.openLog(WIDGETS).append(entriesOf(1));
    await store.openCustomLog(WIDGETS).append(entriesOf(2));
    await store.dropLog(WIDGETS);
    t.same(versions(store.openLog(WIDGETS)), [1]);
    t.same(store.customLogs(), []);
  },

  'a log that is dropped is gone, and others stay': async (t, store) => {
    const names = ['before', WIDGETS, 'after'];
    for (const name of names) {
      const log = store.openCustomLog(name);
      await log.append(entriesOf(1, 2, 3, 4));
      await log.append([], { rvs: [1, 2], horizon: 3 });
    }
    await store.dropLog(WIDGETS);
    t.same([...store.customLogs()].sort(), ['after', 'before']);
    for (const name of ['before', 'after']) {
      const log = store.openCustomLog(name);
      t.same(versions(log), [3, 4]);
      t.same([log.count(), log.horizon()], [2, 3]);
    }
    await store.dropLog(WIDGETS);
    await store.dropLog('one that never was');
    const anew = store.openCustomLog(WIDGETS);
    t.same(versions(anew), [], 'made anew it is empty');
    t.same([anew.count(), anew.horizon(), anew.read(3)], [0, 0, undefined]);
    await anew.append(entriesOf(2));
    t.same(versions(anew), [2], 'and versions may begin below');
  },

  'it may be made anew while it is being dropped, and others append': async (t, store) => {
    const records = DROP_STEP_RECORDS * 2 + 1;
    const all = Array.from({ length: records }, (_, at) => at + 1);
    const log = store.openCustomLog(WIDGETS);
    const other = store.openCustomLog(GADGETS);
    await log.append(entriesOf(...all));
    let isDropped = false;
    const dropped = store.dropLog(WIDGETS).then(() => (isDropped = true));
    const anew = store.openCustomLog(WIDGETS);
    t.same(versions(anew), []);
    const appended: number[] = [];
    for (let rv = records + 1; !isDropped || appended.length < 3; rv++) {
      await Promise.all([other.append(entriesOf(rv)), anew.append(entriesOf(rv))]);
      appended.push(rv);
    }
    await dropped;
    const expected = appended.map((rv) => [rv, `value ${rv}`]);
    t.same(scanned(anew), expected);
    t.same(scanned(other), expected);
    t.same([anew.count(), other.count()], [appended.length, appended.length]);
    await store.finishDrops();
    t.same(versions(anew), appended, 'nothing was left to be dropped');
  },

  'how many records there are is known whatever is asked at once': async (t, store) => {
    const log = store.openCustomLog(WIDGETS);
    await log.append(entriesOf(1, 2, 3, 4, 5));
    await Promise.all([
      log.append(entriesOf(6), { rvs: [1, 1, 9], horizon: 2 }),
      log.append([], { rvs: [1, 2], horizon: 3 }),
      log.rewrite(entriesOf(3)),
      log.append(entriesOf(7, 8)),
    ]);
    t.same(versions(log), [3, 4, 5, 6, 7, 8]);
    t.equal(log.count(), 6);
    t.equal(store.openCustomLog(WIDGETS).count(), 6);
  },
};

async function survivesReopening(t: Test, subject: StoreUnderTest): Promise<void> {
  const handle = subject.newHandle(t);
  let store = subject.open(handle);
  for (const name of [WIDGETS, 'dropped', GADGETS]) {
    await store.openCustomLog(name).append(entriesOf(1, 2));
  }
  await store.dropLog('dropped');
  await store.openCustomLog('dropped').append(entriesOf(3));
  await store.close();

  store = subject.open(handle);
  t.same(store.customLogs(), ['dropped', GADGETS, WIDGETS]);
  await store.finishDrops();
  t.same(versions(store.openCustomLog('dropped')), [3]);
  t.same(versions(store.openCustomLog(WIDGETS)), [1, 2]);
  await store.close();
}

export async function testCustomLogs(t: Test, subject: StoreUnderTest): Promise<void> {
  for (const [name, scenario] of Object.entries(SCENARIOS)) {
    await t.test(name, async (t) => {
      const store = subject.open(subject.newHandle(t));
      await scenario(t, store);
      await store.close();
    });
  }
  const skip = subject.isDurable ? false : 'keeps nothing when it is closed';
  await t.test('they survive closing and opening', { skip }, (t) => survivesReopening(t, subject));
}
