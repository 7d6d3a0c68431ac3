import t from 'tap';
import { FairTurns } from '../../src/base/turns/fair-turns.ts';
import { newGate, turns } from '../support/gate.ts';

const BOUNDS = { bytesMax: 100, userBytesMax: 40 };

t.test('one piece at a time, users in turns, each in the order in which it came', async (t) => {
  const fair = new FairTurns(BOUNDS);
  const begun: string[] = [];
  const gates = new Map<string, ReturnType<typeof newGate<void>>>();
  const ask = (user: string, what: string): Promise<void> =>
    fair.run(user, 1, () => {
      begun.push(what);
      const gate = newGate<void>();
      gates.set(what, gate);
      return gate.promise;
    });
  const all = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((what) => ask(what.slice(0, 1), what));
  const order = ['a1', 'a2', 'b1', 'c1', 'a3', 'b2'];
  for (const [index, what] of order.entries()) {
    await turns();
    t.same(begun, order.slice(0, index + 1));
    gates.get(what)?.open();
  }
  await Promise.all(all);
});

t.test('one that fails is told so, and the next one begins', async (t) => {
  const fair = new FairTurns(BOUNDS);
  const failed = fair.run('a', 1, () => Promise.reject(new Error('no')));
  const thrown = fair.run('a', 1, () => {
    throw new Error('at once');
  });
  t.equal(await fair.run('a', 1, () => Promise.resolve('done')), 'done');
  await t.rejects(failed, { message: 'no' });
  await t.rejects(thrown, { message: 'at once' });
});

t.test('what waits has a bound, of one user and of all', async (t) => {
  const fair = new FairTurns(BOUNDS);
  const gate = newGate<void>();
  const wait = (user: string, bytes: number): Promise<void> =>
    fair.run(user, bytes, () => gate.promise);
  t.ok(fair.hasRoom('a', 1_000), 'one that is alone may be of any size');
  const waiting = [wait('a', 30), wait('a', 30)];
  t.notOk(fair.hasRoom('a', 11));
  t.ok(fair.hasRoom('a', 10), 'what is under way counts for all, and not for its user');
  waiting.push(wait('b', 40));
  t.notOk(fair.hasRoom('c', 1), 'others find no room either');
  gate.open();
  await Promise.all(waiting);
  t.ok(fair.hasRoom('c', 1_000));
});

t.test('a turn that is begun lasts until that of the event loop is over', async (t) => {
  const fair = new FairTurns(BOUNDS);
  const begun: string[] = [];
  const ask = async (user: string): Promise<void> => {
    await fair.begin(user, 1);
    begun.push(user);
  };
  const both = [ask('a'), ask('b')];
  await Promise.resolve().then(() => undefined);
  t.same(begun, ['a']);
  await Promise.all(both);
  t.same(begun, ['a', 'b']);
});
