/** Logs and proxies with a node agent that answers: streams in both directions, and refusals. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import t from 'tap';
import { made, nodeWith, PODS, podWith } from '../support/cluster-objects.ts';
import { expectFailure } from '../support/expect-status.ts';
import { outsideAddress, startAgent } from '../support/fake-agent.ts';
import { startServer } from '../support/server.ts';
import { StrictStream } from '../support/strict-stream.ts';
import { BINARY, CLOSE, TEXT, WebSocketClient } from '../support/web-socket-client.ts';

const MEGABYTE = 1024 * 1024;

const server = await startServer({ test: t });
const address = outsideAddress();
/** Bytes that the connection with the agent has taken of the endless log. */
let sent = 0;
let isCut = false;
const agent = await startAgent(t, {
  onRequest: (request, response) => {
    const url = new URL(request.url ?? '', 'https://agent');
    if (url.searchParams.has('follow')) {
      response.write('first\n');
      request.on('close', () => (isCut = true));
    } else if (url.pathname.endsWith('/endless')) {
      const piece = Buffer.alloc(MEGABYTE, 'x');
      const more = (): void => {
        sent += piece.length;
        if (response.writable) response.write(piece, more);
      };
      more();
    } else if (url.searchParams.has('code')) {
      response.writeHead(Number(url.searchParams.get('code')), { 'Set-Cookie': ['a=1', 'b=2'] });
      response.end();
    } else if (url.searchParams.has('place')) {
      response.writeHead(302, { Location: url.searchParams.get('place') ?? '' }).end();
    } else if (url.pathname.endsWith('/html')) {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
      response.end(
        '<a href="/x?a=1&amp;b">x</a><img SRC=/y><p title="/z"><a href="http://other/z">',
      );
    } else if (url.searchParams.has('tailLines')) {
      response.writeHead(Number(url.searchParams.get('tailLines'))).end('why');
    } else {
      let length = 0;
      request.on('data', (chunk: Buffer) => (length += chunk.length));
      request.on('end', () => {
        const { url, headers } = request;
        const { 'x-forwarded-for': by, 'x-forwarded-uri': uri } = headers;
        response.end(JSON.stringify({ url, length, headers, by, uri }));
      });
    }
  },
});
await nodeWith(server, 'there', address, agent.port);
await podWith(server, 'x', { spec: { nodeName: 'there' } });
const LOG = `${PODS}/x/log`;
const PROXY = '/api/v1/nodes/there/proxy';

/** An answer that is not read yet. */
async function begun(path: string, method = 'GET'): Promise<[ClientRequest, IncomingMessage]> {
  const headers = { authorization: `Bearer ${server.token}` };
  const options = { host: '127.0.0.1', port: server.port, path, method, headers };
  const request = httpRequest(options).on('error', () => undefined);
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return [request, response];
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}

t.test('what is passed on as it comes is there at once, but for its last byte', async (t) => {
  for (const path of [`${LOG}?follow=true`, `${PROXY}/stream?follow=1`]) {
    const stream = new StrictStream({ port: server.port }, path, [
      `Authorization: Bearer ${server.token}`,
    ]);
    await stream.until((body) => body.toString() === 'first', 'line');
    t.pass(path);
    stream.close();
  }
});

t.test('a log, and how it is asked for', async (t) => {
  const { status, headers, text } = await server.get(`${LOG}?timestamps=1&sinceSeconds=9`);
  t.same([status, headers['content-type']], [200, 'text/plain']);
  const url = '/containerLogs/default/x/a?sinceSeconds=9&timestamps=true';
  t.equal(JSON.parse(text).url, url);
  t.notOk(JSON.parse(text).headers.authorization);
});

t.test('what the agent refuses with', async (t) => {
  const rows: [code: number, answered: number, reason: string | undefined, message: string][] = [
    [400, 400, 'BadRequest', 'why'],
    [403, 403, 'Forbidden', 'why ( pods/log x)'],
    [404, 404, 'NotFound', 'the server could not find the requested resource ( pods/log x)'],
    [500, 500, 'InternalError', 'Internal error occurred: why'],
    [
      502,
      502,
      'InternalError',
      'an error on the server ("why") has prevented the request from succeeding ( pods/log x)',
    ],
    [
      302,
      302,
      undefined,
      'the server responded with the status code 302 but did not return more information ' +
        '( pods/log x)',
    ],
  ];
  for (const [code, answered, reason, message] of rows) {
    const { status, json } = await server.get(`${LOG}?tailLines=${code}`);
    t.same([status, json.reason, json.message], [answered, reason, message]);
  }
});

