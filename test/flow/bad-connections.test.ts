/** Broken HTTP and clients that go away: nobody else notices. */
import { connect } from 'node:net';
import { once } from 'node:events';
import t from 'tap';
import { expectUnharmed } from '../support/expect-status.ts';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { exchangeRaw } from '../support/raw-exchange.ts';
import { startServer } from '../support/server.ts';

const server = await startServer({ test: t });

const exchange = (bytes: string | Buffer, expected?: RegExp): Promise<string> =>
  exchangeRaw(server, bytes, expected);

t.test('bytes that are no HTTP', async (t) => {
  const all = {
    garbage: Buffer.from([0, 1, 2, 255, 254, 13, 10, 13, 10]),
    'TLS on the plain port': Buffer.from('16030100c8010000c40303', 'hex'),
    'a request line only': 'GET\r\n\r\n',
    'no such HTTP version': 'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
    'a header without end': `GET /livez HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(1_000_000)}`,
    'many headers': `GET /livez HTTP/1.1\r\nHost: x\r\n${'X-A: b\r\n'.repeat(5_000)}\r\n`,
    'two lengths':
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\nhello',
    'a negative length': 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\nhello',
    'an endless chunk size': `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${'f'.repeat(100)}\r\n`,
  };
  for (const [what, bytes] of Object.entries(all)) {
    const text = await exchange(bytes);
    t.notMatch(text, /^HTTP\/1\.1 (2|500|503)/, `${what}: ${JSON.stringify(text.slice(0, 60))}`);
    await expectUnharmed(t, server);
  }
});

t.test(
  'a head that readers may take for different requests: 400, and the connection ends',
  async (t) => {
    const heads = {
      'two lengths': 'Content-Length: 5\r\nContent-Length: 7',
      'the same length twice': 'Content-Length: 5\r\nContent-Length: 5',
      'no length': 'Content-Length:',
      'an encoding that is not chunked': 'Transfer-Encoding: identity',
      'one that ends in chunked': 'Transfer-Encoding: xchunked',
      'two encodings': 'Transfer-Encoding: gzip, chunked',
      'chunked twice': 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked',
      'an empty encoding': 'Transfer-Encoding:',
      'announced trailers': 'Transfer-Encoding: chunked\r\nTrailer: X-Checksum',
    };
    const request = `DELETE ${CONFIG_MAPS}/kept HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token}`;
    await server.post(CONFIG_MAPS, configMap('kept'));
    for (const [what, head] of Object.entries(heads)) {
      const text = await exchange(`${request}\r\n${head}\r\n\r\n`, /"reason": ?"BadRequest"/);
      t.match(text, /^HTTP\/1\.1 400 Bad Request\r\n/, what);
      t.match(text, /\r\nConnection: close\r\n/i, what);
      t.match(text, /"reason": ?"BadRequest"/, what);
      const smuggled = await exchange(`${request}\r\n${head}\r\n\r\n${request}\r\n\r\n`);
      t.notMatch(smuggled, /^HTTP\/1\.1 [25]/m, `${what}: nothing after it is served`);
    }
    t.equal((await server.get(`${CONFIG_MAPS}/kept`)).status, 200);
  },
);

t.test('what follows the last chunk and is no request: nothing is written', async (t) => {
  const body = JSON.stringify(configMap('trailed'));
  const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n`;
  const head =
    `POST ${CONFIG_MAPS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token}\r\n` +
    'Content-Type: application/json\r\nTransfer-Encoding: Chunked\r\n\r\n';
  t.notMatch(await exchange(`${head}${chunk}X-Checksum: 5\r\n\r\n`), /^HTTP\/1\.1 2/);
  t.equal((await server.get(`${CONFIG_MAPS}/trailed`)).status, 404);
  const created = /^HTTP\/1\.1 201 /;
  t.match(await exchange(`${head}${chunk}\r\n`, created), created, 'without it');
});

t.test('a client that leaves in the middle of its body stores nothing', async (t) => {
  const body = JSON.stringify(configMap('half'));
  const head =
    `POST ${CONFIG_MAPS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  // Never the last byte: with a whole body the object may be stored, and rightly.
  for (let round = 0; round < 20; round += 1) {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(head + body.slice(0, Math.min(round * 5, body.length - 1)));
    socket.destroy();
  }
  t.equal((await server.get(`${CONFIG_MAPS}/half`)).status, 404);
  await expectUnharmed(t, server);
});

t.test('clients that leave before the answer', async (t) => {
  for (let round = 0; round < 50; round += 1) {
    const body = JSON.stringify(configMap(`left-${round}`));
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const head =
      `POST ${CONFIG_MAPS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    socket.write(head + body, () => socket.destroy());
  }
  await expectUnharmed(t, server);
  const { json } = await server.get(CONFIG_MAPS);
  for (const item of json.items) t.equal(item.data.key, 'value', `${item.metadata.name} is whole`);
});

t.test('a body in a hundred thousand chunks is read', async (t) => {
  const body = JSON.stringify(configMap('chunks', { filler: 'x'.repeat(800_000) }));
  const chunks = body.replace(/.{1,8}/gs, (part) => `${part.length}\r\n${part}\r\n`);
  const head =
    `POST ${CONFIG_MAPS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token}\r\n` +
    'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
  const answer = await exchange(`${head}${chunks}0\r\n\r\n`, /^HTTP\/1\.1 \d/);
  t.match(answer, /^HTTP\/1\.1 201 /);
  await expectUnharmed(t, server);
});

t.test('watches that are cut off', async (t) => {
  for (let round = 0; round < 50; round += 1) {
    const watch = await server.watch(`${CONFIG_MAPS}?watch=true`);
    watch.close();
    if (round % 10 === 0) await server.post(CONFIG_MAPS, { metadata: { generateName: 'cut-' } });
  }
  await expectUnharmed(t, server);
});

t.test('requests sent at once on one connection: answered in order, or cut off', async (t) => {
  const one = (path: string): string =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token}\r\n\r\n`;
  await server.post(CONFIG_MAPS, configMap('pipelined'));
  const text = await exchange(
    one(`${CONFIG_MAPS}/pipelined`) + one('/version') + one(`${CONFIG_MAPS}/none`),
  );
  const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d+) /gm)].map((match) => match[1]);
  t.same(statuses, ['200', '200', '404'].slice(0, statuses.length), 'never out of order');
  await expectUnharmed(t, server);
});

t.end();
