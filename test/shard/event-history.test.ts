/** Compaction: what leaves the log and when, with a clock and a timer that the test moves. */
import { mock } from 'node:test';
import t from 'tap';
import {
  COMPACTION_BATCH_VERSIONS,
  COMPACTION_INTERVAL_MS,
  COMPACTION_PAUSE_MS,
  COMPACTION_STEP_VERSIONS,
  PAGE_BYTES_TARGET,
} from '../../src/limits.ts';
import { EventHistory } from '../../src/shard/log/event-history.ts';
import type { LogEntry, Removal, TypeLog } from '../../src/storage/store.ts';
import { MemoryStore } from '../../src/storage/memory-store.ts';
import { turns } from '../support/gate.ts';
import { configMap } from '../support/kinds.ts';
import { refusal, thrownStatus } from '../support/thrown-status.ts';
import { answered, listRequest, ShardUnderTest, START_MS } from '../support/shard-under-test.ts';
import { brief, WatchFront } from './watch-model.ts';

const WINDOW_MS = 300_000;

mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });

/** Lets compaction look once, and take so many steps if it has to. */
async function look(steps = 5): Promise<void> {
  mock.timers.tick(COMPACTION_INTERVAL_MS);
  await turns(4);
  for (let step = 1; step < steps; step++) await pause();
}

/** Lets the time between two steps pass. */
async function pause(): Promise<void> {
  mock.timers.tick(COMPACTION_PAUSE_MS);
  await turns(4);
}

function started(log?: TypeLog, nowMs = START_MS): ShardUnderTest {
  const subject = new ShardUnderTest(log === undefined ? {} : { log }, nowMs);
  subject.shard.history.start();
  return subject;
}

t.test('a version leaves when its successor has left the window', async (t) => {
  const subject = started();
  const { history } = subject.shard;
  await subject.create(configMap('x'));
  subject.nowMs += 60_000;
  await subject.update(configMap('x', { step: '2' }));
  subject.nowMs += 60_000;
  await subject.update(configMap('x', { step: '3' }));
  await look();
  t.same(subject.versions(), [101, 102, 103]);
  t.equal(history.horizon(), 0);

  subject.nowMs = START_MS + 60_000 + WINDOW_MS - 1;
  await look();
  t.same(subject.versions(), [101, 102, 103], 'the successor is in the window still');
  subject.nowMs++;
  await look();
  t.same(subject.versions(), [102, 103]);
  t.equal(history.horizon(), 102);

  subject.nowMs += 10 * WINDOW_MS;
  await look();
  t.same(subject.versions(), [103], 'the live version stays for ever');
  t.equal(history.horizon(), 103);
  t.equal((await subject.get('x')).object.data.step, '3');
  await history.stop();
});

t.test('the mark of a deletion leaves when it has left the window itself', async (t) => {
  const subject = started();
  await subject.create(configMap('x'));
  await subject.create(configMap('kept'));
  subject.nowMs += 1000;
  await subject.delete('x');
  subject.nowMs += WINDOW_MS - 1;
  await look();
  t.same(subject.versions(), [101, 102, 103]);
  subject.nowMs += 1;
  await look();
  t.same(subject.versions(), [102]);
  t.equal(subject.shard.history.horizon(), 103);
  await subject.shard.history.stop();
});

t.test('watches below the horizon are refused, from it on they miss nothing', async (t) => {
  const subject = started();
  const front = new WatchFront(subject);
  const everything = { namespace: '', app: '' };
  await subject.create(configMap('x'));
  await subject.update(configMap('x', { step: '2' }));
  subject.nowMs += WINDOW_MS;
  await subject.update(configMap('x', { mark: '3' }));
  await look();
  t.equal(subject.shard.history.horizon(), 102);
  const status = thrownStatus(() => front.open({ ...everything, resourceVersion: '101' }));
  t.match(status, { code: 410, reason: 'Expired' });
  t.equal(status.message, 'too old resource version: 101 (102)');
  const [, reader] = front.open({ ...everything, resourceVersion: '102' });
  t.same(brief(reader.events), ['MODIFIED default/x 103  3']);
  await subject.shard.history.stop();
});

