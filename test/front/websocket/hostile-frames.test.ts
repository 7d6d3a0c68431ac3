/** Peers of sessions that send frames that are none, or more of them than anybody needs. */
import { Duplex } from 'node:stream';
import t from 'tap';
import { SpdyStreams } from '../../../src/front/agents/spdy-streams.ts';
import { FrameSocket } from '../../../src/front/websocket/frame-socket.ts';

/** A connection whose other end is the test; `takes` says whether that reads. */
class Connection extends Duplex {
  readonly sent: Buffer[] = [];
  readonly #takes: boolean;

  constructor(takes = true) {
    super();
    this.#takes = takes;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.sent.push(chunk);
    if (this.#takes) done();
  }

  /** Takes bytes from the other end at once. */
  receive(bytes: Uint8Array | string): void {
    this.emit('data', Buffer.from(bytes as Uint8Array));
  }
}

interface Seen {
  readonly connection: Connection;
  readonly messages: Buffer[];
  isClosed: boolean;
}

function frames(takes = true): Seen {
  const seen: Seen = { connection: new Connection(takes), messages: [], isClosed: false };
  new FrameSocket(
    seen.connection,
    {
      onMessage: (message) => seen.messages.push(Buffer.from(message)),
      onDrain: () => undefined,
      onClose: () => (seen.isClosed = true),
    },
    true,
  );
  return seen;
}

function streams(takes = true): Seen {
  const seen: Seen = { connection: new Connection(takes), messages: [], isClosed: false };
  new SpdyStreams(seen.connection, Buffer.alloc(0), {
    onData: (_, bytes) => seen.messages.push(Buffer.from(bytes)),
    onEnd: () => undefined,
    onClose: () => (seen.isClosed = true),
  });
  return seen;
}

const later = () => new Promise((resolve) => setImmediate(resolve));
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

t.test('frames of a WebSocket that are none end it, and nothing else', async (t) => {
  for (const [what, bytes] of Object.entries({
    'an unknown opcode': hex('83 00'),
    'an extension that nobody agreed to': hex('c2 00'),
    'a ping in parts': hex('09 00'),
    'a long ping': Buffer.concat([hex('89 7e 00 7e'), Buffer.alloc(126)]),
    'a long reason': Buffer.concat([hex('88 7e 07 d0'), Buffer.alloc(2_000, 'x')]),
    'a length beyond all numbers': hex('82 7f ff ff ff ff ff ff ff ff'),
    'more than a message may have': hex('82 7f 00 00 00 00 10 00 00 00'),
  })) {
    const seen = frames();
    seen.connection.receive(bytes);
    await later();
    t.ok(seen.isClosed || seen.connection.writableEnded, what);
    t.same(seen.messages, [], what);
    for (const frame of seen.connection.sent) t.ok(frame.length <= 131, `${what}: a short answer`);
  }
});

t.test('frames of SPDY that are none end it, and nothing else', async (t) => {
  for (const [what, bytes] of Object.entries({
    'the end of no stream': hex('8003 0003 00 000000'),
    'the end of half a stream': hex('8003 0003 00 000003 000000'),
    'more than a frame may have': hex('00000001 00 ffffff'),
  })) {
    const seen = streams();
    seen.connection.receive(bytes);
    await later();
    t.ok(seen.isClosed || seen.connection.destroyed, what);
    t.same(seen.messages, [], what);
  }
});

t.test('a message in very many parts costs no more than it may have', async (t) => {
  const seen = frames();
  seen.connection.receive(hex('02 01 00'));
  const parts = Buffer.alloc(3 * 1_000, hex('00 01 00'));
  const empty = Buffer.alloc(2 * 1_000, hex('00 00'));
  for (let round = 0; round < 5_000 && !seen.isClosed; round++) {
    seen.connection.receive(round % 2 === 0 ? parts : empty);
  }
  t.ok(seen.isClosed);
  t.same(seen.messages, []);
  const whole = frames();
  for (const part of ['02 02 6865', '00 00', '89 00', '00 02 6c6c', '80 01 6f']) {
    for (const byte of hex(part)) whole.connection.receive(Uint8Array.of(byte));
  }
  t.same(whole.messages, [Buffer.from('hello')], 'some parts are a message');
});

t.test('a long frame byte by byte is not copied each time', async (t) => {
  for (const [seen, head] of [
    [frames(), hex('82 7f 00 00 00 00 00 3f ff f0')],
    [streams(), hex('00000001 00 3ffff0')],
  ] as const) {
    seen.connection.receive(head);
    seen.connection.receive(Buffer.alloc(0x3ff000, 'x'));
    // Each would copy four megabytes: a minute of the thread that serves all others.
    for (let at = 0; at < 0xff0; at++) seen.connection.receive('y');
    t.equal(seen.messages.length, 1);
    t.equal(seen.messages[0]?.length, 0x3ffff0);
    t.equal(seen.messages[0]?.at(-1), 0x79);
  }
});

t.test('a peer that asks for answers and takes none is cut', async (t) => {
  for (const [seen, ping] of [
    [frames(false), Buffer.concat([hex('89 7d'), Buffer.alloc(125)])],
    [streams(false), Buffer.concat([hex('8003 0006 00 001000'), Buffer.alloc(0x1000)])],
  ] as const) {
    const many = Buffer.concat(Array<Buffer>(1_000).fill(ping));
    for (let round = 0; round < 1_000 && !seen.connection.destroyed; round++) {
      seen.connection.receive(many);
    }
    t.ok(seen.connection.destroyed, `${seen.connection.writableLength} bytes wait`);
  }
});

t.end();
