/** A stream to a socket that is full, with a response of the HTTP library's behaviour. */
import type { HttpResponse } from 'uWebSockets.js';
import t from 'tap';
import { Exchange } from '../../src/front/exchange.ts';
import { ANSWER_CONTEXT, requestHead } from '../support/answer-context.ts';

/** Keeps what the socket does not take, and sends it with the next write only. */
class FullSocket {
  /** How much the socket takes now. */
  room = 0;
  sent = '';
  kept = '';
  ended = false;
  #writable: (() => boolean) | undefined;

  response(): HttpResponse {
    const response = {
      cork: (then: () => void) => {
        then();
        this.#flush();
        return response;
      },
      writeStatus: () => response,
      writeHeader: () => response,
      write: (part: Uint8Array) => {
        this.kept += Buffer.from(part).toString();
        return this.#flush();
      },
      end: () => {
        this.ended = true;
        return response;
      },
      onWritable: (then: () => boolean) => {
        this.#writable = then;
        return response;
      },
      onAborted: () => response,
    };
    return response as unknown as HttpResponse;
  }

  /** The socket takes more data. */
  makeRoom(bytes: number): void {
    this.room += bytes;
    if (this.#writable?.() !== true) throw new Error('an onWritable that does not say true');
  }

  #flush(): boolean {
    this.sent += this.kept.slice(0, this.room);
    const taken = Math.min(this.room, this.kept.length);
    this.kept = this.kept.slice(taken);
    this.room -= taken;
    return this.kept === '';
  }
}

function streaming(room: number): { socket: FullSocket; exchange: Exchange; calls: () => number } {
  const socket = new FullSocket();
  socket.room = room;
  const exchange = new Exchange(socket.response(), requestHead(), ANSWER_CONTEXT, () => undefined);
  let calls = 0;
  exchange.beginStream('list', 'json');
  exchange.onWritable(() => calls++);
  return { socket, exchange, calls: () => calls };
}

t.test(
  'what the socket did not take goes out with its next room, without another write',
  async (t) => {
    const { socket, exchange, calls } = streaming(10);
    t.equal(exchange.write(Buffer.from('a'.repeat(30))), false);
    t.equal(socket.sent.length, 10);
    socket.makeRoom(5);
    t.equal(socket.sent.length, 15);
    socket.makeRoom(100);
    t.equal(socket.sent, 'a'.repeat(30));
    t.equal(calls(), 2);
    t.equal(exchange.write(Buffer.from('b')), true);
  },
);

t.test('a socket that takes little never makes the library keep more', async (t) => {
  const { socket, exchange } = streaming(0);
  const chunk = 64 * 1024;
  let written = 1;
  t.equal(exchange.write(Buffer.alloc(chunk, 'x')), false);
  exchange.onWritable(() => {
    written++;
    exchange.write(Buffer.alloc(chunk, 'x'));
  });
  for (let turn = 0; turn < 200; turn++) {
    socket.makeRoom(5 * 1024);
    t.ok(socket.kept.length <= chunk, `${socket.kept.length} bytes kept`);
  }
  t.ok(written < 20, `${written} parts for 1000 KiB`);
  t.ok(socket.sent.length > 900 * 1024);
});

t.test('everything arrives in order, an end in between too', async (t) => {
  const { socket, exchange } = streaming(0);
  t.equal(exchange.write(Buffer.from('1'.repeat(5_000))), false);
  socket.makeRoom(5_000);
  t.equal(exchange.write(Buffer.from('2'.repeat(10_000))), false, 'only its beginning was tried');
  t.equal(exchange.write(Buffer.from('3')), false, 'an event that cannot wait');
  exchange.endStream();
  t.ok(socket.ended);
  socket.room = Infinity;
  const all = socket.sent + socket.kept;
  t.equal(all, `${'1'.repeat(5_000)}${'2'.repeat(10_000)}3`);
});

t.test('a header that is no single line is not written: 500, and a line in the log', async (t) => {
  const ways: Record<string, (exchange: Exchange, name: string, value: string) => void> = {
    added: (exchange, name, value) => {
      exchange.setHeader(name, value);
      exchange.sendText(200, 'ok');
    },
    'with bytes': (exchange, name, value) =>
      exchange.sendBytes(200, 'text/plain', new Uint8Array(0), { [name]: value }),
    'of a stream': (exchange, name, value) => {
      exchange.setHeader(name, value);
      exchange.beginStream('watch', 'json');
    },
    passed: (exchange, name, value) => exchange.sendPassed(200, [[name, value]], new Uint8Array(0)),
    'passed on as it comes': (exchange, name, value) => exchange.beginPassed(200, [[name, value]]),
  };
  const headers: [string, string][] = [
    ...['\r\nSet-Cookie: a=b', '\n', '\r', '\0', '\x1b[2J', '\x7f'].map(
      (value): [string, string] => ['X-A', `a${value}b`],
    ),
    ...['', 'X A', 'X:A', 'X-A\r\nB', 'é'].map((name): [string, string] => [name, 'a']),
  ];
  for (const [way, send] of Object.entries(ways)) {
    for (const [name, value] of headers) {
      const socket = new FullSocket();
      const written: string[] = [];
      const logged: string[] = [];
      const response = Object.assign(socket.response(), {
        writeStatus: (status: string) => (written.push(status), response),
        writeHeader: (header: string, text: string) => (
          written.push(`${header}: ${text}`),
          response
        ),
      });
      const context = { ...ANSWER_CONTEXT, logFailure: (text: string) => void logged.push(text) };
      const exchange = new Exchange(response, requestHead(), context, () => undefined);
      send(exchange, name, value);
      const about = `${way}: ${JSON.stringify([name, value])}`;
      t.equal(written[0], '500 Internal Server Error', about);
      t.notMatch(written.join('|'), value === 'a' ? name || /: a(?:\||$)/ : value, about);
      t.match(logged, [/GET "\/": (?:the header X-A has|a header has a name)/], about);
      t.ok(socket.ended && !exchange.open, about);
    }
  }
});

t.test('what nobody has foreseen is told to the log, with the request that met it', async (t) => {
  const socket = new FullSocket();
  const logged: string[] = [];
  const context = { ...ANSWER_CONTEXT, logFailure: (text: string) => void logged.push(text) };
  const response = Object.assign(socket.response(), {
    writeStatus: () => response,
    writeHeader: () => response,
  });
  const head = requestHead({ auditId: 'a\x1b', url: '/api\n/v1?token=secret' });
  new Exchange(response, head, context, () => undefined).fail(new Error('out of order'));
  t.same(logged, ['request "a\\x1b", GET "/api\\n/v1": out of order']);
  t.ok(socket.ended);
  const long = requestHead({ auditId: 'a'.repeat(60_000), url: `/${'b'.repeat(60_000)}` });
  new Exchange(response, long, context, () => undefined).fail(new Error('out of order'));
  t.match(logged[1], /^request "a+…", GET "\/b+…": out of order$/);
  t.ok((logged[1]?.length ?? 0) < 1_500, 'no longer than anybody reads');
});
