/** Objects count for quotas: the facts are those of release 1.23 of the reference. */
import t from 'tap';
import type { ResourceQuotaSpec } from '#messages/core.v1';
import { countedType, typesUsing } from '../../src/quota/counted-type.ts';
import { isInScope, scopeRequirements } from '../../src/quota/scopes.ts';
import type { ApiObject } from '../../src/resources/kind.ts';

const usageOf = (type: string, object: object) =>
  countedType(type)?.usage({ metadata: {}, ...object } as ApiObject);

const needs = (requests: object, limits?: object) => ({ resources: { requests, limits } });

t.test('a pod uses what its containers ask for together', async (t) => {
  const spec = {
    containers: [
      needs({ cpu: '250m', memory: '1Gi' }, { cpu: '1', memory: '2Gi' }),
      needs({ cpu: '750m', 'example.com/gpu': '2', 'hugepages-2Mi': '4Mi' }),
      {},
    ],
  };
  t.same(usageOf('pods', { spec }), {
    'count/pods': '1',
    pods: '1',
    cpu: '1',
    'requests.cpu': '1',
    'limits.cpu': '1',
    memory: '1Gi',
    'requests.memory': '1Gi',
    'limits.memory': '2Gi',
    'requests.example.com/gpu': '2',
    'hugepages-2Mi': '4Mi',
    'requests.hugepages-2Mi': '4Mi',
  });
});

t.test('or what one of its first containers asks for, if that is more', async (t) => {
  const spec = {
    containers: [needs({ cpu: '1', memory: '1Gi' })],
    initContainers: [needs({ cpu: '2' }), needs({ cpu: '1500m', memory: '512Mi' })],
    overhead: { cpu: '100m' },
  };
  const { cpu, memory, 'limits.cpu': limit } = usageOf('pods', { spec }) ?? {};
  t.same({ cpu, memory, limit }, { cpu: '2100m', memory: '1Gi', limit: '100m' });
});

t.test('a pod ends before it is gone', async (t) => {
  const endMs = (object: object) =>
    countedType('pods')?.ending?.endMs({ metadata: {}, ...object } as ApiObject);
  t.equal(endMs({ status: { phase: 'Running' } }), undefined);
  t.equal(endMs({ status: { phase: 'Succeeded' } }), 0);
  t.equal(endMs({ status: { phase: 'Failed' } }), 0);
  const deletionTimestamp = '2024-01-01T00:00:00Z';
  const metadata = { deletionTimestamp, deletionGracePeriodSeconds: 30 };
  t.equal(endMs({ metadata }), Date.parse('2024-01-01T00:00:30Z'));
});

t.test('services use node ports and load balancers', async (t) => {
  const ports = [{ nodePort: 30_000 }, {}];
  const rows: [spec: object, nodePorts: string, loadBalancers: string][] = [
    [{ type: 'ClusterIP', ports }, '0', '0'],
    [{ type: 'NodePort', ports }, '2', '0'],
    [{ type: 'LoadBalancer', ports }, '2', '1'],
    [{ type: 'LoadBalancer', ports, allocateLoadBalancerNodePorts: false }, '1', '1'],
    [{ type: 'ExternalName' }, '0', '0'],
  ];
  for (const [spec, nodePorts, loadBalancers] of rows) {
    const usage = {
      'count/services': '1',
      services: '1',
      'services.nodeports': nodePorts,
      'services.loadbalancers': loadBalancers,
    };
    t.same(usageOf('services', { spec }), usage, JSON.stringify(spec));
  }
});

t.test('claims use storage, of a class where they name one', async (t) => {
  const resources = { requests: { storage: '1001m' } };
  const all = { 'count/persistentvolumeclaims': '1', persistentvolumeclaims: '1' };
  t.same(usageOf('persistentvolumeclaims', { spec: {} }), all);
  t.same(usageOf('persistentvolumeclaims', { spec: { resources } }), {
    ...all,
    'requests.storage': '2',
  });
  const infix = '.storageclass.storage.cluster.io/';
  t.same(usageOf('persistentvolumeclaims', { spec: { resources, storageClassName: 'gold' } }), {
    ...all,
    'requests.storage': '2',
    [`gold${infix}requests.storage`]: '2',
    [`gold${infix}persistentvolumeclaims`]: '1',
  });
  const annotations = { 'volume.beta.cluster.io/storage-class': 'old' };
  const named = { metadata: { annotations }, spec: { storageClassName: 'gold' } };
  t.ok(usageOf('persistentvolumeclaims', named)?.[`old${infix}persistentvolumeclaims`]);
});