t.test('a log that goes on comes as it is written, until the client leaves', async (t) => {
  const [request, response] = await begun(`${LOG}?follow=true`);
  let text = '';
  response.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await until(() => text !== '' && text.endsWith('\n'));
  t.equal(text, 'first\n');
  request.destroy();
  await until(() => isCut);
  t.pass('the agent is told');
});

t.test('a log over a WebSocket', async (t) => {
  const headers = { authorization: `Bearer ${server.token}`, origin: undefined };
  const open = (path: string, protocols?: string) =>
    WebSocketClient.open({
      port: server.port,
      path,
      headers: { ...headers, 'sec-websocket-protocol': protocols },
    });
  const binary = await open(LOG);
  t.same(await binary.next(), { opcode: BINARY, bytes: Buffer.alloc(0) });
  t.match((await binary.next())?.bytes.toString(), /containerLogs/);
  t.equal((await binary.next())?.opcode, CLOSE);
  const text = await open(LOG, 'foo, base64.binary.k8s.io');
  t.equal(text.headers.get('sec-websocket-protocol'), 'base64.binary.k8s.io');
  t.same(await text.next(), { opcode: TEXT, bytes: Buffer.alloc(0) });
  const piece = (await text.next())?.bytes.toString() ?? '';
  t.match(Buffer.from(piece, 'base64').toString(), /containerLogs/);
  const unknown = await open(LOG, 'foo');
  t.equal(unknown.status, 403);
  for (const client of [binary, text, unknown]) client.close();
});

t.test('a proxy passes on what it is sent, and what it is answered', async (t) => {
  const big = Buffer.alloc(8 * MEGABYTE, 'x');
  const headers = {
    'Impersonate-User': 'bob',
    'Impersonate-Group': 'system:masters',
    'Impersonate-Extra-A': 'b',
    'X-Note': Buffer.from('5 € each').toString('latin1'),
  };
  const answer = await server.request('PUT', `${PROXY}/a/?b=c&d`, big, headers);
  const uri = `${PROXY}/a/`;
  t.match(answer.json, { url: '/a/?b=c&d', length: big.length, by: '127.0.0.1', uri });
  t.equal(answer.json.headers['x-note'], headers['X-Note'], 'the bytes that were sent');
  const identity = Object.keys(answer.json.headers).filter((name) => /^(auth|imp)/.test(name));
  t.same(identity, [], 'nothing of who asks');
  for (const code of [201, 204, 304, 404, 503]) {
    const passed = await server.get(`${PROXY}/?code=${code}`);
    t.same([passed.status, passed.headers['set-cookie']], [code, ['a=1', 'b=2']]);
  }
  const folder = await server.get(`${PROXY}?a=b`);
  t.same([folder.status, folder.headers.location], [301, `${PROXY}/?a=b`]);
  const moved = await server.get(`${PROXY}/?place=/elsewhere`);
  t.same([moved.status, moved.headers.location], [302, `${PROXY}/elsewhere`]);
  const { status, text } = await server.request('HEAD', `${PROXY}/?code=200`);
  t.same([status, text], [200, '']);
  const isNodeUnknown = { code: 404, message: 'nodes "none" not found' };
  expectFailure(t, await server.get('/api/v1/nodes/none/proxy/'), isNodeUnknown);
});

t.test('pods and services, by the scheme that is asked for', async (t) => {
  const container = { name: 'a', image: 'a', ports: [{ containerPort: agent.port }] };
  await podWith(server, 'web', { podIP: address, spec: { containers: [container] } });
  const services = '/api/v1/namespaces/default/services';
  await made(server, services, { metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } });
  await made(server, '/api/v1/namespaces/default/endpoints', {
    metadata: { name: 'web' },
    subsets: [
      {
        addresses: [{ ip: address, targetRef: { kind: 'Pod', name: 'web' } }],
        ports: [{ port: agent.port }],
      },
    ],
  });
  for (const path of [
    `${PODS}/https:web:/proxy/y`,
    `${PODS}/https:web:${agent.port}/proxy/y`,
    `${services}/https:web:80/proxy/y`,
  ]) {
    t.match((await server.get(path)).json, { url: '/y', uri: path });
  }
  const plain = await server.get(`${PODS}/web/proxy/y`);
  t.match(plain.json, { code: 503, message: /^error trying to reach service: / });
});

t.test(
  'a client that takes nothing holds the agent back, and is forgotten when it goes',
  async (t) => {
    const [request, response] = await begun(`${PROXY}/endless`);
    response.pause();
    let before = -1;
    while (sent > before) {
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    t.ok(sent < 64 * MEGABYTE, `${sent} bytes`);
    request.destroy();
    const [idle] = await begun('/livez');
    idle.destroy();
  },
);

t.end();
