import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import t from 'tap';
import { VersionClock } from '../../src/sequencer/version-clock.ts';
import type { ClockWork } from '../support/clock-worker.ts';

const WORKER = new URL('../support/clock-worker.ts', import.meta.url);

t.test('versions grow by one from where the clock was started', async (t) => {
  const clock = new VersionClock();
  clock.start(41);
  t.equal(clock.take(), 42);
  t.equal(clock.take(), 43);
  t.equal(clock.last(), 43);
});

t.test('versions beyond 2^32 are exact', async (t) => {
  const clock = new VersionClock();
  clock.start(2 ** 52);
  t.equal(clock.take(), 2 ** 52 + 1);
  clock.extend(2 ** 53 - 1);
  t.equal(clock.leased(), 2 ** 53 - 1);
});

t.test('clients are shown no version that is not leased', async (t) => {
  const clock = new VersionClock();
  clock.start(10);
  clock.extend(12);
  t.equal(clock.current(), 10);
  for (let count = 0; count < 5; count++) clock.take();
  t.equal(clock.last(), 15);
  t.equal(clock.current(), 12);
  clock.extend(100);
  t.equal(clock.current(), 15);
});

t.test('two clocks on the same memory are one', async (t) => {
  const one = new VersionClock();
  const other = new VersionClock(one.shared);
  one.start(5);
  one.extend(50);
  t.equal(other.take(), 6);
  t.equal(one.take(), 7);
  t.equal(other.current(), 7);
});

t.test('threads never take the same version, and each takes ever higher ones', async (t) => {
  const clock = new VersionClock();
  clock.start(1000);
  const [threads, count] = [2, 200_000];
  const ready = new SharedArrayBuffer(4);
  const workerData: ClockWork = { clock: clock.shared, ready, threads, count };
  const results = Array.from({ length: threads }, async () => {
    const [taken] = await once(new Worker(WORKER, { workerData }), 'message');
    return taken as Float64Array;
  });
  const taken = await Promise.all(results);
  for (const versions of taken) {
    t.ok(versions.every((version, at) => at === 0 || version > (versions[at - 1] ?? 0)));
  }
  t.equal(
    new Set(taken.flatMap((versions) => [...versions])).size,
    threads * count,
    'all are different',
  );
  t.equal(clock.last(), 1000 + threads * count, 'and none is left out');
});
