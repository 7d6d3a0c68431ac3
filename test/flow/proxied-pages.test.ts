/**
 * Pages of pods, services and nodes: their links lead back through the proxy, and all else is as it
 * was.
 */
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGunzip, deflateRawSync, gunzipSync, gzipSync, inflateRawSync } from 'node:zlib';
import t from 'tap';
import { made, nodeWith, PODS, podWith } from '../support/cluster-objects.ts';
import { outsideAddress } from '../support/fake-agent.ts';
import { sharedServer } from '../support/shared-server.ts';

const server = await sharedServer();
const address = outsideAddress();
/** The answer at each path. */
const answers = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();
const pages = createServer((request, response) => {
  answers.get((request.url ?? '').split('?')[0] ?? '')?.(request, response);
});
pages.listen(0);
await once(pages, 'listening');
// Tests that share this process end it by having nothing left to do.
pages.unref();
t.teardown(() => {
  pages.closeAllConnections();
  pages.close();
});
const { port } = pages.address() as AddressInfo;
await podWith(server, 'pages', { podIP: address, phase: 'Running' });
// Its agent is elsewhere: that one would be asked by HTTPS.
await nodeWith(server, 'pages', address, 1);
const POD = `${PODS}/pages:${port}/proxy`;
const SERVICES = '/api/v1/namespaces/default/services';
await made(server, SERVICES, { metadata: { name: 'pages' }, spec: { ports: [{ port: 80 }] } });
const targetRef = { kind: 'Pod', name: 'pages', namespace: 'default' };
await made(server, '/api/v1/namespaces/default/endpoints', {
  metadata: { name: 'pages' },
  subsets: [{ addresses: [{ ip: address, targetRef }], ports: [{ port }] }],
});

async function ask(path: string, method = 'GET'): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${server.token}` };
  const request = httpRequest({ host: '127.0.0.1', port: server.port, path, method, headers });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

/** Has a path answered with a page. */
function serve(
  path: string,
  body: Uint8Array | string,
  headers: Record<string, string> = {},
): void {
  answers.set(path, (_, response) => {
    const length = Buffer.byteLength(body);
    const type = 'text/html; charset=iso-8859-1';
    response.writeHead(200, { 'content-type': type, 'content-length': length, ...headers });
    response.end(body);
  });
}

const PAGE = Buffer.from('<p>\xe9</p><A HREF=/rewriteme>test</A><a href="../b">b</a>', 'latin1');
const passedAt = (prefix: string): Buffer =>
  Buffer.from(PAGE.toString('latin1').replace('/rewriteme', `${prefix}/rewriteme`), 'latin1');

t.test('links of a page lead back through whatever proxy it came by', async (t) => {
  serve('/a/page', PAGE);
  for (const prefix of [
    POD,
    `${SERVICES}/pages/proxy`,
    `${SERVICES}/http:pages:80/proxy`,
    `/api/v1/nodes/http:pages:${port}/proxy`,
  ]) {
    const response = await ask(`${prefix}/a/page?q`);
    t.equal(response.statusCode, 200, prefix);
    t.equal(response.headers['content-type'], 'text/html; charset=iso-8859-1');
    t.same(await buffer(response), passedAt(prefix));
  }
});

t.test('what is sent to the root keeps its query', async (t) => {
  answers.set('/', ({ method, url }, response) => response.end(`${method} ${url}`));
  for (const [asked, passed] of [
    [`${POD}?a=b`, '/?a=b'],
    [POD, '/'],
    [`${POD}/?a=b`, '/?a=b'],
  ] as const) {
    const answer = await ask(asked, 'PATCH');
    t.equal(answer.statusCode, 200, asked);
    t.equal(String(await buffer(answer)), `PATCH ${passed}`, asked);
  }
});

t.test('packed pages stay packed as they were', async (t) => {
  for (const [encoding, pack, unpack] of [
    ['gzip', gzipSync, gunzipSync],
    ['deflate', deflateRawSync, inflateRawSync],
  ] as const) {
    serve('/packed', pack(PAGE), { 'content-encoding': encoding });
    const response = await ask(`${POD}/packed`);
    t.equal(response.headers['content-encoding'], encoding);
    t.same(unpack(await buffer(response)), passedAt(POD));
  }
  serve('/packed', PAGE, { 'content-encoding': 'br' });
  t.same(await buffer(await ask(`${POD}/packed`)), PAGE, 'in what nobody here knows');
});

t.test('what is no page, no whole one, or sends elsewhere stays as it is', async (t) => {
  for (const headers of [
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/xhtml+xml' },
    { location: 'http://example.com/' },
  ]) {
    serve('/as-it-is', PAGE, headers as Record<string, string>);
    const response = await ask(`${POD}/as-it-is`);
    t.equal(Number(response.headers['content-length']), PAGE.length);
    t.same(await buffer(response), PAGE, JSON.stringify(headers));
  }
  answers.set('/part', (_, response) => {
    const range = { 'content-range': 'bytes 0-99/1000', 'content-type': 'text/html' };
    response.writeHead(206, range).end(PAGE);
  });
  t.same(await buffer(await ask(`${POD}/part`)), PAGE, 'a part');
});

t.test('the head of a page says no length, which is that of another one', async (t) => {
  for (const headers of [{}, { 'content-encoding': 'gzip' }] as Record<string, string>[]) {
    serve('/head', PAGE, headers);
    const response = await ask(`${POD}/head`, 'HEAD');
    t.equal(response.statusCode, 200);
    t.equal(response.headers['content-length'], undefined);
    t.equal(response.headers['content-type'], 'text/html; charset=iso-8859-1');
    t.equal((await buffer(response)).length, 0);
  }
});

t.test('a page that goes on is seen as it comes, and one that is broken off is cut', async (t) => {
  for (const isPacked of [false, true]) {
    let response: ServerResponse | undefined;
    answers.set('/stream', (_, opened) => {
      response = opened;
      const encoding = isPacked ? { 'content-encoding': 'gzip' } : {};
      opened.writeHead(200, { 'content-type': 'text/html', ...encoding });
      say(1);
    });
    const say = (number: number): void => {
      const text = `<a href="/${number}">`;
      response?.write(isPacked ? gzipSync(text) : text);
    };
    const opened = await ask(`${POD}/stream`);
    const seen = isPacked ? opened.pipe(createGunzip()) : opened;
    let text = '';
    seen.on('data', (piece) => (text += String(piece)));
    let expected = '';
    for (let number = 1; number < 4; number += 1) {
      expected += `<a href="${POD}/${number}">`;
      while (text.length < expected.length) await sleep(10);
      t.equal(text, expected);
      if (number < 3) say(number + 1);
    }
    const ended = once(opened, 'error') as Promise<[NodeJS.ErrnoException]>;
    response?.socket?.destroy();
    const [error] = await ended;
    t.equal(error.code, 'ECONNRESET');
  }
});

t.end();