t.test('a restart goes on with the history that there is', async (t) => {
  const first = started();
  await first.create(configMap('x'));
  await first.create(configMap('y'));
  first.nowMs += 60_000;
  await first.update(configMap('x', { step: '2' }));
  await first.delete('y');
  await first.shard.history.stop();

  const second = started(first.log, first.nowMs);
  t.same(second.keys(), ['default/x']);
  t.equal(second.shard.pipeline.appliedRv, 104);
  await look();
  t.same(second.versions(), [101, 102, 103, 104], 'nothing has left the window yet');
  const front = new WatchFront(second);
  const [, reader] = front.open({ namespace: '', app: '', resourceVersion: '101' });
  t.same(
    reader.events.map(({ type }) => type),
    ['ADDED', 'MODIFIED', 'DELETED'],
    'and can be watched',
  );
  second.nowMs += WINDOW_MS;
  await look();
  t.same(second.versions(), [103]);
  t.equal(second.shard.history.horizon(), 104);
  await second.shard.history.stop();

  const third = started(first.log, second.nowMs);
  t.equal(third.shard.history.horizon(), 104, 'the horizon is durable');
  t.same(third.keys(), ['default/x']);
  t.equal((await third.get('x')).object.data.step, '2');
  await third.shard.history.stop();
});

t.test('a restart after only half of a deletion was dropped', async (t) => {
  const first = new ShardUnderTest();
  await first.create(configMap('x'));
  await first.delete('x');
  // As a crash between two steps of compaction leaves it.
  await first.log.append([], { rvs: [101], horizon: 102 });
  const second = started(first.log, START_MS + WINDOW_MS);
  t.same(second.keys(), []);
  await look();
  t.same(second.versions(), []);
  await second.shard.history.stop();
});

interface Step {
  readonly entries: number;
  readonly count: number;
  readonly horizon: number;
}

/** A log that tells what compaction asks of it, and refuses appends while told to. */
class CountingLog implements TypeLog {
  readonly #log = new MemoryStore().openLog('counted');
  readonly steps: Step[] = [];
  isBroken = false;

  async append(entries: readonly LogEntry[], removal?: Removal): Promise<void> {
    if (this.isBroken) throw new Error('no space left');
    if (removal !== undefined) {
      const { rvs, horizon } = removal;
      this.steps.push({ entries: entries.length, count: rvs.length, horizon });
    }
    await this.#log.append(entries, removal);
  }

  checkRoom(): void {}

  async fill(entries: readonly LogEntry[]): Promise<void> {
    await this.#log.fill(entries);
  }

  async rewrite(entries: readonly LogEntry[]): Promise<void> {
    await this.#log.rewrite(entries);
  }

  read(rv: number): Uint8Array | undefined {
    return this.#log.read(rv);
  }

  scan(afterRv: number, visit: (rv: number, value: Uint8Array) => boolean): void {
    this.#log.scan(afterRv, visit);
  }

  count(): number {
    return this.#log.count();
  }

  horizon(): number {
    return this.#log.horizon();
  }
}

const STEP = COMPACTION_STEP_VERSIONS;

/** A history without a window on a log of its own, at a time that the test moves. */
function countedHistory() {
  const log = new CountingLog();
  const time = { nowMs: 0 };
  const errors: string[] = [];
  const history = new EventHistory(
    log,
    0,
    () => time.nowMs,
    (error) => errors.push(error.message),
  );
  history.start();
  return { log, time, errors, history };
}

const ENTRY: LogEntry = { rv: 100_000, value: Buffer.from('value') };

t.test('much is dropped in steps of a bounded size', async (t) => {
  const { log, time, errors, history } = countedHistory();
  const count = STEP * 2 + 5;
  for (let rv = 1; rv <= count; rv++) history.superseded(rv, rv + 1, 10);
  history.superseded(9000, 9001, 11);
  await look();
  t.same(log.steps, [], 'nothing has left yet');
  time.nowMs = 10;
  await look();
  const horizon = count + 1;
  t.same(log.steps, [
    { entries: 0, count: STEP, horizon },
    { entries: 0, count: STEP, horizon },
    { entries: 0, count: 5, horizon },
  ]);
  t.equal(history.horizon(), horizon);
  time.nowMs = 11;
  await look();
  t.same(log.steps.at(-1), { entries: 0, count: 1, horizon: 9001 });
  await look();
  t.equal(log.steps.length, 4, 'and nothing twice');
  t.same(errors, []);
  await history.stop();
});

