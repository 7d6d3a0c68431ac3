/** Priority and fairness: who gets a place, who waits, who is refused, and what tells of it. */
import type { Socket } from 'node:net';
import { once } from 'node:events';
import t, { type Test } from 'tap';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { connectRaw } from '../support/raw-exchange.ts';
import { SERVER_DIALECT } from '../support/wire-names.ts';
import { startServer, type Server } from '../support/server.ts';
import { until } from '../support/owned-objects.ts';

const FLOW = '/apis/flowcontrol.apiserver.cluster.io/v1beta2';
const LEVELS = `${FLOW}/prioritylevelconfigurations`;
const SCHEMAS = `${FLOW}/flowschemas`;
const DUMPS = '/debug/api_priority_and_fairness';
const SCHEMA_UID = SERVER_DIALECT.flowHeaders.schema.toLowerCase();
const LEVEL_UID = SERVER_DIALECT.flowHeaders.level.toLowerCase();
const OVERLOAD = 'Too many requests, please try again later.\n';
const TEN_SEATS = ['--max-requests-inflight=10', '--max-mutating-requests-inflight=0'];
const QUEUE = { type: 'Queue', queuing: { queues: 1, handSize: 1, queueLengthLimit: 1 } };
const JANE = { 'impersonate-user': 'jane' };

async function startFair(test: Test, ...args: readonly string[]): Promise<Server> {
  return startServer({
    test,
    args: ['--authorization-mode=AlwaysAllow', '--controllers=*', ...args],
  });
}

/** One seat for the requests of jane; gives the uids of the schema and the level. */
async function limitJane(server: Server, limitResponse: object): Promise<readonly string[]> {
  const limited = { assuredConcurrencyShares: 1, limitResponse };
  const level = await server.post(LEVELS, {
    metadata: { name: 'narrow' },
    spec: { type: 'Limited', limited },
  });
  const schema = await server.post(SCHEMAS, {
    metadata: { name: 'jane' },
    spec: {
      priorityLevelConfiguration: { name: 'narrow' },
      matchingPrecedence: 10,
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: [{ kind: 'User', user: { name: 'jane' } }],
          resourceRules: [
            { verbs: ['*'], apiGroups: [''], resources: ['configmaps'], namespaces: ['*'] },
          ],
        },
      ],
    },
  });
  const uids = [schema.json.metadata.uid, level.json.metadata.uid];
  await until(async () => {
    const { headers } = await server.get(CONFIG_MAPS, JANE);
    return headers[SCHEMA_UID] === uids[0] && headers[LEVEL_UID] === uids[1];
  });
  return uids;
}

