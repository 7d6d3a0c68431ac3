/**
 * Quotas allow writes and say what is used. The rows were tried on release 1.23 of the reference.
 */
import t from 'tap';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';

const ALL = ['--controllers', '*,-serviceaccount,-serviceaccount-token,-root-ca-cert-publisher'];
/** All but accounts, which pods would need. */
const RULES = ['--disable-admission-plugins', 'ServiceAccount'];
const MERGE = { 'content-type': 'application/merge-patch+json' };
const NAMESPACE = '/api/v1/namespaces/counted';
const QUOTA = `${NAMESPACE}/resourcequotas/q`;

async function says(used: object, path = QUOTA): Promise<void> {
  let last: unknown;
  await until(async () => {
    const { json } = await server.get(path);
    last = json.status;
    return Object.entries(used).every(([name, amount]) => json.status?.used?.[name] === amount);
  }).catch((error: unknown) => {
    throw new Error(`wanted ${JSON.stringify(used)}, and it says ${JSON.stringify(last)}`, {
      cause: error,
    });
  });
}

const widgets = {
  apiVersion: 'apiextensions.cluster.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
    ],
  },
};

const server = await startServer({ test: t, args: [...ALL, ...RULES] });

t.test('a quota is counted when something of it is given back', async (t) => {
  await server.post('/api/v1/namespaces', { metadata: { name: 'counted' } });
  for (const name of ['a', 'b', 'c']) {
    await server.post(`${NAMESPACE}/configmaps`, { metadata: { name } });
  }
  const pod = (name: string, cpu: string) =>
    server.post(`${NAMESPACE}/pods`, {
      metadata: { name },
      spec: { containers: [{ name: 'a', image: 'a:1', resources: { requests: { cpu } } }] },
    });
  await pod('one', '250m');
  await pod('two', '1');
  const hard = {
    configmaps: '9',
    pods: '9',
    'count/pods': '9',
    'requests.cpu': '9',
    resourcequotas: '2',
    'count/widgets.example.com': '9',
  };
  await server.post(`${NAMESPACE}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard } });
  const all = { pods: '2', 'count/pods': '2', 'requests.cpu': '1250m', resourcequotas: '1' };
  await says({ ...all, configmaps: '3' });
  const { json } = await server.get(QUOTA);
  t.same(json.status.hard, hard);
  t.equal(json.status.used['count/widgets.example.com'], undefined, 'there is no such type');

  await server.delete(`${NAMESPACE}/configmaps/a`);
  await says({ configmaps: '2' });
  const succeeded = { status: { phase: 'Succeeded' } };
  await server.request('PATCH', `${NAMESPACE}/pods/two/status`, succeeded, MERGE);
  await says({ pods: '1', 'count/pods': '2', 'requests.cpu': '250m' });

  await server.post('/apis/apiextensions.cluster.io/v1/customresourcedefinitions', widgets);
  await says({ 'count/widgets.example.com': '0' });
  await server.delete(
    '/apis/apiextensions.cluster.io/v1/customresourcedefinitions/widgets.example.com',
  );
  await server.delete(`${NAMESPACE}/configmaps/b`);
  await says({ configmaps: '1' });
  const spec = { hard: { secrets: '1' } };
  await server.request('PATCH', QUOTA, [{ op: 'replace', path: '/spec', value: spec }], {
    'content-type': 'application/json-patch+json',
  });
  await says({ secrets: '0' });
  t.same((await server.get(QUOTA)).json.status, { hard: { secrets: '1' }, used: { secrets: '0' } });

  await server.post(`${NAMESPACE}/resourcequotas`, {
    metadata: { name: 'other' },
    spec: { hard: { resourcequotas: '2' } },
  });
  await server.delete(QUOTA);
  await until(async () => {
    const other = await server.get(`${NAMESPACE}/resourcequotas/other`);
    return other.json.status?.used?.resourcequotas === '1';
  });
});

type Row = readonly [what: string, type: string, body: object, refusal?: string];

const pod = (name: string, resources?: object, spec?: object) => ({
  metadata: { name },
  spec: { ...spec, containers: [{ name: 'a', image: 'a:1', ...(resources && { resources }) }] },
});
const service = (name: string, type: string, count: number) => ({
  metadata: { name },
  spec: {
    type,
    ports: Array.from({ length: count }, (_, at) => ({ port: 80 + at, name: `p${at}` })),
  },
});
const claim = (name: string, storage: string, storageClassName: string) => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, storageClassName },
});
const named = (name: string) => ({ metadata: { name } });
const GOLD = 'gold.storageclass.storage.cluster.io/requests.storage';

const QUOTAS: readonly [name: string, spec: object, rows: readonly Row[], used: object][] = [
  [
    'compute',
    { hard: { 'requests.cpu': '1', 'limits.memory': '1Gi', pods: '3' } },
    [
      [
        'says nothing',
        'pods',
        pod('a'),
        'pods "a" is forbidden: failed quota: compute: must specify limits.memory,requests.cpu',
      ],
      ['fits', 'pods', pod('a', { requests: { cpu: '0.25' }, limits: { memory: '300Mi' } })],
      [
        'is too large',
        'pods',
        pod('b', { requests: { cpu: '2' }, limits: { memory: '2Gi' } }),
        'pods "b" is forbidden: exceeded quota: compute, ' +
          'requested: limits.memory=2Gi,requests.cpu=2, ' +
          'used: limits.memory=300Mi,requests.cpu=250m, limited: limits.memory=1Gi,requests.cpu=1',
      ],
      [
        'fits exactly',
        'pods',
        pod('b', { requests: { cpu: '750m' }, limits: { memory: '724Mi' } }),
      ],
    ],
    { 'requests.cpu': '1', 'limits.memory': '1Gi', pods: '2' },
  ],
  [
    'services',
    { hard: { services: '3', 'services.nodeports': '2', 'services.loadbalancers': '1' } },
    [
      ['uses none', 'services', service('a', 'ClusterIP', 3)],
      [
        'wants too many',
        'services',
        service('b', 'NodePort', 3),
        'services "b" is forbidden: exceeded quota: services, requested: services.nodeports=3, ' +
          'used: services.nodeports=0, limited: services.nodeports=2',
      ],
      ['has a balancer', 'services', service('b', 'LoadBalancer', 1)],
      [
        'wants another',
        'services',
        service('c', 'LoadBalancer', 1),
        'services "c" is forbidden: exceeded quota: services, requested: services.loadbalancers=1, ' +
          'used: services.loadbalancers=1, limited: services.loadbalancers=1',
      ],
    ],
    { services: '2', 'services.nodeports': '1', 'services.loadbalancers': '1' },
  ],
  [
    'claims',
    { hard: { 'requests.storage': '10Gi', [GOLD]: '2Gi' } },
    [
      ['is of another class', 'persistentvolumeclaims', claim('a', '3Gi', 'silver')],
      [
        'is too large for its class',
        'persistentvolumeclaims',
        claim('b', '3Gi', 'gold'),
        `persistentvolumeclaims "b" is forbidden: exceeded quota: claims, requested: ${GOLD}=3Gi, ` +
          `used: ${GOLD}=0, limited: ${GOLD}=2Gi`,
      ],
      ['has a fraction', 'persistentvolumeclaims', claim('b', '1001m', 'gold')],
    ],
    { 'requests.storage': '3221225474', [GOLD]: '2' },
  ],
  [
    'scoped',
    { hard: { pods: '1' }, scopes: ['BestEffort', 'Terminating'] },
    [
      ['is in no scope', 'pods', pod('a')],
      ['is in one', 'pods', pod('b', { requests: { cpu: '1' } }, { activeDeadlineSeconds: 9 })],
      ['is in both', 'pods', pod('c', undefined, { activeDeadlineSeconds: 9 })],
      [
        'is in both as well',
        'pods',
        pod('d', undefined, { activeDeadlineSeconds: 9 }),
        'pods "d" is forbidden: exceeded quota: scoped, requested: pods=1, used: pods=1, ' +
          'limited: pods=1',
      ],
    ],
    { pods: '1' },
  ],
  [
    'numbers',
    { hard: { 'count/configmaps': '1', resourcequotas: '1', 'count/events': '0' } },
    [
      ['is one', 'configmaps', named('a')],
      [
        'is one too many, and there already',
        'configmaps',
        named('a'),
        'configmaps "a" is forbidden: exceeded quota: numbers, requested: count/configmaps=1, ' +
          'used: count/configmaps=1, limited: count/configmaps=1',
      ],
      [
        'is a quota itself',
        'resourcequotas',
        named('b'),
        'resourcequotas "b" is forbidden: exceeded quota: numbers, requested: resourcequotas=1, ' +
          'used: resourcequotas=1, limited: resourcequotas=1',
      ],
      ['does not count', 'events', { ...named('a'), involvedObject: { namespace: 'numbers' } }],
    ],
    { 'count/configmaps': '1', resourcequotas: '1' },
  ],
];

for (const [name, spec, rows, used] of QUOTAS) {
  t.test(`a quota of ${name}`, async (t) => {
    const namespace = `/api/v1/namespaces/${name}`;
    await server.post('/api/v1/namespaces', named(name));
    await server.post(`${namespace}/resourcequotas`, { ...named(name), spec });
    const quota = `${namespace}/resourcequotas/${name}`;
    const zeros = Object.keys(used).map((one) => [one, one === 'resourcequotas' ? '1' : '0']);
    await says(Object.fromEntries(zeros), quota);
    for (const [what, type, body, refusal] of rows) {
      const dry = await server.post(`${namespace}/${type}?dryRun=All`, body);
      const { status, json } = await server.post(`${namespace}/${type}`, body);
      t.equal(status, refusal === undefined ? 201 : 403, what);
      t.equal(status === 201 ? undefined : json.message, refusal, what);
      t.equal(dry.status, status, `${what}: in a dry run as well`);
    }
    await says(used, quota);
  });
}

t.test('an update uses more', async (t) => {
  const namespace = '/api/v1/namespaces/updates';
  const quota = `${namespace}/resourcequotas/q`;
  await server.post('/api/v1/namespaces', named('updates'));
  await server.post(`${namespace}/services`, service('a', 'ClusterIP', 2));
  const spec = { hard: { 'services.nodeports': '2' } };
  await server.post(`${namespace}/resourcequotas`, { ...named('q'), spec });
  await says({ 'services.nodeports': '0' }, quota);
  const patch = (changed: object) =>
    server.request('PATCH', `${namespace}/services/a`, { spec: changed }, MERGE);
  t.equal((await patch({ type: 'NodePort' })).status, 200);
  await says({ 'services.nodeports': '2' }, quota);
  const { status, json } = await patch(service('a', 'NodePort', 3).spec);
  t.equal(status, 403);
  t.match(
    json.message,
    'services "a" is forbidden: exceeded quota: q, requested: services.nodeports=1',
  );
  t.equal((await patch({ type: 'ClusterIP' })).status, 200);
  await says({ 'services.nodeports': '0' }, quota);
});

t.test('what no quota counts is not followed, until one does', async (t) => {
  const namespace = '/api/v1/namespaces/again';
  await server.post('/api/v1/namespaces', named('again'));
  const spec = { hard: { 'count/endpoints': '9' } };
  for (let number = 0; number < 4; number++) {
    await server.post(`${namespace}/resourcequotas`, { ...named('q'), spec });
    await says({ 'count/endpoints': String(number) }, `${namespace}/resourcequotas/q`);
    const made = server.post(`${namespace}/endpoints`, named(`e${number}`));
    await server.delete(`${namespace}/resourcequotas/q`);
    t.equal((await made).status, 201);
  }
});

t.test('what comes to nothing is given back', async (t) => {
  const namespace = '/api/v1/namespaces/vain';
  await server.post('/api/v1/namespaces', named('vain'));
  const spec = { hard: { secrets: '2' } };
  await server.post(`${namespace}/resourcequotas`, { ...named('q'), spec });
  await says({ secrets: '0' }, `${namespace}/resourcequotas/q`);
  for (const status of [201, 409, 409, 409]) {
    t.equal((await server.post(`${namespace}/secrets`, named('a'))).status, status);
  }
  await says({ secrets: '1' }, `${namespace}/resourcequotas/q`);
  t.equal(server.stderr, '');
});