t.test('of all other types the number counts', async (t) => {
  t.same(usageOf('configmaps', {}), { 'count/configmaps': '1', configmaps: '1' });
  t.same(usageOf('widgets.example.com', {}), { 'count/widgets.example.com': '1' });
  t.same(usageOf('endpoints', {}), { 'count/endpoints': '1' });
  t.equal(countedType('events'), undefined);
  t.same(usageOf('events.events.cluster.io', {}), { 'count/events.events.cluster.io': '1' });
});

t.test('a quota is counted by the types that it names', async (t) => {
  const rows: [name: string, types: string[]][] = [
    ['cpu', ['pods']],
    ['limits.memory', ['pods']],
    ['requests.hugepages-2Mi', ['pods']],
    ['requests.example.com/gpu', ['pods']],
    ['count/pods', ['pods']],
    ['services.nodeports', ['services']],
    ['requests.storage', ['persistentvolumeclaims']],
    ['gold.storageclass.storage.cluster.io/requests.storage', ['persistentvolumeclaims']],
    ['configmaps', ['configmaps']],
    ['count/configmaps', ['configmaps']],
    ['count/widgets.example.com', ['widgets.example.com']],
    ['count/events', []],
    ['count/events.events.cluster.io', ['events.events.cluster.io']],
    ['example.com/gpu', []],
  ];
  for (const [name, types] of rows) t.same(typesUsing(name), types, name);
});

t.test('containers must say what a quota limits of processors and memory', async (t) => {
  const names = ['limits.cpu', 'requests.memory', 'requests.ephemeral-storage', 'pods'];
  const unsaid = (spec: object) =>
    countedType('pods')?.unsaid?.({ metadata: {}, spec } as ApiObject, names);
  t.equal(unsaid({ containers: [{}] }), 'limits.cpu,requests.memory');
  const said = needs({ memory: '1' }, { cpu: '1' });
  t.equal(unsaid({ containers: [said] }), '');
  const initContainers = [needs({}, { cpu: '1' })];
  t.equal(unsaid({ containers: [said], initContainers }), 'requests.memory');
});

t.test('scopes choose pods', async (t) => {
  const isIn = (quota: ResourceQuotaSpec, spec: object, type = 'pods'): boolean => {
    const scopes = countedType(type)?.scopes?.({ metadata: {}, spec } as ApiObject);
    return scopeRequirements(quota).every((scope) => isInScope(scope, scopes));
  };
  const byClass = (operator: string, values?: string[]): ResourceQuotaSpec => ({
    scopeSelector: {
      matchExpressions: [{ scopeName: 'PriorityClass', operator, ...(values && { values }) }],
    },
  });
  const term = { topologyKey: 'zone' };
  const across = { podAffinityTerm: { ...term, namespaces: ['b'] } };
  const preferred = { preferredDuringSchedulingIgnoredDuringExecution: [across] };
  const required = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
  const urgent = { priorityClassName: 'urgent' };
  const rows: [quota: ResourceQuotaSpec, spec: object, isIn: boolean][] = [
    [{}, {}, true],
    [{ scopes: ['Terminating'] }, { activeDeadlineSeconds: 0 }, true],
    [{ scopes: ['Terminating'] }, {}, false],
    [{ scopes: ['NotTerminating'] }, {}, true],
    [{ scopes: ['BestEffort'] }, { containers: [{}] }, true],
    [{ scopes: ['BestEffort'] }, { containers: [needs({ cpu: '1' })] }, false],
    [{ scopes: ['NotBestEffort'] }, { containers: [needs({ cpu: '1' })] }, true],
    [{ scopes: ['NotBestEffort', 'Terminating'] }, { containers: [needs({ cpu: '1' })] }, false],
    [{ scopes: ['PriorityClass'] }, urgent, true],
    [{ scopes: ['PriorityClass'] }, {}, false],
    [{ scopes: ['CrossNamespacePodAffinity'] }, { affinity: { podAffinity: required } }, false],
    [{ scopes: ['CrossNamespacePodAffinity'] }, { affinity: { podAffinity: preferred } }, true],
    [{ scopes: ['CrossNamespacePodAffinity'] }, { affinity: { podAntiAffinity: preferred } }, true],
    [byClass('In', ['urgent']), urgent, true],
    [byClass('In', ['calm']), urgent, false],
    [byClass('NotIn', ['calm']), urgent, true],
    [byClass('NotIn', ['calm']), {}, true],
    [byClass('DoesNotExist'), {}, true],
    [byClass('Exists'), {}, false],
  ];
  for (const [quota, spec, is] of rows) {
    t.equal(isIn(quota, spec), is, `${JSON.stringify(quota)}: ${JSON.stringify(spec)}`);
  }
  t.equal(isIn({ scopes: ['NotTerminating'] }, {}, 'services'), false, 'nothing but pods');
});
