/** Certificates of users and of a front proxy, pages in browsers, and new files: a whole server. */
import { Agent, request as httpsRequest } from 'node:https';
import type { IncomingHttpHeaders, RequestOptions } from 'node:http';
import { connect } from 'node:net';
import t from 'tap';
import { makeAuthority, writePair } from '../support/authorities.ts';
import type { Authority, Pair } from '../support/authorities.ts';
import { until } from '../support/owned-objects.ts';
import { freePort, temporaryFolder } from '../support/server-process.ts';
import { startServer } from '../support/server.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const HOUR_MS = 3_600_000;
const FRIEND = 'https://friend.example.org';

const folder = temporaryFolder();
const [clients, proxies, others] = (await Promise.all(
  ['clients', 'proxies', 'others'].map(makeAuthority),
)) as [Authority, Authority, Authority];
const clientFile = writePair(folder, 'clients', clients).certFile;
const proxyFile = writePair(folder, 'proxies', proxies).certFile;
const port = await freePort();
const sessionPort = await freePort();
const server = await startServer({
  test: t,
  args: [
    '--secure-port',
    String(port),
    '--session-port',
    String(sessionPort),
    '--fronts',
    '2',
    '--client-ca-file',
    clientFile,
    '--requestheader-client-ca-file',
    proxyFile,
    '--requestheader-username-headers',
    'X-Remote-User',
    '--requestheader-group-headers',
    'X-Remote-Group',
    '--cors-allowed-origins',
    String.raw`^https://friend\.`,
    '--strict-transport-security-directives',
    'max-age=600,includeSubDomains',
  ],
});
const sign = (subject: Parameters<Authority['sign']>[0]['subject']) =>
  clients.sign({ subject, usage: 'client' });
const admin = await sign([{ O: ['system:masters'] }, { CN: ['boss'] }]);
const alice = await sign([{ O: ['dev'] }, { CN: ['alice'] }]);
const TOKEN = { authorization: `Bearer ${server.token}` };

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

interface Asked extends RequestOptions, Partial<Pair> {
  readonly body?: string;
  readonly onData?: (text: string) => void;
}

