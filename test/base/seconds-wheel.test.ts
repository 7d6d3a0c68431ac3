import t from 'tap';
import { SecondsWheel } from '../../src/base/time/seconds-wheel.ts';
import { ManualTimers } from '../support/manual-timers.ts';

function newWheel(onDue: (items: readonly string[]) => void = () => undefined) {
  const timers = new ManualTimers();
  const log: string[] = [];
  const wheel = new SecondsWheel<string>(timers, (items) => {
    log.push(`${timers.nowMs / 1000}: ${[...items].join(' ')}`);
    onDue([...items]);
  });
  return { timers, log, wheel };
}

t.test('each item comes due in its second, those of one second together', async (t) => {
  const { timers, log, wheel } = newWheel();
  for (const [item, seconds] of Object.entries({ a: 1, b: 60, c: 59, d: 1 })) {
    wheel.add(item, seconds);
  }
  timers.pass(500);
  wheel.add('e', 1);
  timers.pass(59_500);
  t.same(log, ['1: a d e', '59: c', '60: b']);
  t.equal(wheel.size, 0);
});

t.test('an item goes round again when it is added as it comes due', async (t) => {
  const { timers, log, wheel } = newWheel((items) => {
    for (const item of items) wheel.add(item, item === 'soon' ? 1 : 60);
  });
  wheel.add('minute', 60);
  timers.pass(58_000);
  wheel.add('soon', 1);
  timers.pass(4_000);
  t.same(log, ['59: soon', '60: minute soon', '61: soon', '62: soon']);
  timers.pass(58_000);
  t.equal(log.at(-1), '120: minute soon');
});

t.test('what is removed does not come', async (t) => {
  const { timers, log, wheel } = newWheel();
  const slot = wheel.add('a', 3);
  wheel.add('b', 3);
  wheel.remove('a', slot);
  wheel.remove('a', slot);
  timers.pass(10_000);
  t.same(log, ['3: b']);
  wheel.remove('b', slot);
  t.equal(wheel.size, 0, 'removing what has come is no harm');
});

t.test('the timer runs only while it is needed', async (t) => {
  const { timers, wheel } = newWheel();
  t.equal(timers.size, 0);
  const slot = wheel.add('a', 5);
  const other = wheel.add('b', 50);
  t.equal(timers.size, 1, 'one for all');
  wheel.remove('a', slot);
  t.equal(timers.size, 1);
  wheel.remove('b', other);
  t.equal(timers.size, 0);
  wheel.add('c', 2);
  timers.pass(2_000);
  t.equal(timers.size, 0, 'and it ends with the last that came due');
});

t.test('times that do not fit are a bug', async (t) => {
  const { wheel } = newWheel();
  t.throws(() => wheel.add('a', 0));
  t.throws(() => wheel.add('a', 61));
});
