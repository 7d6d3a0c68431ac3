/** Emptying a namespace: one order to a shard, which ends with nothing left or the number held. */
import t from 'tap';
import { emptyNamespace } from '../../src/shard/upkeep/empty-namespace.ts';
import type { NamespaceUpkeepCalls } from '../../src/protocol/upkeep-protocol.ts';
import { MemoryStore } from '../../src/storage/memory-store.ts';
import { turns } from '../support/gate.ts';
import { HeldLog } from '../support/held-log.ts';
import { configMap } from '../support/kinds.ts';
import { refusal } from '../support/thrown-status.ts';
import { answered, ShardUnderTest } from '../support/shard-under-test.ts';
import { WatchFront } from './watch-model.ts';

type Emptied = NamespaceUpkeepCalls['emptyNamespace']['reply'];

/** The order as the controller gives it: after the shard was told that the namespace terminates. */
function empty(subject: ShardUnderTest, namespace: string): Promise<number> {
  subject.setNamespace(namespace, 'Terminating');
  const answer = answered<Emptied>((ask) => emptyNamespace(subject.shard, namespace, ask));
  return answer.then(({ reply }) => reply.remaining);
}

const HELD = { namespace: 'a', finalizers: ['example.com/hold'] };

t.test('all objects of the namespace go, those of others stay', async (t) => {
  const subject = new ShardUnderTest();
  for (const namespace of ['a', 'b']) {
    for (const name of ['x', 'y', 'z']) await subject.create(configMap(name, {}, { namespace }));
  }
  const front = new WatchFront(subject);
  const [, reader] = front.open({ namespace: '', app: '', resourceVersion: '106' });
  t.equal(await empty(subject, 'a'), 0);
  t.same(subject.keys(), ['b/x', 'b/y', 'b/z']);
  t.same(
    reader.events.map(({ type, object }) => `${type} ${object.metadata.name}`),
    ['DELETED x', 'DELETED y', 'DELETED z'],
  );
  t.equal(await empty(subject, 'a'), 0, 'and again, with nothing to do');
  t.equal(await empty(subject, 'none'), 0);
});

t.test('a namespace that does not terminate is left alone', async (t) => {
  const subject = new ShardUnderTest();
  await subject.create(configMap('kept', {}, { namespace: 'a' }));
  const answer = await answered<Emptied>((ask) => emptyNamespace(subject.shard, 'a', ask));
  t.same(answer.reply, { remaining: 0, terminating: false, finalizers: {} });
  t.same(subject.keys(), ['a/kept']);
});

t.test('from the order on creates are refused, updates and deletes are not', async (t) => {
  const subject = new ShardUnderTest();
  await subject.create(configMap('held', {}, HELD));
  const emptied = empty(subject, 'a');
  const status = await refusal(subject.create(configMap('new', {}, { namespace: 'a' })));
  t.match(status, { code: 403, details: { causes: [{ reason: 'NamespaceTerminating' }] } });
  t.equal(await emptied, 1);
  t.equal((await subject.update(configMap('held', { a: '1' }, HELD))).code, 200);
  t.equal((await subject.delete('held', { namespace: 'a' })).code, 200);
});

t.test('what finalizers hold is marked and counted until it is let go', async (t) => {
  const subject = new ShardUnderTest();
  await subject.create(configMap('held', {}, HELD));
  await subject.create(configMap('free', {}, { namespace: 'a' }));
  t.equal(await empty(subject, 'a'), 1);
  t.same(subject.keys(), ['a/held']);
  const { metadata } = (await subject.get('held', 'a')).object;
  t.match(metadata, { deletionTimestamp: '2024-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 });
  const { length } = subject.versions();
  t.equal(await empty(subject, 'a'), 1);
  t.equal(subject.versions().length, length, 'marked once');
  await subject.update(configMap('held', {}, { namespace: 'a' }));
  t.equal(await empty(subject, 'a'), 0);
});

t.test('what was accepted before the order goes too, committed or not', async (t) => {
  const log = new HeldLog();
  const subject = new ShardUnderTest({ log });
  log.hold();
  const created = ['x', 'y'].map((name) => subject.create(configMap(name, {}, { namespace: 'a' })));
  const emptied = empty(subject, 'a');
  await turns();
  log.release();
  for (const { code } of await Promise.all(created)) t.equal(code, 201);
  t.equal(await emptied, 0);
  t.same(subject.keys(), []);
});

t.test('more than one step of objects', async (t) => {
  const subject = new ShardUnderTest();
  const names = Array.from({ length: 1203 }, (_, at) => `x-${at}`);
  await Promise.all(names.map((name) => subject.create(configMap(name, {}, { namespace: 'a' }))));
  t.equal(subject.keys('a').length, 1203);
  t.equal(await empty(subject, 'a'), 0);
  t.same(subject.keys('a'), []);
});

t.test('a failed commit is told once, and the next order succeeds', async (t) => {
  const log = new HeldLog();
  const subject = new ShardUnderTest({ log });
  for (const name of ['x', 'y']) await subject.create(configMap(name, {}, { namespace: 'a' }));
  await subject.create(configMap('held', {}, HELD));
  log.hold();
  const emptied = empty(subject, 'a');
  await turns();
  log.fail('no space left');
  await t.rejects(emptied, { message: /no space left/ });
  t.equal(subject.keys('a').length, 3);
  t.equal(await empty(subject, 'a'), 1);
});

t.test('an object whose own deletion fails is not taken for gone', async (t) => {
  const log = new HeldLog();
  const subject = new ShardUnderTest({ log });
  await subject.create(configMap('x', {}, { namespace: 'a' }));
  log.hold();
  const deleted = subject.delete('x', { namespace: 'a' });
  const emptied = empty(subject, 'a').catch(() => 'failed');
  await turns();
  log.fail('no space left');
  await t.rejects(deleted);
  t.same(subject.keys('a'), ['a/x']);
  t.not(await emptied, 0, 'else its namespace would go without it');
});

t.test('other writes do not hold it up', async (t) => {
  // Whenever a commit begins there is another write behind it, as under load.
  class BusyLog extends HeldLog {
    override async append(entries: Parameters<HeldLog['append']>[0]): Promise<void> {
      if (isBusy) commits++;
      if (isBusy && commits < 100) void busy();
      await super.append(entries);
    }
  }
  let isBusy = false;
  let commits = 0;
  const log = new BusyLog(new MemoryStore().openLog('busy'));
  const subject = new ShardUnderTest({ log });
  await subject.create(configMap('x', {}, { namespace: 'a' }));
  const busy = () => subject.create(configMap(`b-${commits}`, {}, { namespace: 'b' }));
  isBusy = true;
  t.equal(await empty(subject, 'a'), 0);
  const commitsUntilEmpty = commits;
  await subject.shard.pipeline.idle();
  t.equal(commits, 100, 'the writes went on');
  t.ok(commitsUntilEmpty < 10, `it waited for ${commitsUntilEmpty} commits`);
});
