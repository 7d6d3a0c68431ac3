/** Watches over WebSocket: handshakes, one event per message, slow readers, and every end. */
import t from 'tap';
import { startServer } from '../support/server.ts';
import { BINARY, CLOSE, PONG, WebSocketClient } from '../support/web-socket-client.ts';

const CONFIGMAPS = '/api/v1/namespaces/default/configmaps';
const DEFAULT = '/api/v1/namespaces?watch=true&fieldSelector=metadata.name%3Ddefault';
const NORMAL = Buffer.from([0x03, 0xe8]);

// The client translates nothing, and in the other dialect a version that is gone is an event.
const NEUTRAL = ['--api-domain', 'cluster.io'];
const server = await startServer({ test: t, args: NEUTRAL });
const bearer = { authorization: `Bearer ${server.token}` };

function open(
  path: string,
  headers: Record<string, string | undefined> = {},
): Promise<WebSocketClient> {
  return WebSocketClient.open({ port: server.port, path, headers: { ...bearer, ...headers } });
}

t.test('each event is a message, up to the close frame', async (t) => {
  const client = await open(`${CONFIGMAPS}?watch=1&timeoutSeconds=4&fieldSelector=metadata.name=a`);
  t.equal(client.status, 101);
  t.equal(client.headers.get('sec-websocket-accept'), 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
  t.notOk(client.headers.has('sec-websocket-protocol'));
  await server.post(CONFIGMAPS, { metadata: { name: 'a' }, data: { line: 'one\ntwo' } });
  await server.post(CONFIGMAPS, { metadata: { name: 'b' } });
  await server.request('DELETE', `${CONFIGMAPS}/a`);
  const { type, object } = await client.event();
  t.same([type, object.data.line], ['ADDED', 'one\ntwo']);
  client.send(9, Buffer.from('hi'));
  const deleted = await client.next();
  t.match(deleted?.bytes.toString(), /^\{"type":"DELETED".*\}\n$/);
  t.equal((await client.next())?.opcode, PONG);
  t.same(await client.next(), { opcode: CLOSE, bytes: NORMAL });
  t.equal(await client.next(), undefined);
});

t.test('the other ways to ask for it', async (t) => {
  const byPath = await open('/api/v1/watch/namespaces/default');
  t.equal((await byPath.event()).object.metadata.name, 'default');
  byPath.close();
  const accept = 'application/json;as=Table;v=v1;g=meta.cluster.io';
  const table = await open(DEFAULT, { accept, connection: 'keep-alive, Upgrade' });
  const { object } = await table.event();
  t.equal(object.columnDefinitions[0].name, 'Name');
  table.close();
  const protobuf = 'application/vnd.cluster.protobuf';
  const binary = await open(DEFAULT, { accept: protobuf });
  const frame = await binary.next();
  t.equal(frame?.opcode, BINARY);
  // A WatchEvent without the length of its frame: type, then object.
  t.equal(frame?.bytes.subarray(0, 8).toString('hex'), '0a05414444454412');
  binary.close();
  const bookmarks = await open(`${DEFAULT}&allowWatchBookmarks=true&timeoutSeconds=1`);
  t.equal((await bookmarks.event()).type, 'ADDED');
  t.equal((await bookmarks.event()).type, 'BOOKMARK');
  t.equal((await bookmarks.next())?.opcode, CLOSE);
});

t.test('subprotocols, and the token among them', async (t) => {
  const one = await open(DEFAULT, { 'sec-websocket-protocol': 'foo' });
  t.same([one.status, one.headers.get('sec-websocket-protocol')], [101, 'foo']);
  one.close();
  const encoded = Buffer.from(server.token).toString('base64url');
  const token = `base64url.bearer.authorization.k8s.io.${encoded}`;
  const rows: [protocols: string, authorization: string | undefined, status: number][] = [
    [`${token}, foo`, undefined, 101],
    [`foo, ${token}`, undefined, 101],
    [token, undefined, 401],
    [`${token}x, foo`, undefined, 401],
    [`${token}, ${token}, foo`, undefined, 401],
    [`${token}, foo`, bearer.authorization, 400],
    ['foo, bar', bearer.authorization, 400],
  ];
  for (const [protocols, authorization, status] of rows) {
    const client = await open(DEFAULT, { 'sec-websocket-protocol': protocols, authorization });
    t.equal(client.status, status, protocols);
    if (status === 101) t.equal(client.headers.get('sec-websocket-protocol'), 'foo');
    client.close();
  }
});

t.test('what cannot be had', async (t) => {
  const rows: [headers: Record<string, string | undefined>, status: number, text: string][] = [
    [{ origin: undefined }, 403, ''],
    [{ origin: 'foo' }, 403, ''],
    [{ 'sec-websocket-key': undefined }, 400, 'mismatch challenge/response'],
    [{ 'sec-websocket-version': '8' }, 400, 'missing or bad WebSocket Version'],
  ];
  for (const [headers, status, text] of rows) {
    const client = await open(DEFAULT, headers);
    t.same([client.status, await client.text()], [status, text]);
    client.close();
  }
  const invalid = await open(`${DEFAULT}&resourceVersion=x`);
  t.match(JSON.parse(await invalid.text()).message, /Invalid value: "x"/);
  invalid.close();
  const yaml = await open(DEFAULT, { accept: 'application/yaml' });
  t.equal(yaml.status, 406);
  yaml.close();
});

t.test('what is no watch is answered as ever', async (t) => {
  for (const [path, status] of [
    ['/api/v1/namespaces/default', 200],
    ['/version', 200],
    ['/livez', 200],
    ['/nothing', 404],
  ] as const) {
    const client = await open(path);
    t.equal(client.status, status, path);
    client.close();
  }
  const spdy = await open(DEFAULT, { upgrade: 'SPDY/3.1' });
  t.equal(spdy.status, 200, 'a protocol that watches do not speak is not looked at');
  spdy.close();
});

t.test('a reader that stalls gets all in the end', async (t) => {
  const client = await open(`${CONFIGMAPS}?watch=1&labelSelector=big`);
  client.socket.pause();
  const pad = 'x'.repeat(400_000);
  const count = 40;
  for (let n = 0; n < count; n++) {
    await server.post(CONFIGMAPS, {
      metadata: { name: `big-${n}`, labels: { big: 'yes' } },
      data: { pad },
    });
  }
  client.socket.resume();
  for (let n = 0; n < count; n++) {
    t.equal((await client.event()).object.metadata.name, `big-${n}`);
  }
  client.close();
});

t.test('history that is gone, and a stop of the server', async (t) => {
  const other = await startServer({ test: t, args: [...NEUTRAL, '--watch-history', '1ms'] });
  const headers = { authorization: `Bearer ${other.token}` };
  const made = await other.post(CONFIGMAPS, { metadata: { name: 'a' } });
  for (const n of ['1', '2', '3']) {
    await other.put(`${CONFIGMAPS}/a`, { metadata: { name: 'a' }, data: { n } });
  }
  const path = `${CONFIGMAPS}?watch=1&resourceVersion=${made.json.metadata.resourceVersion}`;
  let status = 0;
  while (status !== 410) {
    const gone = await WebSocketClient.open({ port: other.port, path, headers });
    gone.close();
    status = gone.status;
    if (status !== 410) await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const client = await WebSocketClient.open({ port: other.port, path: DEFAULT, headers });
  await client.event();
  const exit = other.stop();
  t.same(await client.next(), { opcode: CLOSE, bytes: NORMAL });
  t.match(await exit, { code: 0 });
});

t.end();
