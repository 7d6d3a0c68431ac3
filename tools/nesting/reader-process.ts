/**
 * A process with the thread that reads, since the runtime may end a process whose stack is full. It
 * reads what it is sent, one text after the other, with the readers of the module that is its
 * argument.
 */
import { Worker } from 'node:worker_threads';
import { THREAD_STACK_MB } from '../../src/actors/thread-stack.ts';
import type { Reading, ReadOutcome } from './reading.ts';

const thread = new Worker(new URL('reader-thread.ts', import.meta.url), {
  workerData: process.argv[2],
  resourceLimits: { stackSizeMb: THREAD_STACK_MB / 4 },
});

thread.on('message', (outcome: ReadOutcome) => process.send?.(outcome));
process.on('message', (reading: Reading) => thread.postMessage(reading));
process.on('disconnect', () => process.exit());
