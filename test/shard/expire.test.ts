/** Expiry by the time of the last write. */
import t from 'tap';
import { EXPIRY_STEP_RECORDS, EXPIRY_STEP_REMOVALS } from '../../src/limits.ts';
import { Expiry } from '../../src/shard/upkeep/expire.ts';
import { turns } from '../support/gate.ts';
import { HeldLog } from '../support/held-log.ts';
import { configMap } from '../support/kinds.ts';
import { ShardUnderTest, START_MS } from '../support/shard-under-test.ts';
import { WatchFront } from './watch-model.ts';

t.test('what was written until then goes, finalizers or not', async (t) => {
  const subject = new ShardUnderTest();
  const expiry = new Expiry(subject.shard);
  t.equal(await expiry.expire(START_MS), 0);
  await subject.create(configMap('x'));
  await subject.create(configMap('held', {}, { finalizers: ['example.com/hold'] }));
  subject.nowMs += 1_000;
  await subject.create(configMap('y'));
  const front = new WatchFront(subject);
  const [, reader] = front.open({ namespace: '', app: '', resourceVersion: '103' });
  t.equal(await expiry.expire(START_MS - 1), 0);
  t.equal(await expiry.expire(START_MS), 2);
  t.same(subject.keys(), ['default/y']);
  t.same(
    reader.events.map(({ type, object }) => `${type} ${object.metadata.name}`),
    ['DELETED x', 'DELETED held'],
  );
  t.equal(await expiry.expire(START_MS), 0);
  t.equal(await expiry.expire(START_MS + 1_000), 1);
  t.same(subject.keys(), []);
});

t.test('an update begins the time anew', async (t) => {
  const subject = new ShardUnderTest();
  const expiry = new Expiry(subject.shard);
  for (const name of ['x', 'y']) await subject.create(configMap(name));
  subject.nowMs += 1_000;
  await subject.update(configMap('x', { a: '1' }));
  t.equal(await expiry.expire(START_MS), 1);
  t.same(subject.keys(), ['default/x']);
  t.equal(await expiry.expire(START_MS + 999), 0);
  t.equal(await expiry.expire(START_MS + 1_000), 1);
});

t.test('more than one step of records and of removals', async (t) => {
  const subject = new ShardUnderTest();
  const expiry = new Expiry(subject.shard);
  const count = EXPIRY_STEP_REMOVALS + 10;
  const names = Array.from({ length: count }, (_, at) => `x-${at}`);
  await Promise.all(names.map((name) => subject.create(configMap(name))));
  for (let round = 0; round < EXPIRY_STEP_RECORDS; round++) {
    await subject.update(configMap('x-0', { round: String(round) }));
  }
  t.equal(await expiry.expire(START_MS), count);
  t.same(subject.keys(), []);
});

t.test('a start goes through all of it again', async (t) => {
  const log = new HeldLog();
  const first = new ShardUnderTest({ log });
  for (const name of ['x', 'y']) await first.create(configMap(name));
  t.equal(await new Expiry(first.shard).expire(START_MS), 2);
  const second = new ShardUnderTest({ log, clock: first.clock });
  await second.create(configMap('z'));
  t.equal(await new Expiry(second.shard).expire(START_MS), 1);
  t.same(second.keys(), []);
});

t.test('what a failed commit leaves goes with the next call', async (t) => {
  const log = new HeldLog();
  const subject = new ShardUnderTest({ log });
  const expiry = new Expiry(subject.shard);
  for (const name of ['x', 'y']) await subject.create(configMap(name));
  log.hold();
  const failing = expiry.expire(START_MS);
  await turns();
  log.fail('no space left');
  await t.rejects(failing, { message: /no space left/ });
  t.same(subject.keys(), ['default/x', 'default/y']);
  t.equal(await expiry.expire(START_MS), 2);
});

t.test('a write under way keeps its object, and if it fails does not', async (t) => {
  const cases = [
    { fails: false, names: ['w', 'x', 'y'] },
    { fails: true, names: ['w', 'x', 'y'] },
    // Then nothing else fails with it.
    { fails: true, names: ['x'] },
  ];
  for (const { fails, names } of cases) {
    const log = new HeldLog();
    const subject = new ShardUnderTest({ log });
    const expiry = new Expiry(subject.shard);
    for (const name of names) await subject.create(configMap(name));
    subject.nowMs += 1_000;
    log.hold();
    const written = subject.update(configMap('x', { a: '1' })).catch(() => 'failed');
    const expired = expiry.expire(START_MS).catch(() => 'failed');
    await turns();
    if (fails) log.fail('no space left');
    else log.release();
    await written;
    await expired;
    await expiry.expire(START_MS);
    t.same(subject.keys(), fails ? [] : ['default/x']);
    await expiry.expire(START_MS + 1_000);
    t.same(subject.keys(), []);
  }
});

t.test('a second call while one runs is the same', async (t) => {
  const subject = new ShardUnderTest();
  const expiry = new Expiry(subject.shard);
  await subject.create(configMap('x'));
  const both = await Promise.all([expiry.expire(START_MS), expiry.expire(START_MS)]);
  t.same(both, [1, 1]);
});
