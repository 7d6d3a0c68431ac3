/**
 * Several fronts share the ports, and the kernel chooses who gets a connection: what is true of
 * many new connections is true of every front.
 */
import { request as httpRequest } from 'node:http';
import t from 'tap';
import { nodeWith, PODS, podWith } from '../support/cluster-objects.ts';
import { customDefinition, DEFINITIONS } from '../support/custom-types.ts';
import { startAgent } from '../support/fake-agent.ts';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';
import type { RequestHeaders, Server } from '../support/server.ts';
import { freePort, runToExit, temporaryFolder } from '../support/server-process.ts';

/** All of them with one of two fronts: once in 30,000 times. */
const CONNECTIONS = 16;
const FRONTS = ['--fronts', '2'];
/** Elsewhere a port is not shared in this way. */
const ON_LINUX = { skip: process.platform !== 'linux' };

interface Told {
  readonly status: number;
  readonly location?: string;
  readonly text: string;
}

/** One request on a connection of its own. */
function askAlone(server: Server, path: string, more: RequestHeaders): Promise<Told> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.token}`, ...more };
    const where = { host: '127.0.0.1', port: server.port, agent: false as const };
    const request = httpRequest({ ...where, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode: status = 0, headers: answered } = response;
        const { location } = answered;
        resolve({ status, text, ...(location !== undefined && { location }) });
      });
    });
    request.on('error', reject);
    request.end();
  });
}

/** Gives the answers to many new connections, each different one once. */
async function askMany(server: Server, path: string, more: RequestHeaders = {}): Promise<Told[]> {
  const asked = Array.from({ length: CONNECTIONS }, () => askAlone(server, path, more));
  const told = new Map((await Promise.all(asked)).map((one) => [JSON.stringify(one), one]));
  return [...told.values()];
}

function openWatches(server: Server, path: string) {
  return Promise.all(Array.from({ length: CONNECTIONS }, () => server.watch(path)));
}

const sessionPort = await freePort();
let started: Promise<Server> | undefined;

/** Starts the server of all tests but the last: the one that ends it comes after the others. */
function twoFronts(): Promise<Server> {
  const args = [...FRONTS, '--session-port', String(sessionPort)];
  started ??= startServer({ test: t, args });
  return started;
}

t.test(
  'a definition is served on every connection once it says so, and on none soon after it is gone',
  ON_LINUX,
  async (t) => {
    const server = await twoFronts();
    const definition = customDefinition('example.com', 'Thing');
    const of = `${DEFINITIONS}/things.example.com`;
    const things = '/apis/example.com/v1/namespaces/default/things';
    const seen = await server.watch(`${DEFINITIONS}?watch=true`);
    await server.post(DEFINITIONS, definition);
    const isEstablished = ({ type, status }: { type: string; status: string }): boolean =>
      type === 'Established' && status === 'True';
    while (!(await seen.next())?.object.status?.conditions?.some(isEstablished));
    const lists = await askMany(server, things);
    t.same(
      lists.map(({ status }) => status),
      [200],
    );
    const watches = await openWatches(server, `${things}?watch=true`);
    await server.delete(of);
    await until(async () => (await server.get(of)).status === 404);
    const codes = async (): Promise<number[]> =>
      (await askMany(server, things)).map(({ status }) => status);
    await until(async () => String(await codes()) === '404');
    for (const watch of watches) await watch.end();
  },
);

t.test('a get on any connection finds what was answered on another', ON_LINUX, async (t) => {
  const server = await twoFronts();
  const path = `${CONFIG_MAPS}/often-got`;
  const versions = async (): Promise<unknown[]> => {
    const told = await askMany(server, path);
    return told.map(({ text }) => JSON.parse(text).metadata.resourceVersion as unknown);
  };
  await server.post(CONFIG_MAPS, configMap('often-got'));
  for (const round of ['1', '2', '3', '4', '5', '6', '7', '8']) {
    const { json } = await server.put(path, { ...configMap('often-got'), data: { round } });
    t.same(await versions(), [json.metadata.resourceVersion], `round ${round}`);
  }
  await server.delete(path);
  const gone = await askMany(server, path);
  t.same(new Set(gone.map(({ status }) => status)), new Set([404]));
  const { json } = await server.post(CONFIG_MAPS, configMap('often-got'));
  t.same(await versions(), [json.metadata.resourceVersion], 'made again');
  await server.delete(path);
});

t.test('ports that fronts share are shared with nobody else', ON_LINUX, async (t) => {
  const server = await twoFronts();
  const port = String(server.port);
  for (const fronts of ['1', '2']) {
    const flags = ['--data-dir', temporaryFolder(), '--secure-port', '0', '--port', port];
    const { code, stderr } = await runToExit([...flags, '--fronts', fronts]);
    t.equal(code, 1, `with ${fronts}`);
    t.equal(
      stderr,
      `shardplane: cannot listen on 127.0.0.1:${port}: the port is in use or not allowed. ` +
        'Stop what uses it, or choose another with --port\n',
    );
  }
  t.same(await askMany(server, '/readyz'), [{ status: 200, text: 'ok' }], 'the first goes on');
});

t.test('a session port is one for all', ON_LINUX, async (t) => {
  const server = await twoFronts();
  const agent = await startAgent(t, { onRequest: (_request, response) => response.end() });
  await nodeWith(server, 'there', '127.0.0.1', agent.port);
  await podWith(server, 'x', { spec: { nodeName: 'there' } });
  const path = `${PODS}/x/exec?command=a`;
  const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1' };
  const sent = await askMany(server, path, headers);
  t.same(
    sent.map(({ status, location }) => [status, location]),
    [[302, `http://127.0.0.1:${sessionPort}${path}`]],
  );
});

