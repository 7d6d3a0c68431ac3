/** Every Store must do this (`src/storage/store.ts`): one suite runs on each of them. */
import fc from 'fast-check';
import type { Test } from 'tap';
import type { Store, TypeLog } from '../../src/storage/store.ts';
import { testCustomLogs } from './custom-log-conformance.ts';
import { bytesOf, entriesOf, scanned, textOf, versions } from './log-entries.ts';
import type { StoreUnderTest } from './log-entries.ts';

const MIB = 1024 * 1024;

/** How a log is opened: that of a built-in or of a custom type. */
type Open = (name: string) => TypeLog;
type Scenario = (t: Test, open: Open, store: Store) => Promise<void>;

const OPENINGS: Readonly<Record<string, (store: Store) => Open>> = {
  'of built-in types': (store) => (name) => store.openLog(name),
  'of custom types': (store) => (name) => store.openCustomLog(name),
};

const LOG_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'an empty log has nothing': async (t, open) => {
    const log = open('empty');
    t.equal(log.read(1), undefined);
    t.same(scanned(log), []);
    t.equal(log.horizon(), 0);
    await log.append([]);
    t.same(scanned(log), []);
  },

  'an append is read back, and only from its version': async (t, open) => {
    const log = open('a');
    await log.append(entriesOf(5));
    t.equal(textOf(log.read(5)), 'value 5');
    t.same([log.read(4), log.read(6)], [undefined, undefined]);
    t.equal(log.read(0), undefined, 'version 0 is nobody’s');
  },

  'an append of many is there whole, in order': async (t, open) => {
    const log = open('a');
    const rvs = Array.from({ length: 3000 }, (_, index) => 10 + index * 3);
    await log.append(entriesOf(...rvs));
    t.same(
      scanned(log),
      rvs.map((rv) => [rv, `value ${rv}`]),
    );
  },

  'appends that overlap become visible in the order they were made': async (t, open) => {
    const log = open('a');
    const settled: number[] = [];
    await Promise.all(
      [1, 2, 3, 4, 5].map(async (step) => {
        await log.append(entriesOf(step * 10, step * 10 + 1));
        settled.push(step);
        const expected = Array.from(
          { length: step * 2 },
          (_, at) => 10 + (at >> 1) * 10 + (at & 1),
        );
        t.same(versions(log).slice(0, step * 2), expected, `all up to append ${step}`);
      }),
    );
    t.same(settled, [1, 2, 3, 4, 5]);
  },

  'nothing of an append is visible while another is': async (t, open) => {
    const log = open('a');
    const append = log.append(entriesOf(1, 2, 3));
    const seen = new Set<number>();
    let done = false;
    void append.then(() => (done = true));
    while (!done) {
      seen.add(versions(log).length);
      await new Promise((resolve) => setImmediate(resolve));
    }
    seen.add(versions(log).length);
    t.same(
      [...seen].filter((count) => count !== 0 && count !== 3),
      [],
      'none or all',
    );
    t.ok(seen.has(3));
  },

  'a scan begins after a version and ends when it is told to': async (t, open) => {
    const log = open('a');
    await log.append(entriesOf(2, 4, 6, 8));
    t.same(versions(log, 4), [6, 8]);
    t.same(versions(log, 5), [6, 8]);
    t.same(versions(log, 8), []);
    t.same(versions(log, 1), [2, 4, 6, 8]);
    const seen: number[] = [];
    log.scan(2, (rv) => {
      seen.push(rv);
      return seen.length < 2;
    });
    t.same(seen, [4, 6]);
    t.same(versions(log), [2, 4, 6, 8], 'an ended scan leaves nothing behind');
  },

  'the log may be read during a scan': async (t, open) => {
    const log = open('a');
    await log.append(entriesOf(1, 2, 3));
    const seen: [string | undefined, string | undefined][] = [];
    log.scan(1, (rv, value) => {
      const own = textOf(value);
      seen.push([own, textOf(log.read(rv - 1))]);
      return true;
    });
    t.same(seen, [
      ['value 2', 'value 1'],
      ['value 3', 'value 2'],
    ]);
  },

  'a view of a larger buffer is stored without what surrounds it': async (t, open) => {
    const log = open('a');
    await log.append([{ rv: 1, value: Buffer.from('xx-inner-yy').subarray(3, 8) }]);
    t.equal(textOf(log.read(1)), 'inner');
  },

  'versions above 2^32 and up to 2^53 keep their order': async (t, open) => {
    const log = open('a');
    const max = Number.MAX_SAFE_INTEGER;
    const rvs = [1, 255, 256, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 2 ** 40, max - 1, max];
    await log.append(entriesOf(...rvs));
    t.same(versions(log), rvs);
    t.same(versions(log, 2 ** 32 - 1), [2 ** 32, 2 ** 32 + 1, 2 ** 40, max - 1, max]);
    t.same(versions(log, max - 1), [max]);
    for (const rv of rvs) t.equal(textOf(log.read(rv)), `value ${rv}`);
  },

  'logs do not see one another': async (t, open) => {
    const first = open('configmaps');
    const second = open('leases.coordination.cluster.io');
    await Promise.all([first.append(entriesOf(1, 3)), second.append(entriesOf(2, 4))]);
    t.same(versions(first), [1, 3]);
    t.same(versions(second), [2, 4]);
    t.equal(second.read(1), undefined);
    await first.append([], { rvs: [1], horizon: 3 });
    t.same(versions(second), [2, 4]);
    t.equal(second.horizon(), 0);
  },

  'compaction drops versions and moves the horizon together': async (t, open) => {
    const log = open('a');
    await log.append(entriesOf(1, 2, 3, 4));
    await log.append([], { rvs: [1, 3], horizon: 4 });
    t.same(versions(log), [2, 4]);
    t.equal(log.read(3), undefined);
    t.equal(log.horizon(), 4);
    t.same(versions(log, 0), [2, 4], 'the horizon’s own record is no version');
  },

  'an append drops versions in its own commit': async (t, open) => {
    const log = open('a');
    await log.append(entriesOf(1, 2, 3));
    const append = log.append(entriesOf(4, 5), { rvs: Float64Array.of(1, 2), horizon: 3 });
    const seen = new Set<string>();
    let done = false;
    void append.then(() => (done = true));
    while (!done) {
      seen.add(versions(log).join());
      await new Promise((resolve) => setImmediate(resolve));
    }
    seen.add(versions(log).join());
    t.same([...seen].slice(-1), ['3,4,5']);
    t.ok(
      [...seen].slice(0, -1).every((one) => one === '1,2,3'),
      'all of it at once',
    );
  },

  'the horizon never moves back, and dropping what is not there does nothing': async (t, open) => {
    const log = open('a');
    await log.append(entriesOf(1, 2));
    await log.append([], { rvs: [1], horizon: 9 });
    await log.append([], { rvs: [1, 77], horizon: 5 });
    t.equal(log.horizon(), 9);
    t.same(versions(log), [2]);
    await log.append([], { rvs: [], horizon: 12 });
    t.equal(log.horizon(), 12);
  },

  'records are replaced in place, shorter and longer': async (t, open) => {
    const log = open('a');
    await log.append(entriesOf(1, 2, 3, 4));
    const longer = 'y'.repeat(MIB);
    const replaced = log.rewrite([
      { rv: 2, value: bytesOf('x') },
      { rv: 3, value: bytesOf(longer) },
    ]);
    await Promise.all([replaced, log.append(entriesOf(5))]);
    t.same(scanned(log), [
      [1, 'value 1'],
      [2, 'x'],
      [3, longer],
      [4, 'value 4'],
      [5, 'value 5'],
    ]);
    t.equal(log.horizon(), 0, 'which is no compaction');
    await Promise.all([
      log.rewrite([{ rv: 1, value: bytesOf('z') }]),
      log.append([], { rvs: [1], horizon: 2 }),
    ]);
    t.same(versions(log), [2, 3, 4, 5], 'a removal that comes after it stays one');
  },

  'a log is filled in any order, and goes on': async (t, open) => {
    const log = open('a');
    await Promise.all([log.fill(entriesOf(7, 3)), log.fill(entriesOf(5, 9, 2))]);
    await log.append(entriesOf(10), { rvs: [3], horizon: 4 });
    t.same([...versions(log), log.count()], [2, 5, 7, 9, 10, 5]);
  },

  'a large horizon keeps all its digits': async (t, open) => {
    const log = open('a');
    await log.append(entriesOf(1));
    await log.append([], { rvs: [1], horizon: 2 ** 45 + 3 });
    t.equal(log.horizon(), 2 ** 45 + 3);
  },

  'settings: absent, put, replaced, swapped': async (t, _open, store) => {
    t.equal(store.local.get('x'), undefined);
    await store.local.put('x', 'one');
    t.equal(store.local.get('x'), 'one');
    await store.local.put('x', '');
    t.equal(store.local.get('x'), '', 'an empty text is not absent');
    const before: (string | undefined)[] = [];
    store.local.swap('x', (value) => {
      before.push(value);
      return 'two';
    });
    store.local.swap('new', (value) => {
      before.push(value);
      return 'three ✓';
    });
    t.same(before, ['', undefined]);
    t.equal(store.local.get('x'), 'two');
    t.equal(store.local.get('new'), 'three ✓');
  },

  'a swap that throws changes nothing': async (t, open, store) => {
    await store.local.put('x', 'kept');
    t.throws(
      () =>
        store.local.swap('x', () => {
          throw new Error('refused');
        }),
      { message: 'refused' },
    );
    t.equal(store.local.get('x'), 'kept');
    await open('a').append(entriesOf(1));
    t.same(versions(open('a')), [1], 'and writes go on');
  },
};

