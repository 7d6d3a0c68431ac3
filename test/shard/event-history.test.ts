/** Compaction: what leaves the log and when, with a clock and a timer that the test moves. */
import { mock } from 'node:test';
import t from 'tap';
import { PAGE_BYTES_TARGET } from '../../src/limits.ts';
import { COMPACTION_INTERVAL_MS, COMPACTION_STEP_VERSIONS } from '../../src/limits.ts';
import { EventHistory } from '../../src/shard/event-history.ts';
import type { LogEntry, TypeLog } from '../../src/storage/store.ts';
import { MemoryStore } from '../../src/storage/memory-store.ts';
import { turns } from '../support/gate.ts';
import { configMap } from '../support/kinds.ts';
import { refusal, thrownStatus } from '../support/refusal.ts';
import { answered, listRequest, ShardUnderTest, START_MS } from '../support/shard-under-test.ts';
import { brief, WatchFront } from './watch-model.ts';

const WINDOW_MS = 300_000;

mock.timers.enable({ apis: ['setInterval'] });

/** Lets compaction look once, and end. */
async function look(): Promise<void> {
  mock.timers.tick(COMPACTION_INTERVAL_MS);
  await turns(6);
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
  await first.log.compact([101], 102);
  const second = started(first.log, START_MS + WINDOW_MS);
  t.same(second.keys(), []);
  await look();
  t.same(second.versions(), []);
  await second.shard.history.stop();
});

/** A log that counts what compaction asks of it, and refuses it while told to. */
class CountingLog implements TypeLog {
  readonly #log = new MemoryStore().openLog('counted');
  readonly steps: { readonly count: number; readonly horizon: number }[] = [];
  isBroken = false;

  append(entries: readonly LogEntry[]): Promise<void> {
    return this.#log.append(entries);
  }

  read(rv: number): Uint8Array | undefined {
    return this.#log.read(rv);
  }

  scan(afterRv: number, visit: (rv: number, value: Uint8Array) => boolean): void {
    this.#log.scan(afterRv, visit);
  }

  async compact(rvs: readonly number[], horizon: number): Promise<void> {
    if (this.isBroken) throw new Error('no space left');
    this.steps.push({ count: rvs.length, horizon });
    await this.#log.compact(rvs, horizon);
  }

  horizon(): number {
    return this.#log.horizon();
  }
}

t.test('much is dropped in steps of a bounded size', async (t) => {
  const log = new CountingLog();
  const nowMs = { value: 0 };
  const history = new EventHistory(
    log,
    0,
    () => nowMs.value,
    () => t.fail('no error'),
  );
  history.start();
  const count = COMPACTION_STEP_VERSIONS * 2 + 5;
  for (let rv = 1; rv <= count; rv++) history.superseded(rv, rv + 1, 10);
  history.superseded(9000, 9001, 11);
  await look();
  t.same(log.steps, [], 'nothing has left yet');
  nowMs.value = 10;
  await look();
  t.same(
    log.steps.map((step) => step.count),
    [COMPACTION_STEP_VERSIONS, COMPACTION_STEP_VERSIONS, 5],
  );
  t.equal(history.horizon(), count + 1);
  nowMs.value = 11;
  await look();
  t.same(log.steps.at(-1), { count: 1, horizon: 9001 });
  await look();
  t.equal(log.steps.length, 4, 'and nothing twice');
  await history.stop();
});

t.test('a step that fails is told and tried again', async (t) => {
  const log = new CountingLog();
  const errors: string[] = [];
  const history = new EventHistory(
    log,
    0,
    () => 10,
    (error) => errors.push(error.message),
  );
  history.start();
  history.superseded(1, 2, 1);
  log.isBroken = true;
  await look();
  t.same(errors, ['no space left']);
  log.isBroken = false;
  await look();
  t.same(log.steps, [{ count: 1, horizon: 2 }]);
  await history.stop();
  history.superseded(3, 4, 1);
  await look();
  t.equal(log.steps.length, 1, 'nothing after it was stopped');
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

t.end();