function ask(path: string, options: Asked = {}) {
  return new Promise<Answer>((resolve, reject) => {
    const asked = { host: '127.0.0.1', agent: false, rejectUnauthorized: false, ...options };
    const sent = httpsRequest({ port, ...asked, path }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        options.onData?.(chunk.toString());
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(options.body);
  });
}

const message = ({ text }: Answer) => (JSON.parse(text) as { message?: string }).message;

t.test('metrics tell how long certificates hold, and of handshakes that fail', async (t) => {
  const told = async (metric: string): Promise<number> => {
    const { text } = await server.get('/metrics');
    return Number(new RegExp(`^${metric} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  };
  const expirations = 'apiserver_client_certificate_expiration_seconds_count';
  const [shown, failed] = [
    await told(expirations),
    await told('apiserver_tls_handshake_errors_total'),
  ];
  await ask(CONFIG_MAPS, { ...admin });
  await until(async () => (await told(expirations)) > shown);
  connect(port, '127.0.0.1')
    .on('error', () => undefined)
    .end('not a handshake');
  await until(async () => (await told('apiserver_tls_handshake_errors_total')) > failed);
  t.pass('both are counted');
});

t.test('a certificate says who asks', async (t) => {
  t.equal((await ask(CONFIG_MAPS, admin)).status, 200, 'a member of system:masters');
  const refused = await ask(CONFIG_MAPS, alice);
  t.equal(refused.status, 403);
  t.match(message(refused), 'User "alice" cannot list resource "configmaps"');
  const inSession = await ask(CONFIG_MAPS, { ...alice, port: sessionPort });
  t.match(message(inSession), 'User "alice" cannot list', 'on the port for sessions too');
  const stranger = await ask(CONFIG_MAPS);
  t.match(message(stranger), 'User "system:anonymous" cannot list', 'nothing is shown');
  const bearer = { headers: { authorization: 'Bearer nonsense' } };
  t.equal((await ask(CONFIG_MAPS, { ...admin, ...bearer })).status, 200, 'the token is not asked');
});

t.test('one that does not hold is 401, unless a token does', async (t) => {
  const subject = [{ O: ['system:masters'] }, { CN: ['boss'] }];
  const nowMs = Date.now();
  const rows: [string, Pair][] = [
    ['of another authority', await others.sign({ subject, usage: 'client' })],
    ['of itself', others],
    ['for servers', await clients.sign({ subject, usage: 'server' })],
    ['expired', await clients.sign({ subject, untilMs: nowMs - HOUR_MS })],
    ['not yet valid', await clients.sign({ subject, fromMs: nowMs + HOUR_MS })],
    ['of the front proxy, for a user', await proxies.sign({ subject, usage: 'client' })],
    ['without a name', await clients.sign({ subject: [{ O: ['system:masters'] }] })],
  ];
  for (const [name, pair] of rows) {
    const answer = await ask(CONFIG_MAPS, pair);
    t.equal(answer.status, 401, name);
    t.equal(message(answer), 'Unauthorized');
    t.equal((await ask(CONFIG_MAPS, { ...pair, headers: TOKEN })).status, 200, `${name}, a token`);
  }
});

t.test('a front proxy names users, and nobody else does', async (t) => {
  const proxy = await proxies.sign({ subject: [{ CN: ['front'] }], usage: 'client' });
  const headers = { 'X-Remote-User': 'bob', 'X-Remote-Group': 'system:masters' };
  t.equal((await ask(CONFIG_MAPS, { ...proxy, headers })).status, 200);
  const bob = await ask(CONFIG_MAPS, { ...proxy, headers: { 'X-Remote-User': 'bob' } });
  t.match(message(bob), 'User "bob" cannot list');
  for (const name of ['bossé', 'é', '名前']) {
    const bytes = Buffer.from(name).toString('latin1');
    const group = Buffer.from('system:mastersé').toString('latin1');
    const other = { 'X-Remote-User': bytes, 'X-Remote-Group': group };
    const answer = await ask(CONFIG_MAPS, { ...proxy, headers: other });
    t.match(message(answer), `User "${name}" cannot list`, 'each letter counts');
  }
  const forged = await ask(CONFIG_MAPS, { ...alice, headers });
  t.match(message(forged), 'User "alice" cannot list');
  t.equal((await ask(CONFIG_MAPS, { headers })).status, 403, 'without a certificate');
  const plain = await server.request('GET', CONFIG_MAPS, undefined, headers);
  t.equal(plain.status, 200, 'on the other port the token counts');
});

t.test('what a page can send without being asked for does nothing', async (t) => {
  const posts: Record<string, string>[] = [
    { origin: 'https://evil.example.org', 'sec-fetch-site': 'cross-site' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
  ];
  const body = '{"metadata":{"name":"planted"}}';
  for (const headers of posts) {
    const answer = await ask(CONFIG_MAPS, { ...admin, method: 'POST', headers, body });
    t.equal(answer.status, 403, JSON.stringify(headers));
    t.match(message(answer), 'User "system:anonymous" cannot create');
    t.notOk(answer.headers['access-control-allow-origin']);
  }
  const typed = { origin: `https://127.0.0.1:${port}`, 'content-type': 'text/plain' };
  const text = await ask(CONFIG_MAPS, { ...admin, method: 'POST', headers: typed, body });
  t.equal(text.status, 415, 'and no form is JSON');
  const asked = { origin: 'https://evil.example.org', 'access-control-request-method': 'PUT' };
  const preflight = await ask(CONFIG_MAPS, { method: 'OPTIONS', headers: asked });
  t.equal(preflight.status, 403);
  t.notOk(Object.keys(preflight.headers).some((name) => name.startsWith('access-control-')));
});

t.test('a page of an origin that is allowed may', async (t) => {
  const headers = { origin: FRIEND, 'sec-fetch-site': 'cross-site' };
  const told = {
    'access-control-allow-origin': FRIEND,
    'access-control-allow-methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
    'access-control-allow-headers':
      'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, ' +
      'X-Requested-With, If-Modified-Since',
    'access-control-expose-headers': 'Date',
    'access-control-allow-credentials': 'true',
    'strict-transport-security': 'max-age=600; includeSubDomains',
    'cache-control': 'no-cache, private',
  };
  const preflight = await ask('/anything', { method: 'OPTIONS', headers });
  t.equal(preflight.status, 204);
  t.match(preflight.headers, { ...told, 'audit-id': /./ });
  t.equal(preflight.text, '');
  t.equal(preflight.headers['content-type'], undefined);
  for (const [options, status] of [
    [admin, 200],
    [alice, 403],
  ] as const) {
    const answer = await ask(CONFIG_MAPS, { ...options, headers });
    t.equal(answer.status, status);
    t.match(answer.headers, told);
  }
  const plain = await server.request('GET', '/version', undefined, { origin: FRIEND });
  t.equal(plain.headers['access-control-allow-origin'], FRIEND);
  t.notOk(plain.headers['strict-transport-security'], 'of HTTPS alone');
});

t.test('watches, large bodies and a server that stops', async (t) => {
  const proxy = await proxies.sign({ subject: [{ CN: ['front'] }], usage: 'client' });
  const asAdmin = { 'X-Remote-User': 'bob', 'X-Remote-Group': 'system:masters' };
  const watches = [];
  for (const [name, pair, who] of [
    ['large', admin, {}],
    ['by-the-proxy', proxy, asAdmin],
  ] as const) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    t.teardown(() => agent.destroy());
    const data = { blob: 'x'.repeat(1_000_000) };
    const body = JSON.stringify({ metadata: { name }, data });
    const headers = { ...who, 'content-type': 'application/json' };
    const made = await ask(CONFIG_MAPS, { ...pair, agent, method: 'POST', headers, body });
    t.equal(made.status, 201);
    const read = await ask(`${CONFIG_MAPS}/${name}`, { ...pair, agent, headers: who });
    t.match(JSON.parse(read.text), { data });
    watches.push(watchOf({ ...pair, headers: who }, '"small"'));
  }
  await server.request('POST', CONFIG_MAPS, { metadata: { name: 'small' } });
  for (const { seen } of watches) await seen;
  const exit = await server.stop();
  t.equal(exit.code, 0);
  for (const { whole, told } of watches) {
    t.equal((await whole).text, told(), 'a watch ends as a whole answer does');
  }
});

/** A watch, and when it has told of something. */
function watchOf(options: Asked, expected: string) {
  let told = '';
  const seen = Promise.withResolvers<void>();
  const onData = (text: string): void => {
    told += text;
    if (told.includes(expected)) seen.resolve();
  };
  const whole = ask(`${CONFIG_MAPS}?watch=true`, { ...options, onData });
  return { whole, seen: seen.promise, told: () => told };
}

t.end();
