/** Lines about requests: those that are slow, and all of them. */
import { once } from 'node:events';
import { request } from 'node:http';
import t from 'tap';
import { startAdmissionWebhook, type Behaviour } from '../support/admission-webhook.ts';
import { Hooked } from '../support/hooked.ts';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';

const SLOW_MS = 100;
const STAGES = ['mailbox', 'admission', 'commit', 'shard', 'sending'];
const isNoCommit = (stage: string): boolean => stage !== 'commit';

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

let lastId = 0;

/** The line about a request whose body comes late. */
async function lineOfLate(): Promise<Line> {
  const auditId = `late-${++lastId}`;
  const body = JSON.stringify(configMap(auditId));
  const headers = {
    authorization: `Bearer ${server.token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'audit-id': auditId,
  };
  const path = CONFIG_MAPS;
  const sent = request({ host: '127.0.0.1', port: server.port, method: 'POST', path, headers });
  const answered = once(sent, 'response');
  sent.write(body.slice(0, 10));
  await new Promise((resolve) => setTimeout(resolve, 2 * SLOW_MS));
  sent.end(body.slice(10));
  await answered;
  return lineOf(auditId);
}

t.test('a request whose body comes late is slow, and its line says why', async (t) => {
  let line: Line = { msg: '' };
  // A server that is slow itself may see the beginning late.
  await until(async () => {
    line = await lineOfLate();
    return line['stages'].body >= SLOW_MS;
  });
  t.match(line, { level: 'info', method: 'POST', path: CONFIG_MAPS, user: 'admin', code: 201 });
  const start = /^slow request "late-\d+", POST ".*" of "admin": 201, \d+ ms: body \d+ ms, mailbox/;
  t.match(line.msg, start);
  t.ok(line['ms'] >= line['stages'].body);
});

t.test('a watch is not slow, however long it lasts', async (t) => {
  const path = `${CONFIG_MAPS}?watch=true&timeoutSeconds=1`;
  await server.get(path, { 'audit-id': 'watch' });
  t.match((await lineOf('watch')).msg, /^request "watch", GET "[^?]*" of "admin": 200/);
});

t.test('a write says what the shard, those who have a say, and the disk have taken', async (t) => {
  const here = new Hooked(server, await startAdmissionWebhook(t), 'slow');
  await here.begin();
  const behaviour: Behaviour = async ({ request }) => {
    await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    return { allowed: request.name !== 'refused' };
  };
  await here.register(t, 'Validating', { slow: { behaviour } });
  const made = await here.make('made', {}, '', { 'audit-id': 'made' });
  t.equal(made.status, 201, made.text);
  const line = await lineOf('made');
  t.same(Object.keys(line['stages']).slice(-5), STAGES);
  t.ok(line['stages'].admission >= SLOW_MS - 1, line.msg);
  await here.make('refused', {}, '', { 'audit-id': 'refused' });
  t.ok((await lineOf('refused'))['stages'].admission >= SLOW_MS - 1);
  await server.delete(here.path(), undefined, { 'audit-id': 'all' });
  t.same(Object.keys((await lineOf('all'))['stages']).slice(-4), STAGES.filter(isNoCommit));
});

t.test('a read has nothing to commit, and what no shard answers has one stage', async (t) => {
  await server.get(`${CONFIG_MAPS}/nobody`, { 'audit-id': 'read' });
  t.same(Object.keys((await lineOf('read'))['stages']), ['mailbox', 'shard', 'sending']);
  await server.get('/apis', { 'audit-id': 'groups' });
  t.same(Object.keys((await lineOf('groups'))['stages']), ['answer']);
});
