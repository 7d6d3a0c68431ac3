/** Nodes without machines: pods that are bound to them run, end, and go. */
import t from 'tap';
import { startServer, type Server } from '../support/server.ts';
import { freePort } from '../support/server-process.ts';
import { BINARY, CLOSE, WebSocketClient } from '../support/web-socket-client.ts';
import type { WatchStream } from '../support/watch-stream.ts';

const PODS = '/api/v1/namespaces/default/pods';
const NODE = '/api/v1/nodes/fake-0';
const ARGS = ['--fake-nodes=2'];

interface PodDocument {
  readonly name: string;
  readonly annotations?: Record<string, string>;
  readonly nodeName?: string;
}

function pod({ name, annotations = {}, nodeName }: PodDocument): object {
  const container = { image: 'example', terminationMessagePolicy: 'File' };
  return {
    metadata: { name, annotations },
    spec: {
      ...(nodeName !== undefined && { nodeName }),
      restartPolicy: 'Never',
      initContainers: [{ ...container, name: 'first' }],
      containers: [{ ...container, name: 'one' }],
    },
  };
}

/** Resolves with the first document of a pod that is as wanted. */
// oxlint-disable-next-line no-explicit-any -- tests look into documents of every kind
async function until(watch: WatchStream, wanted: (event: any) => boolean): Promise<any> {
  for (;;) {
    const event = await watch.next();
    if (event === undefined) throw new Error('the watch has ended');
    if (wanted(event)) return event.object;
  }
}

async function made(server: Server, document: PodDocument): Promise<void> {
  await server.post('/api/v1/namespaces/default/serviceaccounts', {
    metadata: { name: 'default' },
  });
  const answer = await server.post(PODS, pod(document));
  if (answer.status !== 201) throw new Error(answer.text);
}

t.test('without the option there are none', async (t) => {
  const server = await startServer({ test: t });
  t.same((await server.get('/api/v1/nodes')).json.items, []);
});

for (const release of [[], ['--release=1.37']]) {
  t.test(`pods run on them ${release.join('')}`, async (t) => {
    const server = await startServer({ test: t, args: [...ARGS, ...release] });
    const node = await server.get(NODE);
    t.match(node.json.status.conditions.at(-1), { type: 'Ready', status: 'True' });
    t.notOk(node.json.spec.taints, 'pods may be scheduled to it');
    const watch = await server.watch(`${PODS}?watch=true`);
    await made(server, { name: 'bound', nodeName: 'fake-0' });
    await made(server, { name: 'waits' });
    const running = await until(watch, ({ object }) => object.status.phase === 'Running');
    t.equal(running.metadata.name, 'bound');
    t.match(running.status, {
      podIP: /^10\.128\./,
      hostIP: '10.64.0.0',
      containerStatuses: [{ name: 'one', ready: true, state: { running: {} } }],
      initContainerStatuses: [{ name: 'first', state: { terminated: { exitCode: 0 } } }],
    });
    const isTrue = running.status.conditions.filter(
      (one: { status: string }) => one.status === 'True',
    );
    t.equal(isTrue.length, running.status.conditions.length);
    await server.delete(`${PODS}/bound`);
    await until(watch, ({ type }) => type === 'DELETED');
    const waits = await server.get(`${PODS}/waits`);
    t.equal(waits.json.status.phase, 'Pending', 'it is bound to none');
    watch.close();
  });
}

t.test('pods end as their annotations say', async (t) => {
  const server = await startServer({ test: t, args: ARGS });
  const watch = await server.watch(`${PODS}?watch=true`);
  const ends = { 'shardplane.io/ends-after': '10ms' };
  await made(server, { name: 'well', nodeName: 'fake-1', annotations: ends });
  const well = await until(watch, ({ object }) => object.status.phase === 'Succeeded');
  t.match(well.status.containerStatuses, [{ state: { terminated: { exitCode: 0 } } }]);
  const annotations = { ...ends, 'shardplane.io/exit-code': '3' };
  await made(server, { name: 'ill', nodeName: 'fake-1', annotations });
  const ill = await until(watch, ({ object }) => object.status.phase === 'Failed');
  t.match(ill.status.containerStatuses, [
    { ready: false, state: { terminated: { exitCode: 3, reason: 'Error' } } },
  ]);
  watch.close();
});

t.test('their leases are held, and a number that is none is refused', async (t) => {
  const server = await startServer({ test: t, args: ARGS });
  const leases = '/apis/coordination.cluster.io/v1/namespaces/cluster-node-lease/leases';
  const watch = await server.watch(`${leases}?watch=true`);
  const lease = await until(watch, ({ object }) => object.metadata.name === 'fake-1');
  t.equal(lease.spec.holderIdentity, 'fake-1');
  watch.close();
});

t.test('containers have logs, and take commands', async (t) => {
  const sessionPort = await freePort();
  const args = [...ARGS, '--session-port', String(sessionPort)];
  const server = await startServer({ test: t, args });
  const watch = await server.watch(`${PODS}?watch=true`);
  const annotations = { 'shardplane.io/log': 'one\ntwo\nthree' };
  await made(server, { name: 'said', nodeName: 'fake-0', annotations });
  await made(server, { name: 'silent', nodeName: 'fake-1' });
  for (const wanted of ['said', 'silent']) {
    await until(watch, ({ object: { metadata, status } }) => {
      return metadata.name === wanted && status.phase === 'Running';
    });
  }
  watch.close();
  const log = async (path: string): Promise<string> => (await server.get(`${PODS}/${path}`)).text;
  t.equal(await log('silent/log'), 'one of default/silent runs on fake-1\n');
  t.equal(await log('said/log?tailLines=2'), 'two\nthree\n');
  t.match(await log('said/log?timestamps=true&limitBytes=35'), /^20.*T.*\.000000000Z one\n$/);
  const ends = server.get(`${PODS}/said/log?follow=true`);
  await server.delete(`${PODS}/said`);
  t.equal((await ends).text, 'one\ntwo\nthree\n', 'it ends with the pod');
  const headers = { authorization: `Bearer ${server.token}`, origin: undefined };
  for (const protocol of ['v4.channel.k8s.io', 'v5.channel.k8s.io']) {
    const client = await WebSocketClient.open({
      port: server.port,
      path: `${PODS}/silent/exec?command=ls&command=-l&stdout=1&stderr=1`,
      headers: { ...headers, 'sec-websocket-protocol': protocol },
    });
    t.equal((await client.next())?.bytes.toString(), '\x01ls -l\n');
    t.match((await client.next())?.bytes.toString(), '"status":"Success"');
    t.equal((await client.next())?.opcode, CLOSE);
    client.close();
  }
  const refused = await server.get(`${PODS}/silent/portforward?ports=80`);
  t.equal(refused.status, 400);
  const attach = (asked: string): Promise<WebSocketClient> =>
    WebSocketClient.open({
      port: server.port,
      path: `${PODS}/silent/attach?stdout=1${asked}`,
      headers: { ...headers, 'sec-websocket-protocol': 'v5.channel.k8s.io' },
    });
  const talks = await attach('&stdin=1');
  talks.send(BINARY, Buffer.from('\0hello'));
  t.equal((await talks.next())?.bytes.toString(), '\x01hello', 'it has said all before');
  talks.send(BINARY, Buffer.from([255, 0]));
  t.match((await talks.next())?.bytes.toString(), '"status":"Success"');
  talks.close();
  const listens = await attach('');
  await server.delete(`${PODS}/silent`);
  t.match((await listens.next())?.bytes.toString(), '"status":"Success"', 'it ends with the pod');
  listens.close();
});

t.end();
