import t from 'tap';
import { BatchClock } from '../../src/base/time/batch-clock.ts';

t.test('what comes together has one time, and others have their own', async (t) => {
  const clock = new BatchClock();
  const times = new Set<number>();
  const look = (): void => void times.add(clock.nowMs());
  const wait = (): void => {
    for (const untilMs = performance.now() + 2; performance.now() < untilMs;) continue;
  };
  clock.during(() => {
    look();
    wait();
    look();
  });
  t.equal(times.size, 1);
  wait();
  clock.during(look);
  t.equal(times.size, 2);
  t.throws(() =>
    clock.during(() => {
      throw new Error('it fails');
    }),
  );
  look();
  wait();
  look();
  t.equal(times.size, 4, 'after one that has failed, too');
});
