/** Who goes on, who waits and who is refused. */
import t from 'tap';
import { FlowBench, meterOf } from '../support/flow-bench.ts';

const QUEUING = { queues: 8, handSize: 1, lengthMax: 2 };
const MASTERS = 'system:masters';

t.test('seats, then queues, then a refusal', async (t) => {
  const bench = new FlowBench(2);
  bench.level({ queuing: { ...QUEUING, queues: 1 } });
  const [first, second, third, fourth, fifth] = Array.from({ length: 5 }, () => bench.begin('a'));
  t.same([first?.request.state, second?.request.state], ['executing', 'executing']);
  t.same([third?.request.state, fourth?.request.state], ['waiting', 'waiting']);
  t.equal(fifth?.why, 'queue-full');
  first?.end();
  t.equal(third?.isLet, true, 'the oldest comes first');
  t.equal(fourth?.isLet, undefined);
  fourth?.end();
  second?.end();
  t.equal(fourth?.isLet, undefined, 'its client has gone');
  third?.end();
  const { dispatched, waiting, executing, seatsInUse, rejected } = meterOf(first!);
  t.same([dispatched, waiting, executing, seatsInUse], [3, 0, 0, 0]);
  t.same(rejected, { 'concurrency-limit': 0, 'queue-full': 1, 'time-out': 1 });
});

t.test('who waits too long is refused', async (t) => {
  const bench = new FlowBench(1);
  bench.level({ queuing: QUEUING });
  const first = bench.begin('a');
  const second = bench.begin('a');
  bench.timers.pass(14_999);
  t.equal(second.isLet, undefined);
  bench.timers.pass(1);
  t.equal(second.isLet, false);
  first.end();
  t.equal(second.request.state, 'over');
  t.equal(bench.stateOf('shared')?.queues.isIdle, true);
});

t.test('a level without queues refuses at once', async (t) => {
  const bench = new FlowBench(1);
  bench.level({});
  const first = bench.begin('a');
  t.equal(bench.begin('b').why, 'concurrency-limit');
  first.end();
  t.equal(bench.begin('b').why, undefined);
});

t.test('what is exempt has no limit', async (t) => {
  const bench = new FlowBench(1);
  const all = Array.from({ length: 50 }, () => bench.begin('root', undefined, MASTERS));
  t.ok(all.every(({ request }) => request.state === 'executing'));
  for (const one of all) one.end();
  t.equal(bench.stateOf('exempt')?.queues.isIdle, true);
});

t.test('one that is wider than its level goes on alone', async (t) => {
  const bench = new FlowBench(3);
  bench.level({ queuing: QUEUING });
  const narrow = bench.begin('a');
  const wide = bench.begin('b', { seats: 10, finalSeats: 0, finalMs: 0 });
  const next = bench.begin('b');
  t.equal(wide.request.state, 'waiting');
  narrow.end();
  t.equal(wide.isLet, true);
  t.equal(next.isLet, undefined);
  wide.end();
  t.equal(next.isLet, true);
});

t.test('seats for watches are kept after the answer', async (t) => {
  const bench = new FlowBench(4);
  bench.level({ queuing: QUEUING });
  const write = bench.begin('a', { seats: 1, finalSeats: 8, finalMs: 10 });
  t.equal(write.request.width, 4, 'fewer seats, and longer');
  write.end();
  const next = bench.begin('b');
  t.equal(next.request.state, 'waiting');
  bench.timers.pass(20);
  t.equal(next.isLet, true);
});

t.test('one flow does not take the part of another', async (t) => {
  const bench = new FlowBench(10);
  bench.level({ queuing: { queues: 64, handSize: 6, lengthMax: 50 } });
  const flood = Array.from({ length: 200 }, () => bench.begin('flood'));
  const served = { flood: 0, other: 0 };
  let other = bench.begin('other');
  for (let step = 0; step < 300; step++) {
    bench.timers.pass(5);
    if (other.request.state === 'executing') {
      other.end();
      served.other++;
      other = bench.begin('other');
    }
    const done = flood.filter(({ request }) => request.state === 'executing');
    for (const one of done) {
      one.end();
      served.flood++;
      flood.splice(flood.indexOf(one), 1, bench.begin('flood'));
    }
  }
  t.ok(served.other > 140, `${served.other} of one at a time, of 300 at most`);
  t.ok(served.flood > 2_000, `${served.flood} of the flood`);
});

t.test('objects change while requests wait', async (t) => {
  const bench = new FlowBench(1);
  bench.level({ queuing: QUEUING, uid: 'first' });
  const first = bench.begin('a');
  const second = bench.begin('a');
  bench.controller.removeLevel('shared');
  bench.timers.pass(1);
  const elsewhere = bench.begin('a');
  t.equal(elsewhere.request.flow.schema.name, 'catch-all', 'a schema without its level is none');
  t.equal(bench.stateOf('shared')?.isQuiescing, true);
  first.end();
  t.equal(second.isLet, true, 'who waits is served yet');
  second.end();
  bench.timers.pass(1);
  t.equal(bench.stateOf('shared'), undefined);
  bench.level({ queuing: { ...QUEUING, queues: 2 }, uid: 'second' });
  t.equal(bench.begin('a').request.flow.schema.name, 'to-shared');
  t.equal(bench.stateOf('shared')?.queues.queues.length, 2);
});

t.test('more seats let who waits go on at once', async (t) => {
  const bench = new FlowBench(2);
  bench.level({ queuing: QUEUING });
  bench.controller.putLevel({ ...bench.stateOf('shared')!.level, name: 'other' });
  bench.timers.pass(1);
  bench.begin('a');
  const second = bench.begin('a');
  t.equal(second.request.state, 'waiting');
  bench.controller.removeLevel('other');
  bench.timers.pass(1);
  t.equal(second.isLet, true);
});

t.test('a level borrows after a while', async (t) => {
  const rules = { borrows: true, countsExempt: true, boundsWidth: true };
  const bench = new FlowBench(100, rules);
  bench.level({ queuing: { queues: 1, handSize: 1, lengthMax: 1_000 } });
  const level = bench.stateOf('shared')!.level;
  bench.controller.putLevel({ ...level, name: 'idle', lendablePercent: 90 });
  bench.timers.pass(1);
  const all = Array.from({ length: 200 }, () => bench.begin('a'));
  const executing = () => all.filter(({ request }) => request.state === 'executing').length;
  t.equal(executing(), 90, 'in proportion to what each has at least');
  bench.timers.pass(10_000);
  t.equal(executing(), 95, 'all that may be lent');
});
