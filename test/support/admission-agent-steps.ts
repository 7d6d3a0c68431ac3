/** Agents write these, and are refused these. */
import { named } from './admission-steps.ts';
import type { Step, UidOf } from './admission-steps.ts';

const NAMESPACE = 'steps';
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;
const CONFIG_MAPS = `/api/v1/namespaces/${NAMESPACE}/configmaps`;
const CLAIMS = `/api/v1/namespaces/${NAMESPACE}/persistentvolumeclaims`;
const ACCOUNT_TOKENS = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/a/token`;
const NODES = '/api/v1/nodes';
const DRIVERS = '/apis/storage.cluster.io/v1/csinodes';
const NODE = 'system:node:n';

function podOn(nodeName: string, name: string, metadata: object = {}, spec: object = {}) {
  return {
    metadata: { name, ...metadata },
    spec: { nodeName, containers: [{ name: 'c', image: 'i' }], ...spec },
  };
}

export function agentSteps(): readonly Step[] {
  const agents = {
    metadata: { name: 'steps-agents' },
    roleRef: {
      apiGroup: 'rbac.authorization.cluster.io',
      kind: 'ClusterRole',
      name: 'cluster-admin',
    },
    subjects: [{ apiGroup: 'rbac.authorization.cluster.io', kind: 'Group', name: 'system:nodes' }],
  };
  const bindings = '/apis/rbac.authorization.cluster.io/v1/clusterrolebindings';
  const leases = '/apis/coordination.cluster.io/v1/namespaces';
  return [
    { what: 'a namespace', send: 'POST /api/v1/namespaces', body: named(NAMESPACE), code: 201 },
    {
      what: 'an account',
      send: `POST /api/v1/namespaces/${NAMESPACE}/serviceaccounts`,
      body: named('a'),
      code: 201,
    },
    { what: 'agents may do everything', send: `POST ${bindings}`, body: agents, code: 201 },
    {
      what: 'an agent of no node',
      as: 'system:node:',
      send: `POST ${CONFIG_MAPS}`,
      body: named('x'),
      code: 403,
      message: 'could not determine node from user "system:node:"',
    },
    {
      what: 'what is nobody’s own',
      as: NODE,
      send: `POST ${CONFIG_MAPS}`,
      body: named('x'),
      code: 201,
    },
    ...nodeSteps(),
    ...mirrorSteps(),
    ...podSteps(),
    ...claimSteps(),
    {
      what: 'its lease',
      as: NODE,
      send: `POST ${leases}/cluster-node-lease/leases`,
      body: named('n'),
      code: 201,
    },
    {
      what: 'the lease of another node',
      as: NODE,
      send: `POST ${leases}/cluster-node-lease/leases`,
      body: named('o'),
      code: 403,
      message: 'can only access node lease with the same name as the requesting node',
    },
    {
      what: 'a lease elsewhere',
      as: NODE,
      send: `POST ${leases}/${NAMESPACE}/leases`,
      body: named('n'),
      code: 403,
      message: 'can only access leases in the "cluster-node-lease" system namespace',
    },
    {
      what: 'its drivers',
      as: NODE,
      send: `POST ${DRIVERS}`,
      body: { ...named('n'), spec: { drivers: [] } },
      code: 201,
    },
    {
      what: 'the drivers of another node',
      as: NODE,
      send: `POST ${DRIVERS}`,
      body: { ...named('o'), spec: { drivers: [] } },
      code: 403,
      message: 'can only access CSINode with the same name as the requesting node',
    },
  ];
}

function nodeSteps(): Step[] {
  const labels = (...keys: string[]) => ({ labels: Object.fromEntries(keys.map((k) => [k, 'x'])) });
  return [
    {
      what: 'a node with labels that keep nodes apart',
      as: NODE,
      send: `POST ${NODES}`,
      body: { metadata: { name: 'n', ...labels('node-restriction.cluster.io/a', 'cluster.io/b') } },
      code: 403,
      message:
        'node "n" is not allowed to set the following labels: ' +
        'cluster.io/b, node-restriction.cluster.io/a',
    },
    {
      what: 'a node with settings from elsewhere',
      as: NODE,
      send: `POST ${NODES}`,
      body: { ...named('n'), spec: { configSource: { configMap: { name: 'c' } } } },
      code: 403,
      message: 'node "n" is not allowed to create pods with a non-nil configSource',
    },
    {
      what: 'its node',
      as: NODE,
      send: `POST ${NODES}`,
      body: {
        metadata: { name: 'n', ...labels('a', 'cluster.io/hostname', 'kubelet.cluster.io/a') },
      },
      code: 201,
    },
    {
      what: 'another node',
      as: NODE,
      send: `POST ${NODES}`,
      body: named('o'),
      code: 403,
      message: 'node "n" is not allowed to modify node "o"',
    },
    {
      what: 'a node whose name the server chooses',
      as: NODE,
      send: `POST ${NODES}`,
      body: { metadata: { generateName: 'n' } },
      code: 403,
      message: 'node "n" is not allowed to modify node ""',
    },
    {
      what: 'its taints',
      as: NODE,
      send: `PATCH ${NODES}/n`,
      body: { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } },
      code: 403,
      message: 'node "n" is not allowed to modify taints',
    },
    {
      what: 'its taints through the status, which does not change them',
      as: NODE,
      send: `PATCH ${NODES}/n/status`,
      body: { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } },
      code: 403,
      message: 'node "n" is not allowed to modify taints',
    },
    {
      what: 'its labels',
      as: NODE,
      send: `PATCH ${NODES}/n/status`,
      body: { metadata: labels('topology.cluster.io/zone', 'topology.cluster.io/else') },
      code: 403,
      message: 'is not allowed to modify labels: topology.cluster.io/else',
    },
    {
      what: 'its status',
      as: NODE,
      send: `PATCH ${NODES}/n/status`,
      body: { metadata: labels('topology.cluster.io/zone'), status: { phase: 'Running' } },
      code: 200,
    },
    { what: 'another node', send: `POST ${NODES}`, body: named('o'), code: 201 },
    {
      what: 'the end of another node',
      as: NODE,
      send: `DELETE ${NODES}/o`,
      code: 403,
      message: 'node "n" is not allowed to modify node "o"',
    },
  ];
}

function mirrorSteps(): Step[] {
  const annotations = { 'cluster.io/config.mirror': 'x' };
  const mirror = (uid: string, spec: object = {}) => {
    const owner = { apiVersion: 'v1', kind: 'Node', name: 'n', uid, controller: true };
    return podOn('n', 'mirror', { annotations, ownerReferences: [owner] }, spec);
  };
  const asNode = { as: NODE, send: `POST ${PODS}` };
  return [
    {
      what: 'a pod that mirrors nothing',
      ...asNode,
      body: podOn('n', 'p'),
      code: 403,
      message:
        'pod does not have "cluster.io/config.mirror" annotation, ' +
        'node "n" can only create mirror pods',
    },
    {
      what: 'a mirror on another node',
      ...asNode,
      body: podOn('o', 'p', { annotations }),
      code: 403,
      message: 'node "n" can only create pods with spec.nodeName set to itself',
    },
    {
      what: 'a mirror of nobody',
      ...asNode,
      body: podOn('n', 'p', { annotations }),
      code: 403,
      message: 'node "n" can only create pods with an owner reference set to itself',
    },
    {
      what: 'a mirror of a node that was',
      ...asNode,
      body: mirror('other'),
      code: 403,
      message: (uidOf) => `node n UID mismatch: expected other got ${uidOf('n')}`,
    },
    {
      what: 'a mirror that reads secrets',
      ...asNode,
      body: (uidOf) => mirror(uidOf('n'), { imagePullSecrets: [{ name: 's' }] }),
      code: 403,
      message: 'node "n" can not create pods that reference secrets',
    },
    { what: 'a mirror', ...asNode, body: (uidOf) => mirror(uidOf('n')), code: 201 },
  ];
}

function podSteps(): Step[] {
  const evict = (name: string) => ({
    send: `POST ${PODS}/${name}/eviction`,
    body: { apiVersion: 'policy/v1', kind: 'Eviction', ...named(name) },
  });
  const token = (name: string) => (uidOf: UidOf) => ({
    apiVersion: 'authentication.cluster.io/v1',
    kind: 'TokenRequest',
    spec: { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid: uidOf(name) } },
  });
  return [
    { what: 'a pod on it', send: `POST ${PODS}`, body: podOn('n', 'own'), code: 201 },
    { what: 'a pod elsewhere', send: `POST ${PODS}`, body: podOn('o', 'foreign'), code: 201 },
    {
      what: 'labels of a pod',
      as: NODE,
      send: `PATCH ${PODS}/own`,
      body: { metadata: { labels: { a: 'b' } } },
      code: 403,
      message: 'unexpected operation "UPDATE", node "n" can only create and delete mirror pods',
    },
    {
      what: 'labels through the status',
      as: NODE,
      send: `PATCH ${PODS}/own/status`,
      body: { metadata: { labels: { a: 'b' } } },
      code: 403,
      message: 'node "n" cannot update labels through pod status',
    },
    {
      what: 'the status',
      as: NODE,
      send: `PATCH ${PODS}/own/status`,
      body: { status: { phase: 'Running' } },
      code: 200,
    },
    {
      what: 'the status elsewhere',
      as: NODE,
      send: `PATCH ${PODS}/foreign/status`,
      body: { status: { phase: 'Running' } },
      code: 403,
      message: 'node "n" can only update pod status for pods with spec.nodeName set to itself',
    },
    {
      what: 'a binding',
      as: NODE,
      send: `POST ${PODS}/own/binding`,
      body: {
        apiVersion: 'v1',
        kind: 'Binding',
        ...named('own'),
        target: { kind: 'Node', name: 'n' },
      },
      code: 403,
      message: `unexpected pod subresource "binding", only 'status' and 'eviction' are allowed`,
    },
    {
      what: 'a token of a pod',
      as: NODE,
      send: `POST ${ACCOUNT_TOKENS}`,
      body: { apiVersion: 'authentication.cluster.io/v1', kind: 'TokenRequest', spec: {} },
      code: 403,
      message: 'node requested token not bound to a pod',
    },
    {
      what: 'a token of a pod elsewhere',
      as: NODE,
      send: `POST ${ACCOUNT_TOKENS}`,
      body: token('foreign'),
      code: 403,
      message: 'node requested token bound to a pod scheduled on a different node',
    },
    {
      what: 'eviction of a pod elsewhere',
      as: NODE,
      ...evict('foreign'),
      code: 403,
      message: 'node n can only evict pods with spec.nodeName set to itself',
    },
    { what: 'eviction of its pod', as: NODE, ...evict('own'), code: 201 },
    {
      what: 'the end of a pod elsewhere',
      as: NODE,
      send: `DELETE ${PODS}/foreign`,
      code: 403,
      message: 'node "n" can only delete pods with spec.nodeName set to itself',
    },
    {
      what: 'the end of its pod',
      as: NODE,
      send: `DELETE ${PODS}/mirror?gracePeriodSeconds=0`,
      code: 200,
    },
  ];
}

function claimSteps(): Step[] {
  const claim = {
    ...named('c'),
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  };
  return [
    { what: 'a claim', send: `POST ${CLAIMS}`, body: claim, code: 201 },
    {
      what: 'how far it has grown',
      as: NODE,
      send: `PATCH ${CLAIMS}/c/status`,
      body: {
        status: { capacity: { storage: '2Gi' }, conditions: [{ type: 'x', status: 'True' }] },
      },
      code: 200,
    },
    {
      what: 'the claim',
      as: NODE,
      send: `PATCH ${CLAIMS}/c`,
      body: { metadata: { labels: { a: 'b' } } },
      code: 403,
      message: 'may only update PVC status',
    },
  ];
}
