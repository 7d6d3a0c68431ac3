/** The objects by which programs find the API: they follow the server, and come back. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import { PATIENCE_MS } from '../support/patience.ts';
import type { Server } from '../support/server.ts';
import { startServer } from '../support/server.ts';
import { freePort } from '../support/server-process.ts';

const SERVICES = '/api/v1/namespaces/default/services';
const ENDPOINTS = '/api/v1/namespaces/default/endpoints';
const ADDRESS = '192.0.2.7';
/** The harness leaves them out otherwise. */
const ON = ['--controllers', '*,-serviceaccount,-root-ca-cert-publisher'];

/** In the dialect of clients that know `k8s.io`, or in the neutral one. */
function pathsIn(name: string, domain: string, system: string): readonly string[] {
  return [
    `${SERVICES}/${name}`,
    `${ENDPOINTS}/${name}`,
    `/apis/discovery.${domain}/v1/namespaces/default/endpointslices/${name}`,
    `/api/v1/namespaces/${system}/configmaps/extension-apiserver-authentication`,
  ];
}

const K8S_PATHS = pathsIn('kubernetes', 'k8s.io', 'kube-system');
const NEUTRAL_PATHS = pathsIn('cluster', 'cluster.io', 'cluster-system');

async function objectsAt(server: Server, paths: readonly string[]) {
  return Promise.all(paths.map(async (path) => (await server.get(path)).json));
}

/** Waits until what a path shows passes the check. */
async function comesBack(server: Server, path: string, isBack: (json: unknown) => boolean) {
  const endMs = Date.now() + PATIENCE_MS;
  for (;;) {
    const { json } = await server.get(path);
    if (isBack(json)) return json;
    if (Date.now() > endMs) throw new Error(`${path} does not come back: ${JSON.stringify(json)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function checkEndpoint(t: Test, port: number, [service, endpoints, slice]: readonly unknown[]) {
  t.match(service, { spec: { ports: [{ port: 80, targetPort: port, name: 'http' }] } });
  t.match(endpoints, { subsets: [{ ports: [{ port, name: 'http' }] }] });
  t.match(slice, { ports: [{ port, name: 'http' }] });
}

t.test('they are as in the reference, come back, and follow the server', async (t) => {
  const secure = await freePort();
  const args = [...ON, '--advertise-address', ADDRESS, '--api-domain', 'k8s.io'];
  const https = ['--secure-port', String(secure)];
  const server = await startServer({ test: t, args: [...args, ...https] });
  // 8 of these, and the roles, bindings and priorities of the system.
  t.match(server.process.stdout, '(150 objects)', 'they are there when the server is ready');
  const [service, endpoints, slice, configMap] = await objectsAt(server, K8S_PATHS);
  t.same(service.metadata.labels, { component: 'apiserver', provider: 'kubernetes' });
  t.match(service.metadata.managedFields, [{ manager: 'kube-apiserver', operation: 'Update' }]);
  t.same(service.spec, {
    ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: secure }],
    clusterIP: '10.0.0.1',
    clusterIPs: ['10.0.0.1'],
    type: 'ClusterIP',
    sessionAffinity: 'None',
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    internalTrafficPolicy: 'Cluster',
  });
  t.same(endpoints.metadata.labels, { 'endpointslice.kubernetes.io/skip-mirror': 'true' });
  t.same(endpoints.subsets, [
    { addresses: [{ ip: ADDRESS }], ports: [{ name: 'https', port: secure, protocol: 'TCP' }] },
  ]);
  t.same(slice.metadata.labels, { 'kubernetes.io/service-name': 'kubernetes' });
  t.equal(slice.addressType, 'IPv4');
  t.same(slice.endpoints, [{ addresses: [ADDRESS], conditions: { ready: true } }]);
  t.same(slice.ports, [{ name: 'https', protocol: 'TCP', port: secure }]);
  const authority = readFileSync(join(server.dataDirectory, 'ca.crt'), 'utf8');
  t.same(configMap.data, {
    'client-ca-file': authority,
    'requestheader-allowed-names': '["front-proxy-client"]',
    'requestheader-client-ca-file': authority,
    'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
    'requestheader-username-headers': '["X-Remote-User"]',
  });

  await Promise.all(K8S_PATHS.map((path) => server.delete(path)));
  const isThere = (json: unknown): boolean =>
    (json as { metadata?: { uid?: string } }).metadata?.uid !== undefined;
  const back = await Promise.all(K8S_PATHS.map((path) => comesBack(server, path, isThere)));
  t.same((back[0] as typeof service).spec, service.spec, 'with the same address');
  const leases = '/api/v1/namespaces/kube-node-lease';
  const { uid } = (await server.get(leases)).json.metadata;
  await server.delete(leases);
  await comesBack(server, leases, (json) => isThere(json) && !JSON.stringify(json).includes(uid));
  const json = { 'content-type': 'application/merge-patch+json' };
  await server.request(
    'PATCH',
    K8S_PATHS[1] ?? '',
    { subsets: [], metadata: { labels: { a: 'b' } } },
    json,
  );
  await server.request('PATCH', K8S_PATHS[2] ?? '', { ports: [] }, json);
  const others = { a: 'b', 'client-ca-file': 'another\n' };
  await server.request('PATCH', K8S_PATHS[3] ?? '', { data: others }, json);
  const hasPorts = (object: unknown): boolean =>
    JSON.stringify(object).includes(`"port":${secure}`);
  const mended = await comesBack(server, K8S_PATHS[1] ?? '', hasPorts);
  t.match(mended, { metadata: { labels: { a: 'b' } } }, 'what is not its own stays');
  await comesBack(server, K8S_PATHS[2] ?? '', hasPorts);
  const both = (object: unknown): boolean =>
    JSON.stringify(object).includes('another\\n-----BEGIN');
  t.match(
    await comesBack(server, K8S_PATHS[3] ?? '', both),
    { data: { a: 'b' } },
    'nor data of others',
  );

  await server.stop();
  await server.restart({ args: [...args, '--advertise-address', '2001:db8::7'] });
  const moved = await objectsAt(server, K8S_PATHS);
  checkEndpoint(t, server.port, moved);
  t.match(moved[1], { subsets: [{ addresses: [{ ip: '2001:db8::7' }] }] });
  t.match(moved[2], { addressType: 'IPv6', endpoints: [{ addresses: ['2001:db8::7'] }] });
  await server.stop();
  await server.restart({ args: [...args.slice(0, -1), 'cluster.io'] });
  const neutral = await objectsAt(server, NEUTRAL_PATHS);
  checkEndpoint(t, server.port, neutral);
  t.match(neutral[0], { metadata: { labels: { provider: 'cluster' } } });
  t.match(neutral[2], { addressType: 'IPv4', endpoints: [{ addresses: [ADDRESS] }] });
  t.same(neutral[2].metadata.labels, { 'cluster.io/service-name': 'cluster' });
  t.match(neutral[0], { spec: { clusterIP: '10.0.0.1' } }, 'with the address that it had');
  const { json: services } = await server.get(SERVICES);
  t.equal(services.items.length, 1, 'not under the names of both dialects');
  const lines = server.stderr
    .split('\n')
    .filter((line) => !/translat(?:ing|ed) the data/.test(line));
  t.same(lines, [''], 'nothing else is said');
});

t.end();
