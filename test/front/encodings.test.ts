/** Answers over real sockets in each encoding: heads, errors, and streams. */
import t from 'tap';
import type { Test } from 'tap';
import { protobufWatchFrame } from '../../src/codec/protobuf/protobuf-frames.ts';
import type { Exchange } from '../../src/front/exchange.ts';
import { statusDocument, statusEvent } from '../../src/resources/status-document.ts';
import type { Form } from '../../src/semantics/options/answer-form.ts';
import { expired, serviceUnavailable, successStatus } from '../../src/semantics/errors/status.ts';
import { statusCodec } from '../support/answer-context.ts';
import { ExchangeServer, readUntil } from '../support/exchange-server.ts';

const BINARY = 'application/vnd.cluster.protobuf';
const TABLE = 'application/json;as=Table;g=meta.cluster.io;v=v1';
const ERROR = serviceUnavailable('not now');

/** A server that answers so, closed with the test. */
async function serverOf(test: Test, answer: (exchange: Exchange) => void): Promise<ExchangeServer> {
  const server = await ExchangeServer.start(answer);
  test.teardown(() => server.close());
  return server;
}

t.test('an error is written in what the client accepts', async (t) => {
  const server = await serverOf(t, (exchange) => exchange.sendStatus(ERROR));
  const plain = Buffer.from(statusDocument(ERROR.status, 'json', statusCodec)).toString();
  const indented = JSON.stringify(ERROR.status, undefined, 2);
  const rows: [accept: string, type: string, body: string | Uint8Array][] = [
    ['*/*', 'application/json', plain],
    [`${TABLE},application/json`, 'application/json', plain],
    [TABLE, 'application/json', indented],
    ['image/png', 'application/json', indented],
    ['application/yaml', 'application/yaml', statusDocument(ERROR.status, 'yaml', statusCodec)],
    [`${BINARY}, */*`, BINARY, statusDocument(ERROR.status, 'protobuf', statusCodec)],
  ];
  for (const [accept, type, body] of rows) {
    const answer = await fetch(server.url, { headers: { accept, 'user-agent': 'client' } });
    t.equal(answer.status, 503, accept);
    t.equal(answer.headers.get('content-type'), type, accept);
    t.equal(answer.headers.get('retry-after'), '1', accept);
    const sent = Buffer.from(await answer.arrayBuffer());
    t.ok(sent.equals(Buffer.from(body)), `${accept}: ${sent.toString()}`);
  }
});

t.test('only JSON is indented for people', async (t) => {
  const done = successStatus({ code: 201 });
  let form: Form = { encoding: 'json' };
  const server = await serverOf(t, (exchange) => {
    exchange.sendSuccess(201, done, form.encoding);
  });
  for (const encoding of ['json', 'yaml', 'protobuf'] as const) {
    form = { encoding };
    const answer = await fetch(server.url, { headers: { 'user-agent': 'curl/8' } });
    const sent = Buffer.from(await answer.arrayBuffer());
    const expected =
      encoding === 'json'
        ? Buffer.from(JSON.stringify(done, undefined, 2))
        : Buffer.from(statusDocument(done, encoding, statusCodec));
    t.ok(sent.equals(expected), sent.toString());
  }
});

/** An answer's head, and its body without the marks between chunks. */
async function beginning(server: ExchangeServer, bodyBytes: number): Promise<[string, Buffer]> {
  const socket = await server.get({});
  const bytes = await readUntil(socket, (all) => bodyOf(all).length >= bodyBytes);
  socket.destroy();
  return [bytes.subarray(0, bytes.indexOf('\r\n\r\n')).toString(), bodyOf(bytes)];
}

function bodyOf(answer: Buffer): Buffer {
  const parts: Buffer[] = [];
  let at = answer.indexOf('\r\n\r\n') + 4;
  if (at < 4) return Buffer.alloc(0);
  for (;;) {
    const end = answer.indexOf('\r\n', at);
    const length = end === -1 ? 0 : Number.parseInt(answer.toString('latin1', at, end), 16);
    if (length === 0 || answer.length < end + 2 + length) return Buffer.concat(parts);
    parts.push(answer.subarray(end + 2, end + 2 + length));
    at = end + 4 + length;
  }
}

t.test('the head of a watch comes before its first event', async (t) => {
  const exchanges: Exchange[] = [];
  let form: Form = { encoding: 'json' };
  const server = await serverOf(t, (exchange) => {
    exchange.beginStream('watch', form.encoding);
    exchange.flushHead();
    exchanges.push(exchange);
  });
  const [textHead, blank] = await beginning(server, 1);
  t.match(textHead, /^HTTP\/1.1 200 OK\r\n/);
  t.match(textHead, /\r\nContent-Type: application\/json\r\n/);
  t.equal(blank.toString(), ' ');

  form = { encoding: 'protobuf' };
  const [head, first] = await beginning(server, 1);
  t.match(head, `\r\nContent-Type: ${BINARY};stream=watch\r\n`);
  t.same([...first], [0], 'how the length of a frame begins');
});

t.test('what was sent ahead is not sent twice', async (t) => {
  const frames = ['ADDED', 'MODIFIED'].map((type) => protobufWatchFrame(type, Buffer.from('x')));
  const gone = expired('too old');
  const last = statusEvent(gone.status, 'protobuf', statusCodec);
  for (const isFlushed of [true, false]) {
    const server = await serverOf(t, (exchange) => {
      exchange.beginStream('watch', 'protobuf');
      if (isFlushed) exchange.flushHead();
      exchange.write(Buffer.concat(frames));
      exchange.write(frames[0]!);
      exchange.endWithError(gone);
    });
    const answer = await fetch(server.url);
    const sent = Buffer.from(await answer.arrayBuffer());
    t.ok(sent.equals(Buffer.concat([...frames, frames[0]!, last])), sent.toString('latin1'));
  }
  const server = await serverOf(t, (exchange) => {
    exchange.beginStream('watch', 'protobuf');
    exchange.flushHead();
    exchange.endWithError(gone);
  });
  const answer = await fetch(server.url);
  t.ok(Buffer.from(await answer.arrayBuffer()).equals(Buffer.from(last)));
});

t.test('lists say their type', async (t) => {
  let form: Form = { encoding: 'json' };
  const server = await serverOf(t, (exchange) => {
    exchange.beginStream('list', form.encoding);
    exchange.write(Buffer.from('[1]'));
    exchange.endStream();
  });
  for (const [encoding, type] of [
    ['json', 'application/json'],
    ['yaml', 'application/yaml'],
    ['protobuf', BINARY],
  ] as const) {
    form = { encoding };
    const answer = await fetch(server.url, { headers: { 'accept-encoding': 'identity' } });
    t.equal(answer.headers.get('content-type'), type);
    t.equal(answer.headers.get('x-content-type-options'), null);
    t.equal(await answer.text(), '[1]');
  }
});
