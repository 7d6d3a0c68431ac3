/** Answers over real sockets, gzipped on their way. */
import { gunzipSync } from 'node:zlib';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import t from 'tap';
import { BoundedTurns } from '../../src/base/turns/bounded-turns.ts';
import { acceptsGzip, GZIP_BYTES_MIN } from '../../src/front/answers/compression.ts';
import type { Exchange } from '../../src/front/exchange.ts';
import { ListStream } from '../../src/front/answers/list-stream.ts';
import { ExchangeServer } from '../support/exchange-server.ts';
import { Random } from '../support/random.ts';

const GZIP = { 'accept-encoding': 'gzip' };

/** A whole answer, as it came. */
async function answerTo(
  server: ExchangeServer,
  headers: Record<string, string>,
  method = 'GET',
): Promise<{ headers: IncomingMessage['headers']; body: Buffer }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(server.url, { method, headers }, resolve).on('error', reject).end();
  });
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return { headers: response.headers, body: Buffer.concat(parts) };
}

t.test('who takes gzip', async (t) => {
  const rows: [acceptEncoding: string, taken: boolean][] = [
    ['', false],
    ['gzip', true],
    ['GZIP', true],
    ['deflate, gzip;q=0.5, br', true],
    ['br,gzip , x', true],
    ['gzip;q=0', false],
    ['gzip; q=0.0, br', false],
    ['xgzip', false],
    ['gzip-x', false],
    ['identity', false],
  ];
  for (const [acceptEncoding, taken] of rows) {
    t.equal(acceptsGzip(acceptEncoding), taken, acceptEncoding);
  }
});

t.test('a document above the limit is packed for those who take that', async (t) => {
  const small = Buffer.alloc(GZIP_BYTES_MIN, ' ');
  const large = Buffer.concat([Buffer.alloc(GZIP_BYTES_MIN, ' '), Buffer.from('{}')]);
  let document: Buffer = large;
  const server = await ExchangeServer.start((exchange) =>
    exchange.sendDocument(200, document, 'json'),
  );
  t.teardown(() => server.close());

  const packed = await answerTo(server, GZIP);
  t.match(packed.headers, { 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
  t.match(packed.headers, { 'content-type': 'application/json' });
  t.equal(packed.headers['content-length'], String(packed.body.length));
  t.ok(gunzipSync(packed.body).equals(large));

  const rows: [sent: Buffer, headers: Record<string, string>, method: string][] = [
    [large, {}, 'GET'],
    [small, GZIP, 'GET'],
    [large, GZIP, 'HEAD'],
  ];
  for (const [sent, headers, method] of rows) {
    document = sent;
    const plain = await answerTo(server, headers, method);
    t.equal(plain.headers['content-encoding'], undefined);
    t.equal(plain.headers.vary, undefined);
    t.equal(plain.headers['content-length'], String(sent.length));
    t.equal(plain.body.length, method === 'HEAD' ? 0 : sent.length);
  }
});

t.test('people get it indented, and packed', async (t) => {
  const members = Array.from({ length: GZIP_BYTES_MIN }, () => '1').join(',');
  const server = await ExchangeServer.start((exchange) =>
    exchange.sendDocument(200, Buffer.from(`[${members}]\n`), 'json'),
  );
  t.teardown(() => server.close());
  const { body } = await answerTo(server, { ...GZIP, 'user-agent': 'curl/8' });
  const text = gunzipSync(body).toString();
  t.equal(text.slice(0, 12), '[\n  1,\n  1,\n');
});

t.test('who leaves while his document is packed is no trouble', async (t) => {
  const document = Buffer.alloc(8 * 1024 * 1024, 'x');
  let left: () => void = () => undefined;
  const hasLeft = new Promise<void>((resolve) => (left = resolve));
  const server = await ExchangeServer.start((exchange) => {
    exchange.onAborted(left);
    exchange.sendDocument(200, document, 'json');
  });
  t.teardown(() => server.close());
  const socket = await server.get(GZIP);
  socket.destroy();
  await hasLeft;
  const { body } = await answerTo(server, GZIP);
  t.equal(gunzipSync(body).length, document.length);
});

const PAGES = 200;
const PAGE_BYTES = 64 * 1024;

/** They cannot be packed well. */
const random = new Random(1);
const pages = Array.from({ length: PAGES }, () => {
  const page = Buffer.alloc(PAGE_BYTES);
  for (let at = 0; at < PAGE_BYTES; at += 4) page.writeUInt32LE(random.below(2 ** 32), at);
  return page;
});

/** A list of these pages; says what was asked for. */
class PagedList {
  asked = 0;
  readonly told: string[] = [];
  readonly given: Uint8Array[] = [];

  /** Sends it to a client, from the first page on. */
  stream(exchange: Exchange): ListStream {
    const link = {
      ask: (
        _verb: string,
        _header: object,
        _body: undefined,
        then: (
          error: undefined,
          next: { listId?: number },
          page: Uint8Array,
          isGiven: boolean,
        ) => void,
      ) => {
        const page = new Uint8Array(pages[++this.asked]!);
        const next = this.asked < PAGES - 1 ? { listId: 1 } : {};
        setImmediate(() => then(undefined, next, page, true));
        this.given.push(page);
      },
      tell: (verb: string) => void this.told.push(verb),
      flush: () => undefined,
    };
    const stream = new ListStream(link as never, new BoundedTurns(PAGE_BYTES), exchange, 1);
    stream.start({ bytes: pages[0]!, isGiven: false }, 'json');
    return stream;
  }
}

t.test('a long list is packed page by page', async (t) => {
  const list = new PagedList();
  const server = await ExchangeServer.start((exchange) => list.stream(exchange));
  t.teardown(() => server.close());
  const { headers, body } = await answerTo(server, GZIP);
  t.match(headers, { 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
  t.equal(headers['content-length'], undefined);
  t.ok(gunzipSync(body).equals(Buffer.concat(pages)));
  t.same(list.told, []);
  t.ok(
    list.given.every(({ length }) => length === 0),
    'the memory of all pages is freed',
  );

  list.asked = 0;
  const plain = await answerTo(server, {});
  t.equal(plain.headers['content-encoding'], undefined);
  t.ok(plain.body.equals(Buffer.concat(pages)));
  t.ok(list.given.every(({ length }) => length === 0));
});

t.test('who does not read is asked nothing more for, and may leave', async (t) => {
  const list = new PagedList();
  const server = await ExchangeServer.start((exchange) => list.stream(exchange));
  t.teardown(() => server.close());
  const socket = await server.get(GZIP);
  // Until nothing moves: what the sockets of both sides take is not ours to say.
  let before = -1;
  while (list.asked !== before || before === 0) {
    before = list.asked;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  t.ok(list.asked < PAGES - 1, `${list.asked} pages asked for`);
  socket.destroy();
  while (list.told.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  t.same(list.told, ['listClosed']);
});

t.test('readers that stall keep nobody from packing', async (t) => {
  const server = await ExchangeServer.start((exchange) => new PagedList().stream(exchange));
  t.teardown(() => server.close());
  const stalled = await Promise.all(Array.from({ length: 6 }, () => server.get(GZIP)));
  const { body } = await answerTo(server, GZIP);
  t.ok(gunzipSync(body).equals(Buffer.concat(pages)));
  for (const socket of stalled) socket.destroy();
});
