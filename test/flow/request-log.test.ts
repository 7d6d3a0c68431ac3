/** Lines about requests: those that are slow, and all of them. */
import { once } from 'node:events';
import { request } from 'node:http';
import t from 'tap';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';

const SLOW_MS = 100;

interface Line {
  readonly msg: string;
  readonly auditID?: string;
  // oxlint-disable-next-line no-explicit-any -- tests look into any member
  readonly [member: string]: any;
}

const server = await startServer({
  test: t,
  args: ['--log-format=json', '-v=3', `--slow-request-threshold=${SLOW_MS}ms`],
});

/** The line about a request, once it is there. */
async function lineOf(auditId: string): Promise<Line> {
  let found: Line | undefined;
  await until(async () => {
    const lines = server.stderr.split('\n').slice(0, -1);
    found = lines.map((line) => JSON.parse(line) as Line).find((line) => line.auditID === auditId);
    return found !== undefined;
  });
  if (found === undefined) throw new Error('no line');
  return found;
}

t.test('a request whose body comes late is slow, and its line says why', async (t) => {
  const body = JSON.stringify(configMap('late'));
  const headers = {
    authorization: `Bearer ${server.token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'audit-id': 'late',
  };
  const path = CONFIG_MAPS;
  const sent = request({ host: '127.0.0.1', port: server.port, method: 'POST', path, headers });
  const answered = once(sent, 'response');
  sent.write(body.slice(0, 10));
  await new Promise((resolve) => setTimeout(resolve, 2 * SLOW_MS));
  sent.end(body.slice(10));
  await answered;
  const line = await lineOf('late');
  t.match(line, { level: 'info', method: 'POST', path, user: 'admin', code: 201 });
  t.match(line.msg, /^slow request "late", POST ".*" of "admin": 201, \d+ ms: body \d+ ms, answer/);
  t.ok(line['stages'].body >= SLOW_MS);
  t.ok(line['ms'] >= line['stages'].body);
});

t.test('a watch is not slow, however long it lasts', async (t) => {
  const path = `${CONFIG_MAPS}?watch=true&timeoutSeconds=1`;
  await server.get(path, { 'audit-id': 'watch' });
  t.match((await lineOf('watch')).msg, /^request "watch", GET "[^?]*" of "admin": 200/);
});
