/** A thread that has nothing to do is woken rarely to look at how late it is. */
import t from 'tap';
import { DelayLooks } from '../../src/observability/delay-looks.ts';
import { EVENT_LOOP_LOOK_MS, SAMPLE_INTERVAL_MS } from '../../src/observability/limits.ts';

t.test('it looks often while there is work, and rarely while there is none', async (t) => {
  let nowMs = 0;
  const running = new Map<() => void, number>();
  const late: number[] = [];
  const looks = new DelayLooks({
    nowMs: () => nowMs,
    late: (ms) => void late.push(ms),
    timers: {
      every: (ms, then) => {
        running.set(then, ms);
        return () => running.delete(then);
      },
    },
  });
  const look = (afterMs: number): void => {
    nowMs += afterMs;
    for (const then of running.keys()) then();
  };
  const intervals = (): number[] => [...running.values()];
  t.same(intervals(), [EVENT_LOOP_LOOK_MS], 'what begins has work');
  look(EVENT_LOOP_LOOK_MS + 7);
  look(EVENT_LOOP_LOOK_MS);
  t.same(late, [7, 0]);
  looks.wasBusy(0.001);
  t.same(intervals(), [SAMPLE_INTERVAL_MS]);
  look(SAMPLE_INTERVAL_MS + 3);
  t.same(late, [7, 0, 3], 'as late as it is by the time of then');
  looks.wasBusy(0.5);
  t.same(intervals(), [EVENT_LOOP_LOOK_MS]);
  looks.wasBusy(0.6);
  t.same(intervals(), [EVENT_LOOP_LOOK_MS]);
  look(EVENT_LOOP_LOOK_MS);
  t.same(late, [7, 0, 3, 0]);
});

t.end();
