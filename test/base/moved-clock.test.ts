/** A clock that is moved: its time, and what comes due by it. */
import t from 'tap';
import { MovedClock } from '../../src/base/time/moved-clock.ts';

function startedClock(): { clock: MovedClock; pass: (ms: number) => void } {
  let machineMs = 1_000;
  const clock = new MovedClock(undefined, () => machineMs);
  clock.set({ serverMs: 50_000, machineMs, factor: 1 });
  return { clock, pass: (ms) => void (machineMs += ms) };
}

t.test('it runs at a factor, stands, and does not go back with the machine', async (t) => {
  const { clock, pass } = startedClock();
  pass(10);
  t.equal(clock.nowMs(), 50_010);
  clock.set({ serverMs: 60_000, machineMs: 1_010, factor: 60 });
  pass(10);
  t.equal(clock.nowMs(), 60_600);
  clock.set({ serverMs: 70_000, machineMs: 1_020, factor: 0 });
  pass(10);
  t.equal(clock.nowMs(), 70_000);
  clock.set({ serverMs: 70_000, machineMs: 1_030, factor: 1 });
  pass(-500);
  t.equal(clock.nowMs(), 70_000);
});

t.test('other threads read the same setting', async (t) => {
  const { clock } = startedClock();
  const other = new MovedClock(clock.shared, () => 1_000);
  clock.set({ serverMs: 90_000, machineMs: 1_000, factor: 2 });
  t.same(other.setting, { serverMs: 90_000, machineMs: 1_000, factor: 2 });
});

t.test('what came due is called in the order of time, what comes again once', async (t) => {
  const { clock } = startedClock();
  const called: string[] = [];
  const stop = clock.timers.every(1_000, () => void called.push('each second'));
  clock.timers.after(3_000, () => void called.push('third'));
  clock.timers.after(2_000, () => void called.push('second'));
  const cancel = clock.timers.after(2_500, () => void called.push('never'));
  cancel();
  clock.look();
  t.same(called, [], 'nothing is due yet');
  clock.set({ serverMs: 60_000, machineMs: 1_000, factor: 1 });
  clock.look();
  t.same(called, ['each second', 'second', 'third']);
  clock.look();
  t.equal(called.length, 3, 'and not again');
  stop();
});

t.end();
