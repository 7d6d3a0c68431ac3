/** Addresses of services as objects, in releases whose services have them (IPAddress, ServiceCIDR). */
import t from 'tap';
import { until } from '../support/owned-objects.ts';
import { startServer, type Server } from '../support/server.ts';

const SERVICES = '/api/v1/namespaces/default/services';
const NETWORKING = '/apis/networking.cluster.io/v1';
const ADDRESSES = `${NETWORKING}/ipaddresses`;
const RANGES = `${NETWORKING}/servicecidrs`;
const MERGE = { 'content-type': 'application/merge-patch+json' };
const RANGE = '10.0.0.0/28';
const ARGS = [`--service-cluster-ip-range=${RANGE}`, '--controllers=*'];
const NEWEST = { args: ['--release=1.37', ...ARGS] };
const MANAGED = { 'ipaddress.cluster.io/managed-by': 'ipallocator.cluster.io' };

// The oldest release first: the folder goes up.
const server = await startServer({ test: t, args: ['--release=1.30', ...ARGS] });

function service(name: string, spec: object = {}) {
  return { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } };
}

async function made(path: string, object: object) {
  const answer = await server.post(path, object);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json;
}

async function addressOf(name: string): Promise<string> {
  return (await server.get(`${SERVICES}/${name}`)).json.spec.clusterIP;
}

async function addresses(of: Server = server): Promise<Record<string, string>> {
  const { json } = await of.get(ADDRESSES);
  // oxlint-disable-next-line no-explicit-any -- documents are as the server sends them
  const pairs = json.items.map(({ metadata, spec }: any) => [
    metadata.name,
    `${spec.parentRef.namespace}/${spec.parentRef.name}`,
  ]);
  return Object.fromEntries(pairs);
}

async function isGone(address: string): Promise<boolean> {
  return (await server.get(`${ADDRESSES}/${address}`)).status === 404;
}

const old = await made(SERVICES, service('old', { clusterIP: '10.0.0.3' }));
const second = await made(SERVICES, service('second', { clusterIP: '10.0.0.4' }));
t.equal((await server.get(ADDRESSES)).status, 404, 'this release has no such objects');

t.test('services of an older release keep their addresses, which are held at once', async (t) => {
  await server.stop();
  await server.restart(NEWEST);
  t.same(await addresses(), {
    '10.0.0.1': 'default/cluster',
    [old.spec.clusterIP]: 'default/old',
    [second.spec.clusterIP]: 'default/second',
  });
  const refused = await server.post(SERVICES, service('x', { clusterIP: old.spec.clusterIP }));
  t.match(refused.json.message, 'provided IP is already allocated');
});

t.test('the range of the command line is an object, ready and held', async (t) => {
  const isHeld = async () =>
    (await server.get(`${RANGES}/cluster`)).json.metadata.finalizers !== undefined;
  await until(isHeld);
  const { json } = await server.get(`${RANGES}/cluster`);
  t.same(json.spec, { cidrs: [RANGE] });
  t.same(json.metadata.finalizers, ['networking.cluster.io/service-cidr-finalizer']);
  t.match(json.status.conditions, [{ type: 'Ready', status: 'True', reason: '' }]);
});

t.test('an address is held by an object that comes and goes with its service', async (t) => {
  const { spec } = await made(SERVICES, service('a'));
  const { json } = await server.get(`${ADDRESSES}/${spec.clusterIP}`);
  t.match(json, {
    metadata: { labels: { ...MANAGED, 'ipaddress.cluster.io/ip-family': 'IPv4' } },
    spec: { parentRef: { resource: 'services', namespace: 'default', name: 'a' } },
  });
  await server.delete(`${SERVICES}/a`);
  t.ok(await isGone(spec.clusterIP), 'before the deletion is answered');
});

t.test('nothing is held for what is not made', async (t) => {
  const before = await addresses();
  t.equal((await server.post(`${SERVICES}?dryRun=All`, service('dry'))).status, 201);
  t.equal((await server.post(SERVICES, service('old'))).status, 409);
  const same = await server.post(SERVICES, service('old', { clusterIP: '10.0.0.3' }));
  t.equal(same.status, 422, 'addresses are given out before it is known that there is one');
  t.match(same.json.message, 'provided IP is already allocated');
  const nodePort = { type: 'NodePort', ports: [{ port: 80, nodePort: 30_000 }] };
  await made(SERVICES, service('first', nodePort));
  const refused = await server.post(SERVICES, service('other', nodePort));
  t.equal(refused.status, 422, "the port is another one's");
  await server.delete(`${SERVICES}/first`);
  await until(async () => Object.keys(await addresses()).length === Object.keys(before).length);
  t.same(await addresses(), before);
});