t.test('steps go with the commits of those who write, one after each pause', async (t) => {
  const { log, time, history } = countedHistory();
  for (let rv = 1; rv <= STEP * 4; rv++) history.superseded(rv, rv + 1, 10);
  time.nowMs = 10;
  await look(1);
  t.same(
    log.steps.map(({ entries, count }) => [entries, count]),
    [[0, STEP]],
  );
  await history.append([ENTRY]);
  await history.append([{ ...ENTRY, rv: ENTRY.rv + 1 }]);
  await pause();
  await Promise.all([
    history.append([{ ...ENTRY, rv: ENTRY.rv + 2 }]),
    history.append([{ ...ENTRY, rv: ENTRY.rv + 3 }]),
  ]);
  await pause();
  await pause();
  t.same(
    log.steps.map(({ entries, count }) => [entries, count]),
    [
      [0, STEP],
      [1, STEP],
      [1, STEP],
      [0, STEP],
    ],
  );
  t.equal(history.versions.firstSeq, history.versions.nextSeq, 'all of it is gone');
  t.equal(log.read(ENTRY.rv + 3)?.length, 5);
  await history.stop();
});

t.test(
  'more than a batch is dropped batch after batch, each in the order of the log',
  async (t) => {
    const { log, time, history } = countedHistory();
    // Pairs that leave in the opposite order.
    const count = COMPACTION_BATCH_VERSIONS + 10;
    for (let rv = 1; rv <= count; rv += 2) {
      history.superseded(rv + 1, 50_000 + rv, 10);
      history.superseded(rv, 50_001 + rv, 10);
    }
    const dropped: number[] = [];
    const { append } = log;
    log.append = async (entries, removal) => {
      dropped.push(...Array.from(removal?.rvs ?? []));
      await append.call(log, entries, removal);
    };
    time.nowMs = 10;
    await look(Math.ceil(count / STEP) + 1);
    t.same(
      dropped,
      Array.from({ length: count }, (_, at) => at + 1),
    );
    t.equal(log.steps[0]?.horizon, 50_000 + COMPACTION_BATCH_VERSIONS);
    t.equal(history.horizon(), 50_000 + count);
    await history.stop();
  },
);

t.test('a step that fails is told and tried again', async (t) => {
  const { log, time, errors, history } = countedHistory();
  time.nowMs = 10;
  history.superseded(1, 2, 1);
  log.isBroken = true;
  await look();
  t.same(errors, ['no space left']);
  log.isBroken = false;
  await look();
  t.same(log.steps, [{ entries: 0, count: 1, horizon: 2 }]);
  await history.stop();
  history.superseded(3, 4, 1);
  await look();
  t.equal(log.steps.length, 1, 'nothing after it was stopped');
});

t.test('a write that fails with a step tells its writer, and the step is not lost', async (t) => {
  const { log, time, errors, history } = countedHistory();
  for (let rv = 1; rv <= STEP + 3; rv++) history.superseded(rv, rv + 1, 10);
  time.nowMs = 10;
  await look(1);
  t.equal(log.steps.length, 1);
  log.isBroken = true;
  await t.rejects(history.append([ENTRY]), { message: 'no space left' });
  log.isBroken = false;
  await history.append([ENTRY]);
  await pause();
  t.equal(log.steps.length, 1, 'writes go without a step until the next look');
  await look();
  t.same(
    log.steps.map(({ count }) => count),
    [STEP, STEP, 3],
    'which takes all of it again: what is gone already is passed over',
  );
  t.equal(history.versions.firstSeq, history.versions.nextSeq);
  t.same(errors, []);
  await history.stop();
});

t.test('a list that is read for longer than the window ends, and harms nobody', async (t) => {
  const subject = started();
  const bulk = 'x'.repeat(0.38 * PAGE_BYTES_TARGET);
  for (const name of ['p', 'q', 'r', 's', 't']) await subject.create(configMap(name, { bulk }));
  const first = await answered<{ listId?: number }>((answer) =>
    subject.lists.list(listRequest(), answer),
  );
  const front = new WatchFront(subject);
  const [watchId, reader] = front.open({ namespace: '', app: '', resourceVersion: '' });
  t.equal(reader.channel, undefined);
  await subject.update(configMap('t', { step: '2' }));
  subject.nowMs += WINDOW_MS;
  await look();
  t.notOk(subject.versions().includes(105), 'it has gone');

  const listId = first.reply.listId ?? 0;
  const status = await refusal(answered((answer) => subject.lists.more(listId, answer)));
  t.match(status, { code: 410, reason: 'Expired' });
  t.equal(subject.lists.openCount, 0);
  front.more(watchId);
  t.match(reader.failure, { name: 'StatusError', status: { code: 410, reason: 'Expired' } });
  t.equal((await subject.list()).items.length, 5, 'a new list works');
  await subject.shard.history.stop();
});
