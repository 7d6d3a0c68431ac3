/** Logs, sessions and proxies where no node can be reached: each is answered, and with a Status. */
import { request as httpRequest } from 'node:http';
import { once } from 'node:events';
import { createServer } from 'node:net';
import t from 'tap';
import { made, nodeWith, PODS, podWith } from '../support/cluster-objects.ts';
import { expectFailure } from '../support/expect-status.ts';
import { outsideAddress } from '../support/fake-agent.ts';
import { sharedServer } from '../support/shared-server.ts';
import { freePort } from '../support/server-process.ts';

const SERVICES = '/api/v1/namespaces/default/services';
const ENDPOINTS = '/api/v1/namespaces/default/endpoints';

const server = await sharedServer();
const port = await freePort();
const agent = `127.0.0.1:${port}`;
const dialed = `dial tcp ${agent}: connect: connection refused`;
await nodeWith(server, 'there', '127.0.0.1', port);
await nodeWith(server, 'nowhere', '', 0);
await podWith(server, 'x', { spec: { nodeName: 'there' } });
await podWith(server, 'waiting');
await podWith(server, 'lost', { spec: { nodeName: 'missing' } });
await podWith(server, 'stray', { spec: { nodeName: 'nowhere' } });
const two = ['a', 'b'].map((name) => ({ name, image: 'example.com/a:1' }));
await podWith(server, 'two', { spec: { nodeName: 'there', containers: two } });

const UPGRADE = { connection: 'Upgrade', upgrade: 'SPDY/3.1' };

t.test('what is wrong with the request is said first', async (t) => {
  const choose = 'a container name must be specified for pod two, choose one of: [a b]';
  const rows: [string, number, string][] = [
    [`${PODS}/none/SUB`, 404, 'pods "none" not found'],
    [`${PODS}/two/SUB`, 400, choose],
    [`${PODS}/two/SUB?container=c`, 400, 'container c is not valid for pod two'],
    [`${PODS}/lost/SUB`, 404, 'pods "missing" not found'],
    [`${PODS}/stray/SUB`, 500, 'no preferred addresses found; known addresses: []'],
  ];
  for (const subresource of ['log', 'exec', 'attach']) {
    for (const [path, code, message] of rows) {
      const where = path.replace('SUB', subresource);
      expectFailure(t, await server.get(where), { code, message });
    }
  }
  const unassigned = 'pod waiting does not have a host assigned';
  for (const subresource of ['exec', 'attach', 'portforward']) {
    const path = `${PODS}/waiting/${subresource}`;
    expectFailure(t, await server.post(path, undefined, UPGRADE), {
      code: 400,
      message: unassigned,
    });
  }
  const { status, text } = await server.get(`${PODS}/waiting/log`);
  t.same([status, text], [204, ''], 'what never ran has no log');
  expectFailure(t, await server.get(`${PODS}/x/log?tailLines=-1`), { code: 422 });
  for (const path of [`${PODS}/waiting/log`, `${PODS}/none/log`]) {
    const refused = await server.get(path, { accept: 'image/png' });
    t.equal(refused.status, 406, refused.text);
    t.equal((await server.get(path, { accept: 'text/html, */*;q=0.1' })).status < 406, true);
  }
  expectFailure(t, await server.post(`${PODS}/x/log`, {}), { code: 405 });
  expectFailure(t, await server.put(`${PODS}/x/exec`, {}), { code: 405 });
});

t.test('a node that does not answer', async (t) => {
  const log = await server.get(`${PODS}/x/log?follow=true`, { accept: 'text/plain' });
  const url = `https://${agent}/containerLogs/default/x/a?follow=true`;
  expectFailure(t, log, { code: 500, message: `Get "${url}": ${dialed}` });
  for (const subresource of ['exec', 'attach', 'portforward']) {
    const path = `${PODS}/x/${subresource}?command=ls&stdout=true`;
    const answer = await server.post(path, undefined, UPGRADE);
    expectFailure(t, answer, { code: 500, message: `error dialing backend: ${dialed}` });
    expectFailure(t, await server.post(path, undefined), {
      code: 400,
      message: 'Upgrade request required',
    });
  }
});

t.test('a websocket is refused with a Status too', async (t) => {
  const headers = {
    authorization: `Bearer ${server.token}`,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };
  const path = `${PODS}/x/exec?command=ls`;
  const text = await new Promise<string>((resolve, reject) => {
    const options = { host: '127.0.0.1', port: server.port, path, headers };
    const request = httpRequest(options, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('end', () => resolve(body));
    });
    request.on('upgrade', () => reject(new Error('it was taken')));
    request.on('error', reject);
    request.end();
  });
  t.equal(JSON.parse(text).message, `error dialing backend: ${dialed}`);
});

