/** Sessions with a node agent that answers: WebSocket, SPDY through the session port, and ends. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import t from 'tap';
import { nodeWith, PODS, podWith } from '../support/cluster-objects.ts';
import { startAgent } from '../support/fake-agent.ts';
import { startServer } from '../support/server.ts';
import { freePort } from '../support/server-process.ts';
import { BINARY, CLOSE, WebSocketClient } from '../support/web-socket-client.ts';

const sessionPort = await freePort();
const server = await startServer({ test: t, args: ['--session-port', String(sessionPort)] });
const bearer = { authorization: `Bearer ${server.token}` };
const connections = new Set<Duplex>();

/** Agrees to what is asked, then sends back what it gets, in any protocol. */
function echo(request: IncomingMessage, connection: Duplex, head: Buffer): void {
  const { headers, url = '' } = request;
  if (url.includes('refused')) {
    connection.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\nX-Why: so\r\n\r\nno');
    return;
  }
  connections.add(connection);
  connection.on('close', () => connections.delete(connection));
  const offered = headers['sec-websocket-protocol']?.split(', ') ?? [];
  const chosen = offered.find((name) => name === 'v4.channel.k8s.io');
  connection.write(
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n' +
      `Upgrade: ${headers.upgrade}\r\n` +
      `X-Version: ${String(headers['x-stream-protocol-version'])}\r\n` +
      (chosen === undefined ? '\r\n' : `Sec-WebSocket-Protocol: ${chosen}\r\n\r\n`),
  );
  if (url.includes('silent')) return;
  if (head.length > 0) connection.write(head);
  if (headers.upgrade === 'websocket') connection.on('data', (frame: Buffer) => reply(frame));
  else connection.pipe(connection);

  /** A short masked frame, back without its mask. */
  function reply(frame: Buffer): void {
    const length = (frame[1] ?? 0) & 0x7f;
    const mask = frame.subarray(2, 6);
    const bytes = frame.subarray(6, 6 + length).map((byte, at) => byte ^ (mask[at % 4] ?? 0));
    connection.write(Buffer.concat([Buffer.from([frame[0] ?? 0, length]), bytes]));
  }
}

const agent = await startAgent(t, {
  onRequest: (_request, response) => response.writeHead(404).end(),
  onUpgrade: echo,
});
await nodeWith(server, 'there', '127.0.0.1', agent.port);
await podWith(server, 'x', { spec: { nodeName: 'there' } });
const EXEC = `${PODS}/x/exec`;

function open(path: string, protocols: string, port = server.port): Promise<WebSocketClient> {
  const headers = { ...bearer, origin: undefined, 'sec-websocket-protocol': protocols };
  return WebSocketClient.open({ port, path, headers });
}

/** A connection after its head, and that. */
async function raw(port: number, path: string, method = 'POST'): Promise<[Socket, string]> {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `${method} ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Length: 0\r\n` +
      `Authorization: ${bearer.authorization}\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n` +
      'X-Stream-Protocol-Version: v4.channel.k8s.io\r\n\r\n',
  );
  const [head] = (await once(socket, 'data')) as [Buffer];
  return [socket, head.toString()];
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}

t.test('messages go to the agent and back, with its choice of a subprotocol', async (t) => {
  const client = await open(
    `${EXEC}?command=ls&command=-l&stdout=1&stderr=0&tty=true`,
    'v4.channel.k8s.io, channel.k8s.io',
  );
  t.equal(client.status, 101);
  t.equal(client.headers.get('sec-websocket-protocol'), 'v4.channel.k8s.io');
  t.equal(agent.asked.at(-1), 'GET /exec/default/x/a?command=ls&command=-l&output=1&tty=1');
  client.send(BINARY, Buffer.from('0hello'));
  t.same(await client.next(), { opcode: BINARY, bytes: Buffer.from('0hello') });
  client.send(CLOSE, Buffer.from([0x03, 0xe8]));
  t.same(await client.next(), { opcode: CLOSE, bytes: Buffer.from([0x03, 0xe8]) });
  await until(() => connections.size === 0);
  client.close();
});

t.test('either side that goes takes the other with it', async (t) => {
  for (const port of [server.port, sessionPort]) {
    const left = await open(`${EXEC}?command=a`, 'v4.channel.k8s.io', port);
    left.close();
    await until(() => connections.size === 0);
    const lost = await open(`${EXEC}?command=a`, 'v4.channel.k8s.io', port);
    for (const connection of connections) connection.destroy();
    t.equal(await lost.next(), undefined);
    lost.close();
  }
});

t.test('what the agent refuses, is refused', async (t) => {
  for (const port of [server.port, sessionPort]) {
    const refused = await open(`${EXEC}?command=refused`, 'v4.channel.k8s.io', port);
    t.same([refused.status, refused.headers.get('x-why')], [403, 'so']);
    t.equal(await refused.text(), 'no');
    refused.close();
  }
});