/** What a log does that is decided on this machine alone. */
const OWN_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'values of any size and content come back as they were': async (t, open) => {
    const log = open('a');
    const sizes = [0, 1, 7, 2048, 4096, 65_536, 3 * MIB, 3 * MIB + 1];
    const values = sizes.map((size) => Buffer.alloc(size, size % 251));
    const random = Buffer.from(Uint8Array.from({ length: 256 }, (_, byte) => byte));
    values.push(random);
    await log.append(values.map((value, index) => ({ rv: index + 1, value })));
    values.forEach((value, index) => {
      const read = log.read(index + 1);
      t.ok(read !== undefined && value.equals(read), `${value.length} bytes are read`);
    });
    let at = 0;
    log.scan(0, (_rv, value) => {
      const expected = values[at++];
      t.ok(expected?.equals(value), `${value.length} bytes are scanned`);
      return true;
    });
  },

  'readers are told at once where history begins': async (t, open) => {
    const log = open('a');
    await log.append(entriesOf(1, 2, 3));
    const append = log.append(entriesOf(4, 5), { rvs: Float64Array.of(1, 2), horizon: 3 });
    t.equal(log.horizon(), 3);
    await append;
    t.equal(log.horizon(), 3);
  },
};

/** Any appends and compactions agree with a Map. */
async function agreesWithModel(t: Test, open: Open, numRuns: number): Promise<void> {
  let logCount = 0;
  const step = fc.oneof(
    fc.record({ append: fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 5 }) }),
    fc.record({
      append: fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 2 }),
      drop: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 6 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const log = open(`model-${logCount++}`);
      const model = new Map<number, string>();
      let rv = 0;
      let horizon = 0;
      for (const one of steps) {
        const entries = one.append.map((value) => ({ rv: (rv += 2), value }));
        if ('drop' in one) {
          // Only what is committed may be dropped: the versions of this append come after.
          const rvs = one.drop.filter((at) => at < (entries[0]?.rv ?? Infinity));
          const removal = { rvs, horizon: Math.max(0, ...rvs) };
          horizon = Math.max(horizon, removal.horizon);
          for (const at of rvs) model.delete(at);
          await log.append(entries, removal);
        } else {
          await log.append(entries);
        }
        for (const { rv: at, value } of entries) model.set(at, Buffer.from(value).toString('hex'));
        const seen: [number, string][] = [];
        log.scan(0, (at, value) => {
          seen.push([at, Buffer.from(value).toString('hex')]);
          return true;
        });
        t.strictSame(seen, [...model]);
        t.equal(log.count(), model.size);
        t.equal(log.horizon(), horizon);
      }
    }),
    { numRuns },
  );
}

