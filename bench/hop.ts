/**
 * The hop between two actors: round trips per second of an ask with 1 KB there and back, by
 * number of asks under way, beside one `postMessage` for each.
 */
import { MessageChannel, Worker } from 'node:worker_threads';
import { Link } from '../src/actors/link.ts';
import { ECHO_VERBS, NO_VERBS } from './hop-protocol.ts';
import type { EchoCalls, NoCalls } from './hop-protocol.ts';
import { measureInFlight, microOptions, report } from './micro.ts';
import type { ResultRow } from './report.ts';

const BODY_BYTES = 1_024;
const IN_FLIGHT = [1, 64, 512];

const options = microOptions();
const linkChannel = new MessageChannel();
const singleChannel = new MessageChannel();
const worker = new Worker(new URL('hop-worker.ts', import.meta.url), {
  workerData: { linkPort: linkChannel.port2, singlePort: singleChannel.port2 },
  transferList: [linkChannel.port2, singleChannel.port2],
});

const body = new Uint8Array(BODY_BYTES).fill(120);
const header = { namespace: 'default', name: 'cm-0000000001' };
const link = new Link<EchoCalls, NoCalls>({
  peer: 'echo',
  port: linkChannel.port1,
  sends: ECHO_VERBS,
  receives: NO_VERBS,
  handlers: { none: () => undefined },
});

const rows: ResultRow[] = [];
for (const inFlight of IN_FLIGHT) {
  const start = (done: () => void): void => link.ask('echo', header, body, done);
  rows.push(await measureInFlight(`packed frames, ${inFlight} asks`, options, inFlight, start));
}

const waiting: (() => void)[] = [];
singleChannel.port1.on('message', () => waiting.shift()?.());
for (const inFlight of IN_FLIGHT) {
  const start = (done: () => void): void => {
    waiting.push(done);
    singleChannel.port1.postMessage({ header, body });
  };
  rows.push(await measureInFlight(`single messages, ${inFlight} asks`, options, inFlight, start));
}

link.close();
singleChannel.port1.close();
await worker.terminate();
report('hop', options, rows);
