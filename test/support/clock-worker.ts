/** A thread that takes versions from a shared clock, at the same time as others. */
import { parentPort, workerData } from 'node:worker_threads';
import { VersionClock } from '../../src/sequencer/version-clock.ts';

export interface ClockWork {
  readonly clock: SharedArrayBuffer;
  /** Counts the threads that are ready; none begins before all are. */
  readonly ready: SharedArrayBuffer;
  readonly threads: number;
  /** How many versions to take. */
  readonly count: number;
}

const work = workerData as ClockWork;
const clock = new VersionClock(work.clock);
const ready = new Int32Array(work.ready);
Atomics.add(ready, 0, 1);
while (Atomics.load(ready, 0) < work.threads);
const taken = new Float64Array(work.count);
for (let at = 0; at < work.count; at++) taken[at] = clock.take();
parentPort?.postMessage(taken);