t.test('after a crash all that was answered is there, on every connection', ON_LINUX, async (t) => {
  const server = await twoFronts();
  const created = await server.post(CONFIG_MAPS, configMap('kept'));
  await server.kill();
  await server.restart();
  t.same(await askMany(server, `${CONFIG_MAPS}/kept`), [{ status: 200, text: created.text }]);
  await server.delete(`${CONFIG_MAPS}/kept`);
});

t.test('every watch gets the same bytes of a write on any connection', ON_LINUX, async (t) => {
  const server = await twoFronts();
  const watches = await openWatches(server, `${CONFIG_MAPS}?watch=true`);
  const written = [];
  for (const name of ['a', 'b', 'c']) {
    server.closeConnections();
    const { status, text } = await server.post(CONFIG_MAPS, configMap(name));
    t.equal(status, 201);
    written.push(`{"type":"ADDED","object":${text.trimEnd()}}`);
    t.same(await askMany(server, `${CONFIG_MAPS}/${name}`), [{ status: 200, text }]);
  }
  for (const watch of watches) {
    const seen = await watch.take(written.length);
    t.same(
      seen.map(({ raw }) => raw),
      written,
    );
  }
  const lists = await askMany(server, CONFIG_MAPS);
  t.equal(lists.length, 1, 'one list');
  const [page] = await askMany(server, `${CONFIG_MAPS}?limit=2`);
  const { metadata } = JSON.parse(page?.text ?? '') as { metadata: { continue: string } };
  const token = encodeURIComponent(metadata.continue);
  const rest = await askMany(server, `${CONFIG_MAPS}?limit=2&continue=${token}`);
  t.equal(rest.length, 1, 'a token means the same to all');
  t.match(rest[0]?.text, /"name":"c"/);

  t.equal((await server.stop()).code, 0, 'it ends in order');
  for (const watch of watches) await watch.end();
  t.same(
    watches.map(({ rest: after }) => after),
    watches.map(() => ''),
    'each watch ended between two events',
  );
});

t.test('it ends at once, as one that has open connections may', ON_LINUX, async (t) => {
  const server = await startServer({
    test: t,
    args: [...FRONTS, '--shutdown-delay-duration', '1m'],
  });
  const watches = await openWatches(server, `${CONFIG_MAPS}?watch=true`);
  process.kill(server.process.pid, 'SIGTERM');
  await until(async () => (await server.get('/readyz')).status === 500);
  const failing = await askMany(server, '/readyz');
  t.same(
    failing.map(({ status }) => status),
    [500],
    'no front says that it is ready',
  );
  t.equal((await server.stop()).code, 1, 'a second signal');
  for (const watch of watches) await watch.end();
});