t.test('a service may become one without an address, and one with', async (t) => {
  const { spec } = await made(SERVICES, service('turning'));
  const name = { spec: { type: 'ExternalName', externalName: 'example.com' } };
  await server.request('PATCH', `${SERVICES}/turning`, name, MERGE);
  t.ok(await isGone(spec.clusterIP));
  const back = { spec: { type: 'ClusterIP', externalName: null } };
  const answer = await server.request('PATCH', `${SERVICES}/turning`, back, MERGE);
  t.equal((await addresses())[answer.json.spec.clusterIP], 'default/turning');
  await server.delete(`${SERVICES}/turning`);
});

t.test('what somebody else holds is not given out', async (t) => {
  const parentRef = { group: 'example.com', resource: 'gateways', name: 'g' };
  await made(ADDRESSES, { metadata: { name: '10.0.0.9' }, spec: { parentRef } });
  const refused = await server.post(SERVICES, service('x', { clusterIP: '10.0.0.9' }));
  t.equal(refused.status, 422);
  t.match(refused.json.message, 'failed to allocate IP 10.0.0.9: provided IP is already allocated');
  await server.delete(`${ADDRESSES}/10.0.0.9`);
  await made(SERVICES, service('x', { clusterIP: '10.0.0.9' }));
  await server.delete(`${SERVICES}/x`);
});

t.test('more ranges give more addresses', async (t) => {
  const elsewhere = service('more', { clusterIP: '10.1.0.5' });
  t.match(
    (await server.post(SERVICES, elsewhere)).json.message,
    'failed to allocate IP 10.1.0.5: the provided network does not match the current range',
  );
  await made(RANGES, { metadata: { name: 'more' }, spec: { cidrs: ['10.1.0.0/29'] } });
  await made(SERVICES, elsewhere);
  const names = Array.from({ length: 20 }, (_, index) => `n${index}`);
  const answers = await Promise.all(names.map((name) => server.post(SERVICES, service(name))));
  const given = answers.filter(({ status }) => status === 201).map(({ json }) => json);
  t.equal(given.length, 14 + 6 - 4, 'as many as there are in both');
  const [full] = answers.filter(({ status }) => status !== 201);
  t.match(full?.json.message, /^Internal error .*serviceIP for Service "n\d+": range is full$/);
  const all = given.map(({ spec }) => spec.clusterIP);
  t.equal(new Set(all).size, all.length);
  const held = await addresses();
  for (const { metadata, spec } of given) {
    t.equal(held[spec.clusterIP], `default/${metadata.name}`);
  }
  await server.delete(`${RANGES}/more`);
  const conditions = async () => (await server.get(`${RANGES}/more`)).json.status?.conditions;
  await until(async () => (await conditions())?.[0].reason === 'Terminating');
  t.match(await conditions(), [{ status: 'False', message: /^There are still IPAddresses/ }]);
  await Promise.all(given.map(({ metadata }) => server.delete(`${SERVICES}/${metadata.name}`)));
});

t.test('what is inconsistent is mended', async () => {
  const lost = await addressOf('old');
  await server.delete(`${ADDRESSES}/${lost}`);
  await until(async () => (await addresses())[lost] === 'default/old');
  const wrong = await addressOf('second');
  await server.delete(`${ADDRESSES}/${wrong}`);
  const parentRef = { resource: 'services', namespace: 'default', name: 'nobody' };
  const other = { metadata: { name: wrong, labels: MANAGED }, spec: { parentRef } };
  // The repair may be faster.
  await server.post(ADDRESSES, other);
  await until(async () => (await addresses())[wrong] === 'default/second');
  const events = async () => {
    const { json } = await server.get('/api/v1/namespaces/default/events');
    // oxlint-disable-next-line no-explicit-any -- documents are as the server sends them
    return json.items.map(({ reason, message }: any) => `${reason}: ${message}`);
  };
  const told = `ClusterIPNotAllocated: Cluster IP [IPv4]: ${lost} is not allocated; repairing`;
  await until(async () => (await events()).includes(told));

  const moved = { resource: 'services', namespace: 'default', name: 'old' };
  const stray = { metadata: { name: '10.0.0.11', labels: MANAGED }, spec: { parentRef: moved } };
  await server.delete(`${ADDRESSES}/10.0.0.11`);
  await server.post(ADDRESSES, stray);
  const of = 'IPAddress: 10.0.0.11 for Service default/old';
  const wrongly = `IPAddressWrongReference: ${of} has a wrong reference; cleaning up`;
  await until(async () => (await events()).includes(wrongly));
  await until(() => isGone('10.0.0.11'));
});

