/** A work queue hands out each thing at most once at a time, and again when it failed. */
import t from 'tap';
import { WorkQueue } from '../../src/controllers/work-queue.ts';
import {
  CONTROLLER_RETRY_MS,
  CONTROLLER_RETRY_MS_MAX,
  CONTROLLER_WORK_AT_ONCE,
} from '../../src/limits.ts';
import { staleVersion } from '../../src/semantics/errors/status.ts';
import { newGate, turns } from '../support/gate.ts';
import type { Gate } from '../support/gate.ts';
import { ManualTimers } from '../support/manual-timers.ts';

/** A queue whose work ends when the test wants. */
function startQueue() {
  const begun: string[] = [];
  const gates = new Map<string, Gate>();
  const logged: string[] = [];
  const timers = new ManualTimers();
  const queue = new WorkQueue({
    name: 'tested',
    work: (key) => {
      begun.push(key);
      const gate = newGate();
      gates.set(key, gate);
      return gate.promise;
    },
    timers,
    logError: (text) => void logged.push(text),
  });
  const end = async (key: string, error?: Error): Promise<void> => {
    if (error === undefined) gates.get(key)?.open();
    else gates.get(key)?.fail(error);
    await turns();
  };
  return { queue, begun, logged, timers, end };
}

t.test('what is named meanwhile is looked at once more, and not at the same time', async (t) => {
  const { queue, begun, end } = startQueue();
  for (const key of ['a', 'b', 'a', 'a']) queue.add(key);
  t.same(begun, ['a', 'b']);
  await end('a');
  t.same(begun, ['a', 'b', 'a']);
  let isIdle = false;
  void queue.whenIdle().then(() => (isIdle = true));
  await end('a');
  t.notOk(isIdle);
  await end('b');
  t.ok(isIdle);
  t.same(begun, ['a', 'b', 'a']);
});

t.test('only so many are worked on at a time', async (t) => {
  const { queue, begun, end } = startQueue();
  const keys = Array.from({ length: CONTROLLER_WORK_AT_ONCE + 2 }, (_, index) => `${index}`);
  for (const key of keys) queue.add(key);
  t.same(begun, keys.slice(0, -2));
  await end('3');
  t.same(begun, keys.slice(0, -1));
});

t.test(
  'what fails is tried again, later and later, and from the start once it went well',
  async (t) => {
    const { queue, begun, logged, timers, end } = startQueue();
    queue.add('a');
    let waitedMs = CONTROLLER_RETRY_MS;
    for (let tries = 1; waitedMs < 4 * CONTROLLER_RETRY_MS_MAX; tries++, waitedMs *= 2) {
      await end('a', new Error('no'));
      t.equal(logged.length, tries);
      timers.pass(Math.min(waitedMs, CONTROLLER_RETRY_MS_MAX) - 1);
      t.equal(begun.length, tries, `${waitedMs}`);
      timers.pass(1);
      t.equal(begun.length, tries + 1, `${waitedMs}`);
    }
    await end('a');
    t.equal(timers.size, 0);
    queue.add('a');
    await end('a', new Error('no'));
    const before = begun.length;
    timers.pass(CONTROLLER_RETRY_MS);
    t.equal(begun.length, before + 1);
    t.equal(logged[0], 'a: no');
  },
);

t.test('a conflict is no news', async (t) => {
  const { queue, begun, logged, timers, end } = startQueue();
  queue.add('a');
  await end('a', staleVersion({ group: '', resource: 'pods' }, 'a'));
  timers.pass(CONTROLLER_RETRY_MS);
  t.same(begun, ['a', 'a']);
  t.same(logged, []);
});

t.test('what is to be looked at later is, once', async (t) => {
  const { queue, begun, timers } = startQueue();
  queue.addAfter('a', 100);
  timers.pass(60);
  queue.addAfter('a', 100);
  timers.pass(40);
  t.same(begun, ['a']);
  t.equal(timers.size, 0);
});

t.test('a stop waits for what is under way and begins nothing', async (t) => {
  const { queue, begun, logged, timers, end } = startQueue();
  queue.add('a');
  queue.add('a');
  queue.addAfter('b', 5);
  let isStopped = false;
  void queue.stop().then(() => (isStopped = true));
  queue.add('c');
  queue.addAfter('c', 5);
  await turns();
  t.notOk(isStopped);
  await end('a', new Error('the shard has closed'));
  t.ok(isStopped);
  timers.pass(1_000);
  t.same(begun, ['a']);
  t.same(logged, []);
});

t.end();