async function survivesReopening(
  t: Test,
  subject: StoreUnderTest,
  opening: (store: Store) => Open,
): Promise<void> {
  const handle = subject.newHandle(t);
  let store = subject.open(handle);
  let open = opening(store);
  const log = open('a');
  await log.append(entriesOf(1, 2, 2 ** 33));
  await log.append([{ rv: 2 ** 33 + 1, value: Buffer.alloc(3 * MIB, 7) }]);
  await log.append([], { rvs: [1], horizon: 2 ** 33 });
  await open('b').append(entriesOf(3));
  await store.shared.put('highWater', '100001');
  store.local.swap('owner', () => 'me');
  await store.close();

  store = subject.open(handle);
  open = opening(store);
  const again = open('a');
  t.equal(again.count(), 3);
  t.same(versions(again), [2, 2 ** 33, 2 ** 33 + 1]);
  t.equal(textOf(again.read(2)), 'value 2');
  t.ok(Buffer.alloc(3 * MIB, 7).equals(again.read(2 ** 33 + 1) ?? new Uint8Array(0)));
  t.equal(again.horizon(), 2 ** 33, 'the horizon is durable');
  t.same(versions(open('b')), [3]);
  t.equal(open('b').horizon(), 0);
  t.equal(store.shared.get('highWater'), '100001');
  t.equal(store.local.get('owner'), 'me');
  await again.append(entriesOf(2 ** 33 + 2));
  t.same(versions(again, 2 ** 33 + 1), [2 ** 33 + 2], 'and it goes on');
  await again.append([], { rvs: [2], horizon: 5 });
  t.equal(again.horizon(), 2 ** 33, 'and not back');
  await store.close();
}

