/** What release 1.30 does with members whose features are off, and says of others. */
import t from 'tap';
import { startServer } from '../support/server.ts';

const ALPHA = 'resource.cluster.io/v1alpha2';
const server = await startServer({
  test: t,
  args: [
    '--release=1.30',
    `--runtime-config=${ALPHA}=true,networking.cluster.io/v1alpha1=true`,
    '--feature-gates=DynamicResourceAllocation=true,MultiCIDRServiceAllocator=true',
  ],
});
const MERGE = { 'content-type': 'application/merge-patch+json' };
const TEMPLATE = {
  metadata: { labels: { app: 'a' } },
  spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] },
};

t.test('a node has no handlers of its runtime', async (t) => {
  const status = { runtimeHandlers: [{ name: 'a' }], phase: 'Running' };
  const { json } = await server.post('/api/v1/nodes', { metadata: { name: 'a' }, status });
  t.equal(json.status.phase, 'Running');
  t.notOk(json.status.runtimeHandlers);
});

t.test('a volume keeps the class of its attributes', async (t) => {
  const csi = { driver: 'a.b', volumeHandle: 'a' };
  const spec = { csi, capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] };
  const volume = { metadata: { name: 'a' }, spec: { ...spec, volumeAttributesClassName: 'gold' } };
  const made = await server.post('/api/v1/persistentvolumes', volume);
  t.equal(made.json.spec?.volumeAttributesClassName, 'gold', made.text);
  const patch = JSON.stringify({ spec: { volumeAttributesClassName: 'silver' } });
  const path = '/api/v1/persistentvolumes/a';
  const { json } = await server.request('PATCH', path, patch, MERGE);
  t.match(json.message, /spec\.volumeAttributesClassName: Forbidden: update is forbidden when the/);
});

t.test('only a new job loses who manages it', async (t) => {
  const jobs = '/apis/batch/v1/namespaces/default/jobs';
  const spec = { template: TEMPLATE, managedBy: 'a.b/c' };
  const made = await server.post(jobs, { metadata: { name: 'a' }, spec });
  t.equal(made.status, 201, made.text);
  t.notOk(made.json.spec.managedBy);
  const patch = JSON.stringify({ spec: { managedBy: 'a.b/c' } });
  const { json } = await server.request('PATCH', `${jobs}/a`, patch, MERGE);
  t.match(json.message, /spec\.managedBy: Invalid value: "a\.b\/c": field is immutable/);
  const job = { schedule: '@daily', jobTemplate: { spec: { ...spec, managedBy: 'a' } } };
  const crons = jobs.replace('jobs', 'cronjobs');
  const refused = await server.post(crons, { metadata: { name: 'a' }, spec: job });
  t.match(refused.json.message, /managedBy: Invalid value: "a": must be a domain-prefixed path/);
});

t.test('bindings of policies', async (t) => {
  const kind = 'validatingadmissionpolicybindings';
  const resourceRules = [{}];
  const spec = { policyName: 'a', validationActions: ['Deny'], matchResources: { resourceRules } };
  const path = `/apis/admissionregistration.cluster.io/v1/${kind}`;
  const { json } = await server.post(path, { metadata: { name: 'a' }, spec });
  t.match(json.message, /spec\.matchResouces\.resourceRules\[0\]\.apiGroups: Required value/);
});

t.test('fields that slices cannot be chosen by', async (t) => {
  const { json } = await server.get(`/apis/${ALPHA}/resourceslices?fieldSelector=spec.a%3Db`);
  t.match(json.message, `field label not supported for ${ALPHA}, Kind=ResourceSlice: spec.a`);
});

t.test('the status of a range is written with its metadata', async (t) => {
  const ranges = '/apis/networking.cluster.io/v1alpha1/servicecidrs';
  const range = { metadata: { name: 'more' }, spec: { cidrs: ['192.168.0.0/24'] } };
  t.equal((await server.post(ranges, range)).status, 201);
  const patch = JSON.stringify({ metadata: { labels: { app: 'a' } } });
  const { json } = await server.request('PATCH', `${ranges}/more/status`, patch, MERGE);
  t.same(json.metadata?.labels, { app: 'a' }, json.message);
});

t.test('the status of a scheduling context is never a table', async (t) => {
  const path = `/apis/${ALPHA}/namespaces/default/podschedulingcontexts/x/status`;
  const accept = 'application/json;as=Table;v=v1;g=meta.cluster.io';
  t.equal((await server.get(path, { accept })).status, 406);
});