/** The head of a create of jane. */
function headOf({ token }: Server, length: number): string {
  return (
    `POST ${CONFIG_MAPS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
    `Impersonate-User: jane\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${length}\r\n\r\n`
  );
}

/** A request that has its place until its body comes. */
async function holdSeat(server: Server, name: string): Promise<() => Promise<string>> {
  const body = JSON.stringify(configMap(name, {}));
  const socket: Socket = connectRaw({ port: server.port });
  await once(socket, 'connect');
  socket.write(headOf(server, body.length));
  await until(async () => (await dumped(server, 'dump_requests')).includes('jane'));
  return async () => {
    socket.write(body);
    const [answer] = await once(socket, 'data');
    socket.destroy();
    return String(answer);
  };
}

async function dumped(server: Server, name: string): Promise<string> {
  return (await server.get(`${DUMPS}/${name}`)).text;
}

t.test('requests are told which schema and level they were taken for', async (t) => {
  const server = await startFair(t);
  const uids = await limitJane(server, QUEUE);
  const exempt = await server.get(`${SCHEMAS}/exempt`);
  t.equal(exempt.headers[SCHEMA_UID], exempt.json.metadata.uid, 'the administrator');
  const probe = await server.get('/readyz', JANE);
  const probes = await server.get(`${SCHEMAS}/probes`);
  t.equal(probe.headers[SCHEMA_UID], probes.json.metadata.uid);
  const other = await server.get('/api/v1/nodes', JANE);
  t.not(other.headers[SCHEMA_UID], uids[0], 'nodes are no config maps');
  await server.delete(`${LEVELS}/narrow`);
  await until(async () => {
    const { json } = await server.get(`${SCHEMAS}/jane`);
    return json.status.conditions?.[0]?.status === 'True';
  });
  const dangling = await server.get(CONFIG_MAPS, JANE);
  t.not(dangling.headers[SCHEMA_UID], uids[0], 'a schema without its level is none');
});

t.test('one waits, the next is refused, and all others go on', async (t) => {
  const server = await startFair(t, ...TEN_SEATS);
  await limitJane(server, QUEUE);
  const finish = await holdSeat(server, 'first');
  const second = server.post(CONFIG_MAPS, configMap('second', {}), JANE);
  await until(async () => /^narrow, +0, +1,/m.test(await dumped(server, 'dump_queues')));
  const told = /^apiserver_current_inqueue_requests{request_kind="mutating"} 1$/m;
  await until(async () => told.test((await server.get('/metrics')).text));
  const third = await server.post(CONFIG_MAPS, configMap('third', {}), JANE);
  t.same([third.status, third.text, third.headers['retry-after']], [429, OVERLOAD, '1']);
  t.ok(third.headers[SCHEMA_UID], 'what is refused is told, too');
  const requests = await dumped(server, 'dump_requests?includeRequestDetails=1');
  t.match(requests, /narrow, +jane, +0, +0, +, .* create, +\/api\/v1\/namespaces\/default\/conf/);
  t.match(await dumped(server, 'dump_priority_levels'), /narrow, +1, +false, +false, +1, +1, /);
  for (const [path, headers] of [
    [CONFIG_MAPS, {}],
    [CONFIG_MAPS, { 'impersonate-user': 'john' }],
    ['/readyz', JANE],
    ['/metrics', {}],
  ] as const) {
    t.equal((await server.get(path, headers)).status, 200, `${path} ${JSON.stringify(headers)}`);
  }
  t.match(await finish(), /^HTTP\/1\.1 201 /);
  t.equal((await second).status, 201, 'who has waited is served');
  const isTold = async (name: string, count: number): Promise<boolean> => {
    const line = `apiserver_flowcontrol_${name}`;
    const { text } = await server.get('/metrics');
    const found = text.split('\n').find((one) => one.startsWith(`${line}{flow_schema="jane"`));
    return Number(found?.split(' ').at(-1)) >= count;
  };
  await until(() => isTold('dispatched_requests_total', 2));
  await until(() => isTold('rejected_requests_total', 1));
});

t.test('who waits for too long is refused, and who takes too long is told', async (t) => {
  const server = await startFair(t, ...TEN_SEATS, '--request-timeout=4s');
  await limitJane(server, QUEUE);
  const finish = await holdSeat(server, 'first');
  const second = await server.post(CONFIG_MAPS, configMap('second', {}), JANE);
  t.same([second.status, second.text], [429, OVERLOAD]);
  t.ok(second.milliseconds > 900, `${second.milliseconds} ms: a fourth of its time`);
  const answer = await finish();
  t.match(answer, /^HTTP\/1\.1 (?:201|504) /);
});

t.test('a level without queues refuses at once', async (t) => {
  const server = await startFair(t, ...TEN_SEATS);
  await limitJane(server, { type: 'Reject' });
  const finish = await holdSeat(server, 'first');
  t.equal((await server.get(CONFIG_MAPS, JANE)).status, 429);
  t.match(await finish(), /^HTTP\/1\.1 201 /);
  t.equal((await server.get(CONFIG_MAPS, JANE)).status, 200);
});

t.test('several fronts have the seats together', async (t) => {
  const server = await startFair(t, ...TEN_SEATS, '--fronts=2');
  const [uid] = await limitJane(server, { type: 'Reject' });
  const several = async () => {
    const answers = Array.from({ length: 12 }, () => server.get(CONFIG_MAPS, JANE));
    return Promise.all(answers);
  };
  await until(async () => (await several()).every(({ headers }) => headers[SCHEMA_UID] === uid));
  let socket: Socket | undefined;
  const hold = (): void => {
    socket = connectRaw({ port: server.port });
    socket.write(headOf(server, 1));
    // A get may have had the seat: then it is refused, and asks again.
    socket.once('data', hold);
  };
  hold();
  const isHeld = async (): Promise<boolean> => (await server.get(CONFIG_MAPS, JANE)).status === 429;
  // Several in a row: what a get had, it has no more.
  await until(async () => (await isHeld()) && (await isHeld()) && (await isHeld()));
  t.ok((await several()).every(({ status }) => status === 429));
  const asked = Array.from({ length: 12 }, () => dumped(server, 'dump_requests'));
  const dumps = await Promise.all(asked);
  t.ok(
    dumps.every((text) => /^narrow, +jane, /m.test(text)),
    'each front tells of all',
  );
  t.match(await dumped(server, 'dump_priority_levels'), /^narrow, +0, +false, +false, +0, +1, /m);
  socket?.destroy();
  await until(async () => (await server.get(CONFIG_MAPS, JANE)).status === 200);
});

t.test('a request may be given less time', async (t) => {
  const server = await startFair(t);
  const socket = connectRaw({ port: server.port });
  socket.write(
    `POST ${CONFIG_MAPS}?timeout=200ms HTTP/1.1\r\nHost: x\r\n` +
      `Authorization: Bearer ${server.token}\r\nContent-Type: application/json\r\n` +
      'Content-Length: 100\r\n\r\n',
  );
  const [answer] = await once(socket, 'data');
  socket.destroy();
  t.match(String(answer), /^HTTP\/1\.1 504 /);
  t.match(String(answer), /Timeout: request did not complete within the allotted timeout/);
  for (const timeout of ['0s', '-1s', '1h', '20s']) {
    t.equal((await server.get(`${CONFIG_MAPS}?timeout=${timeout}`)).status, 200, timeout);
  }
  t.equal((await server.get(`${CONFIG_MAPS}?timeout=soon`)).status, 400);
  const watch = await server.watch(`${CONFIG_MAPS}?watch=true&timeout=1ms&timeoutSeconds=1`);
  t.equal(watch.status, 200, 'watches have no such time');
  await watch.end();
});

t.test('without fairness the number of requests is limited', async (t) => {
  const limits = ['--max-requests-inflight=5', '--max-mutating-requests-inflight=1'];
  const server = await startFair(t, '--enable-priority-and-fairness=false', ...limits);
  const body = JSON.stringify(configMap('first', {}));
  const socket = connectRaw({ port: server.port });
  socket.write(
    `POST ${CONFIG_MAPS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  await until(async () => {
    const { status, headers } = await server.delete(`${CONFIG_MAPS}/none`, undefined, JANE);
    return status === 429 && headers['retry-after'] === '1';
  });
  t.equal((await server.get(CONFIG_MAPS, JANE)).status, 200, 'reads are others');
  t.equal((await server.delete(`${CONFIG_MAPS}/none`)).status, 404, 'administrators go on');
  t.equal((await server.get(CONFIG_MAPS)).headers[SCHEMA_UID], undefined);
  t.equal((await server.get(`${DUMPS}/dump_queues`)).status, 404);
  socket.write(body);
  await once(socket, 'data');
  socket.destroy();
  t.equal((await server.delete(`${CONFIG_MAPS}/none`, undefined, JANE)).status, 404);
});