/** Adds the suite to `t`. */
export function testStore(t: Test, name: string, subject: StoreUnderTest): void {
  void t.test(name, async (t) => {
    for (const [which, opening] of Object.entries(OPENINGS)) {
      await t.test(`logs ${which}`, (t) => testLogs(t, subject, opening));
    }
    if (subject.isInEtcd) return;
    await t.test('logs of custom types come and go', (t) => testCustomLogs(t, subject));
  });
}

async function testLogs(
  t: Test,
  subject: StoreUnderTest,
  opening: (store: Store) => Open,
): Promise<void> {
  const withStore = (scenario: Scenario) => async (t: Test) => {
    const store = subject.open(subject.newHandle(t));
    await scenario(t, opening(store), store);
    await store.close();
  };
  const scenarios = { ...LOG_SCENARIOS, ...(subject.isInEtcd ? {} : OWN_SCENARIOS) };
  for (const [scenarioName, scenario] of Object.entries(scenarios)) {
    await t.test(scenarioName, withStore(scenario));
  }
  await t.test(
    'any appends and compactions agree with a map',
    withStore((t, open) => agreesWithModel(t, open, subject.isInEtcd ? 6 : 20)),
  );
  const skip = subject.isDurable ? false : 'keeps nothing when it is closed';
  await t.test('content survives closing and opening', { skip }, (t) =>
    survivesReopening(t, subject, opening),
  );
}