t.test('ports inside of a WebSocket: bytes of SPDY in messages', async (t) => {
  const protocol = 'SPDY/3.1+portforward.k8s.io';
  const client = await open(`${PODS}/x/portforward?ports=80&ports=81`, protocol);
  t.equal(client.headers.get('sec-websocket-protocol'), protocol);
  t.equal(agent.asked.at(-1), 'GET /portForward/default/x?port=80%2C81');
  client.send(BINARY, Buffer.from('bytes'));
  t.same(await client.next(), { opcode: BINARY, bytes: Buffer.from('bytes') });
  client.close();
  await until(() => connections.size === 0);
});

t.test('channels of v5 become streams', async (t) => {
  const path = `${EXEC}?command=silent&stdin=1&stdout=1&stderr=1`;
  const client = await open(path, 'v5.channel.k8s.io');
  t.equal(client.headers.get('sec-websocket-protocol'), 'v5.channel.k8s.io');
  const [connection] = connections;
  if (connection === undefined) throw new Error('no session');
  let received = Buffer.alloc(0);
  connection.on('data', (chunk: Buffer) => (received = Buffer.concat([received, chunk])));
  client.send(BINARY, Buffer.from([0, 0x68, 0x69]));
  client.send(BINARY, Buffer.from([255, 0]));
  const stdin = Buffer.from('0000000300000002686900000003' + '01000000', 'hex');
  await until(() => received.includes(stdin));
  for (const name of ['error', 'stdin', 'stdout', 'stderr']) t.ok(received.includes(name), name);
  const frame = (stream: number, flags: number, text: string): Buffer =>
    Buffer.concat([Buffer.from([0, 0, 0, stream, flags, 0, 0, text.length]), Buffer.from(text)]);
  const sent = Buffer.concat([frame(5, 0, 'out'), frame(7, 1, 'err'), frame(5, 1, '')]);
  connection.write(sent.subarray(0, 13));
  connection.write(sent.subarray(13));
  connection.write(frame(1, 1, '{}'));
  for (const text of ['\u0001out', '\u0002err', '\u0003{}']) {
    t.same(await client.next(), { opcode: BINARY, bytes: Buffer.from(text) });
  }
  t.same(await client.next(), { opcode: CLOSE, bytes: Buffer.from([0x03, 0xe8]) });
  await until(() => connections.size === 0);
  client.close();
});

t.test('SPDY is sent to the session port, and has its bytes passed there', async (t) => {
  const [first, head] = await raw(server.port, `${EXEC}?command=a`);
  first.destroy();
  t.match(head, /^HTTP\/1.1 302 Found\r\n/);
  const path = /\r\nLocation: http:\/\/localhost:[0-9]+(.*)\r\n/.exec(head)?.[1] ?? '';
  t.ok(head.includes(`http://localhost:${sessionPort}/`));
  t.equal(path, `${EXEC}?command=a`);
  const [socket, agreement] = await raw(sessionPort, path, 'GET');
  t.match(agreement, /^HTTP\/1.1 101 Switching Protocols\r\n[^]*X-Version: v4.channel.k8s.io/);
  socket.write('anything');
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  t.equal(chunk.toString(), 'anything');
  socket.end();
  await until(() => connections.size === 0);
});

t.test('the session port serves everything else too', async (t) => {
  const options = { host: '127.0.0.1', port: sessionPort, headers: bearer };
  const made = httpRequest({ ...options, path: '/api/v1/namespaces', method: 'POST' });
  made.end(JSON.stringify({ metadata: { name: 'made' } }));
  const [created] = (await once(made, 'response')) as [IncomingMessage];
  t.equal(created.statusCode, 201);
  created.resume();
  const watch = httpRequest({ ...options, path: '/api/v1/namespaces?watch=1' }).end();
  const [stream] = (await once(watch, 'response')) as [IncomingMessage];
  const [text] = (await once(stream, 'data')) as [Buffer];
  t.match(text.toString(), /"type":"ADDED"/);
  watch.destroy();
  const path = '/api/v1/namespaces?watch=1&fieldSelector=metadata.name%3Dmade';
  const headers = { ...bearer, origin: 'http://localhost' };
  const socket = await WebSocketClient.open({ port: sessionPort, path, headers });
  t.equal((await socket.event()).object.metadata.name, 'made');
  socket.close();
  const unauthorized = await WebSocketClient.open({ port: sessionPort, path });
  t.equal(unauthorized.status, 403);
  unauthorized.close();
});

t.test('a stop of the server ends sessions', async (t) => {
  const client = await open(`${EXEC}?command=a`, 'v4.channel.k8s.io');
  const [socket] = await raw(sessionPort, `${EXEC}?command=a`);
  const exit = server.stop();
  t.same((await client.next())?.bytes.subarray(0, 2), Buffer.from([0x03, 0xe9]));
  await once(socket.resume(), 'close');
  t.match(await exit, { code: 0 });
});

t.end();