t.test('a server that is killed loses no address and gives none twice', async (t) => {
  const answers = new Map<string, string>();
  const names = Array.from({ length: 8 }, (_, index) => `k${index}`);
  const requests = names.map(async (name) => {
    const answer = await server.post(SERVICES, service(name));
    if (answer.status === 201) answers.set(name, answer.json.spec.clusterIP);
    if (answers.size === 3) await server.kill();
  });
  await Promise.allSettled(requests);
  await server.restart(NEWEST);
  const held = await addresses();
  for (const [name, address] of answers) t.equal(held[address], `default/${name}`);
  const { json } = await server.get(SERVICES);
  for (const { metadata, spec } of json.items) {
    if (spec.clusterIP !== 'None') t.equal(held[spec.clusterIP], `default/${metadata.name}`);
  }
});

t.test(
  'a cluster gets a second family, and services that ask for it an address of it',
  async (t) => {
    await server.stop();
    const both = `${RANGE},fd00::/112`;
    const args = ['--release=1.37', `--service-cluster-ip-range=${both}`, '--controllers=*'];
    await server.restart({ args });
    t.same((await server.get(`${RANGES}/cluster`)).json.spec.cidrs, both.split(','));
    t.same((await server.get(`${SERVICES}/old`)).json.spec.ipFamilies, ['IPv4'], 'others stay');
    const plain = await made(SERVICES, service('plain'));
    t.match(plain.spec, { ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' });
    const { spec } = await made(SERVICES, service('dual', { ipFamilyPolicy: 'RequireDualStack' }));
    t.same(spec.ipFamilies, ['IPv4', 'IPv6']);
    t.equal(spec.clusterIPs[0], spec.clusterIP);
    t.match(spec.clusterIPs[1], /^fd00::/);
    const held = await addresses();
    for (const address of spec.clusterIPs) t.equal(held[address], 'default/dual');
    const six = await made(SERVICES, service('six', { ipFamilies: ['IPv6'] }));
    t.match(six.spec, { ipFamilyPolicy: 'SingleStack', clusterIP: /^fd00::/ });
    const patch = async (name: string, change: object) =>
      (await server.request('PATCH', `${SERVICES}/${name}`, { spec: change }, MERGE)).json;
    const wider = await patch('plain', { ipFamilyPolicy: 'PreferDualStack' });
    t.same(wider.spec.ipFamilies, ['IPv4', 'IPv6']);
    t.equal((await addresses())[wider.spec.clusterIPs[1]], 'default/plain');
    // Nothing takes it for an address of nobody while the service is being written.
    for (let at = 0; at < 20; at += 1) {
      await made(SERVICES, service(`wide-${at}`));
      const { spec: both } = await patch(`wide-${at}`, { ipFamilyPolicy: 'PreferDualStack' });
      t.equal((await addresses())[both.clusterIPs[1]], `default/wide-${at}`);
      await server.delete(`${SERVICES}/wide-${at}`);
    }
    const narrower = await patch('dual', { ipFamilyPolicy: 'SingleStack' });
    t.same(narrower.spec.clusterIPs, [spec.clusterIP]);
    t.ok(await isGone(spec.clusterIPs[1]), 'the second address is free again');
    const refused = await patch('plain', { clusterIPs: [wider.spec.clusterIP] });
    t.match(refused.message, "must be 'SingleStack' to release the secondary cluster IP");
  },
);

t.test('node ports that are out of the range now are told', async () => {
  const ports = [{ port: 80, nodePort: 30_080 }];
  await made(SERVICES, service('outside', { type: 'NodePort', ports }));
  await server.stop();
  const range = '--service-node-port-range=31000-31100';
  await server.restart({ args: ['--release=1.37', range, '--controllers=*'] });
  const told = 'Port 30080 is not within the port range 31000-31100; please recreate service';
  await until(async () => {
    const { json } = await server.get('/apis/events.cluster.io/v1/namespaces/default/events');
    // oxlint-disable-next-line no-explicit-any -- documents are as the server sends them
    const event = json.items.find(({ reason }: any) => reason === 'PortOutOfRange');
    return event?.note === told && event.action === 'PortAllocation';
  });
  await until(async () => {
    const { text } = await server.get('/metrics');
    const name = 'apiserver_nodeport_repair';
    return (
      text.includes(`${name}_port_errors_total{type="outOfRange"} 1`) &&
      text.includes(`${name}_reconcile_errors_total 0`)
    );
  });
});
