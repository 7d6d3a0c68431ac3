/**
 * Readers that pause for a moment and go on get everything, however much of it had already been
 * given to the socket when it was full, and although nothing is written afterwards.
 */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { configMap, CONFIG_MAPS } from '../support/kinds.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { startServer } from '../support/server.ts';
import type { Server } from '../support/server.ts';

/** Up to 7.5 MB in steps of one object: the buffers of both sockets end somewhere in between. */
const OBJECTS = 120;
const OBJECT_BYTES = 64 * 1024;
/** Until the sockets are full. */
const PAUSE_MS = 1_500;
/** Stands at the end of each object. */
const END = Buffer.from('"z":"end"');

/** Reads nothing until it is told to; then counts objects. */
class PausedReader {
  readonly expected: number;
  seen = 0;
  readonly #socket: Socket;
  #rest: Buffer = Buffer.alloc(0);

  constructor(server: Server, query: string, expected: number) {
    this.expected = expected;
    this.#socket = connect(server.port, '127.0.0.1');
    this.#socket.pause();
    this.#socket.write(
      `GET ${CONFIG_MAPS}?${query} HTTP/1.1\r\nHost: localhost\r\n` +
        `Authorization: Bearer ${server.token}\r\n\r\n`,
    );
    this.#socket.on('error', () => undefined);
    this.#socket.on('data', (chunk: Buffer) => this.#count(chunk));
  }

  goOn(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#socket.destroy();
  }

  #count(chunk: Buffer): void {
    const text = Buffer.concat([this.#rest, chunk]);
    let from = 0;
    for (let at = text.indexOf(END); at >= 0; at = text.indexOf(END, from)) {
      this.seen++;
      from = at + END.length;
    }
    this.#rest = text.subarray(Math.max(from, text.length - END.length + 1));
  }
}

t.test('what a full socket has left is sent when it takes data again', async (t) => {
  const server = await startServer({ test: t });
  for (let n = 0; n < OBJECTS; n++) {
    const data = { bulk: 'x'.repeat(OBJECT_BYTES), z: 'end' };
    const { status } = await server.post(
      CONFIG_MAPS,
      configMap(`n${n}`, data, { labels: { n: `${n}` } }),
    );
    t.equal(status, 201);
  }
  for (const [what, query] of [
    ['watches', 'watch=true&'],
    ['lists', ''],
  ] as const) {
    const readers: PausedReader[] = [];
    for (let n = 1; n <= OBJECTS; n++) {
      readers.push(new PausedReader(server, `${query}labelSelector=n%3C${n}`, n));
    }
    await sleep(PAUSE_MS);
    for (const reader of readers) reader.goOn();
    const deadline = Date.now() + PATIENCE_MS;
    const lacking = (): PausedReader[] => readers.filter(({ seen, expected }) => seen < expected);
    while (lacking().length > 0 && Date.now() < deadline) await sleep(20);
    t.same(
      lacking().map(({ seen, expected }) => `${seen} of ${expected}`),
      [],
      what,
    );
    for (const reader of readers) reader.close();
  }
});

t.end();