t.test('proxies', async (t) => {
  await made(server, SERVICES, { metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } });
  await made(server, SERVICES, { metadata: { name: 'empty' }, spec: { ports: [{ port: 80 }] } });
  await podWith(server, 'backend', { phase: 'Running', podIP: '192.0.2.1' });
  const backend = { kind: 'Pod', name: 'backend', namespace: 'default' };
  await made(server, ENDPOINTS, {
    metadata: { name: 'empty' },
    subsets: [
      {
        // Neither is the address of a pod.
        addresses: [{ ip: '192.0.2.9' }, { ip: '192.0.2.8', targetRef: backend }],
        ports: [{ port: 8080 }],
      },
    ],
  });
  const outside = outsideAddress();
  await nodeWith(server, 'outside', outside, port);
  const refused = `dial tcp ${outside}:${port}: connect: connection refused`;
  const none = (name: string) => `no endpoints available for service "${name}"`;
  const rows: [string, number, string | RegExp][] = [
    [`${SERVICES}/none/proxy`, 404, 'services "none" not found'],
    [`${SERVICES}/web/proxy/`, 503, none('web')],
    [`${SERVICES}/http:web:80/proxy/a/b?c=d`, 503, none('http:web:80')],
    [`${SERVICES}/empty/proxy`, 503, none('empty')],
    [`${SERVICES}/web:81/proxy`, 503, 'no service port 81 found for service "web"'],
    [`${SERVICES}/ftp:web:80/proxy`, 400, 'invalid service request "ftp:web:80"'],
    [`${PODS}/none/proxy`, 404, 'pods "none" not found'],
    [`${PODS}/waiting/proxy/x`, 400, 'address not allowed'],
    ['/api/v1/nodes/none/proxy/', 404, 'nodes "none" not found'],
    ['/api/v1/nodes/nowhere/proxy/', 500, 'no preferred addresses found; known addresses: []'],
    ['/api/v1/nodes/there/proxy/stats', 400, 'address not allowed'],
    ['/api/v1/nodes/outside/proxy/stats', 503, `error trying to reach service: ${refused}`],
    ['/api/v1/nodes/outside:1/proxy/', 503, /error trying to reach service: dial tcp/],
  ];
  for (const [path, code, message] of rows) {
    for (const method of ['GET', 'POST', 'DELETE', 'PATCH']) {
      const answer = await server.request(method, path);
      expectFailure(t, answer, { code, message });
    }
  }
});

/** Each stands for the loopback, or for another address of this machine alone, to some reader. */
const SPELLINGS = [
  '0177.0.0.1',
  '127.0.0.01',
  '127.1',
  '0x7f000001',
  '2130706433',
  '::ffff:127.0.0.1',
  '::ffff:0177.0.0.1',
  '0:0:0:0:0:0:0:1',
  '[::1]',
  '::1%lo',
  '0.0.0.0',
  '00.0.0.0',
  '0',
  '::',
  'localhost',
  'LOCALHOST',
];

t.test('no spelling of an address leads to this machine', async (t) => {
  let connections = 0;
  const listeners = ['127.0.0.1', '::1'].map((host) =>
    createServer((socket) => {
      connections++;
      socket.destroy();
    }).listen(port, host),
  );
  await Promise.all(listeners.map((listener) => once(listener, 'listening')));
  const types = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'];
  for (const [index, spelling] of SPELLINGS.entries()) {
    const name = `spelled-${index}`;
    const targetRef = { kind: 'Pod', name };
    await made(server, SERVICES, { metadata: { name }, spec: { ports: [{ port: 80 }] } });
    const subsets = [{ addresses: [{ ip: spelling, targetRef }], ports: [{ port }] }];
    // Some are none that are stored: then there are no endpoints.
    await server.post(ENDPOINTS, { metadata: { name }, subsets });
    const none = `no endpoints available for service "${name}"`;
    expectFailure(t, await server.get(`${SERVICES}/${name}/proxy/x`), { code: 503, message: none });
    const pod = await podWith(server, name);
    const status = { phase: 'Running', podIP: spelling, podIPs: [{ ip: spelling }] };
    await server.put(`${PODS}/${name}/status`, { ...pod, status });
    const notAllowed = { code: 400, message: 'address not allowed' };
    expectFailure(t, await server.get(`${PODS}/${name}:${port}/proxy/x`), notAllowed);
    expectFailure(t, await server.get(`${SERVICES}/${name}/proxy/x`), { code: 503, message: none });
    const type = types[index % types.length] ?? '';
    await nodeWith(server, name, spelling, port, type);
    const answer = await server.get(`/api/v1/nodes/${name}:${port}/proxy/x`);
    const isNone = answer.status === 500;
    const noHost = { code: 500, message: `dial tcp: lookup ${spelling}: no such host` };
    expectFailure(t, answer, isNone ? noHost : notAllowed);
    t.equal(connections, 0, `${spelling}: nobody is asked`);
    // Agents may be anywhere, but not where only some resolvers find them.
    await podWith(server, `on-${name}`, { spec: { nodeName: name } });
    const log = await server.get(`${PODS}/on-${name}/log`);
    if (isNone) expectFailure(t, log, noHost);
    else expectFailure(t, log, { code: 500, message: /^Get "https:/ });
    if (isNone) t.equal(connections, 0, `${spelling}: nor for a log`);
    connections = 0;
  }
  for (const listener of listeners) listener.close();
});

t.end();
