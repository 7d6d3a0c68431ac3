/** What a quota says is used, as its controller counts it. */
import t from 'tap';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';
import type { Server } from '../support/server.ts';

const ALL = ['--controllers', '*,-serviceaccount,-serviceaccount-token,-root-ca-cert-publisher'];
const MERGE = { 'content-type': 'application/merge-patch+json' };
const NAMESPACE = '/api/v1/namespaces/counted';
const QUOTA = `${NAMESPACE}/resourcequotas/q`;

async function says(server: Server, used: object): Promise<void> {
  let last: unknown;
  await until(async () => {
    const { json } = await server.get(QUOTA);
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

t.test('a quota is counted when something of it is given back', async (t) => {
  const server = await startServer({ test: t, args: ALL });
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
  await says(server, { ...all, configmaps: '3' });
  const { json } = await server.get(QUOTA);
  t.same(json.status.hard, hard);
  t.equal(json.status.used['count/widgets.example.com'], undefined, 'there is no such type');

  await server.delete(`${NAMESPACE}/configmaps/a`);
  await says(server, { configmaps: '2' });
  const succeeded = { status: { phase: 'Succeeded' } };
  await server.request('PATCH', `${NAMESPACE}/pods/two/status`, succeeded, MERGE);
  await says(server, { pods: '1', 'count/pods': '2', 'requests.cpu': '250m' });

  await server.post('/apis/apiextensions.cluster.io/v1/customresourcedefinitions', widgets);
  await says(server, { 'count/widgets.example.com': '0' });
  const spec = { hard: { secrets: '1' } };
  await server.request('PATCH', QUOTA, [{ op: 'replace', path: '/spec', value: spec }], {
    'content-type': 'application/json-patch+json',
  });
  await says(server, { secrets: '0' });
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
  t.equal(server.stderr, '');
});
