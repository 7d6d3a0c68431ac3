import t from 'tap';
import {
  swapGroup,
  swapGroupVersion,
  swapManager,
  swapNamespace,
  swapObjectName,
  swapQualified,
  swapUser,
} from '../../../src/semantics/dialect/names.ts';

type Swap = (name: string) => string;
type Pair = readonly [neutral: string, k8s: string];

const GROUPS: readonly Pair[] = [
  'storage',
  'coordination',
  'events',
  'networking',
  'discovery',
  'rbac.authorization',
  'authorization',
  'authentication',
  'apiextensions',
  'apiregistration',
  'admissionregistration',
  'admission',
  'certificates',
  'scheduling',
  'node',
  'flowcontrol.apiserver',
  'internal.apiserver',
  'meta',
  'apidiscovery',
  'metrics',
  'audit',
].map((name) => [`${name}.cluster.io`, `${name}.k8s.io`]);

const QUALIFIED: readonly Pair[] = [
  ['cluster.io/metadata.name', 'kubernetes.io/metadata.name'],
  ['cluster.io/tls', 'kubernetes.io/tls'],
  ['cluster.io/', 'kubernetes.io/'],
  ['node-role.cluster.io/control-plane', 'node-role.kubernetes.io/control-plane'],
  ['topology.cluster.io/zone', 'topology.kubernetes.io/zone'],
  ['volume.beta.cluster.io/storage-class', 'volume.beta.kubernetes.io/storage-class'],
  ['bootstrap.cluster.io/token', 'bootstrap.kubernetes.io/token'],
  ['requests.cluster.io/batch', 'requests.kubernetes.io/batch'],
  ['node.cluster.io/not-ready', 'node.kubernetes.io/not-ready'],
  ['node.cluster.io/v1', 'node.k8s.io/v1'],
  ['node.cluster.io/v2beta1', 'node.k8s.io/v2beta1'],
  ['node.cluster.io/v', 'node.kubernetes.io/v'],
  [
    'client.cluster.io/last-applied-configuration',
    'kubectl.kubernetes.io/last-applied-configuration',
  ],
  ['kubectl.cluster.io/restartedAt', 'kubectl.kubernetes.io/restartedAt'],
  ['cluster.io/initial-events-end', 'k8s.io/initial-events-end'],
  ['cluster.io/component', 'k8s.io/component'],
  ['cluster.io/component', 'k8s.io/component'],
  ['cluster.io/deprecated', 'k8s.io/deprecated'],
  ['cluster.io/removed-release', 'k8s.io/removed-release'],
  [
    'rbac.authorization.cluster.io/aggregate-to-view',
    'rbac.authorization.k8s.io/aggregate-to-view',
  ],
  ['rbac.authorization.cluster.io/autoupdate', 'rbac.authorization.kubernetes.io/autoupdate'],
  [
    'gold.storageclass.storage.cluster.io/requests.storage',
    'gold.storageclass.storage.k8s.io/requests.storage',
  ],
  ['count/leases.coordination.cluster.io', 'count/leases.coordination.k8s.io'],
  ['customresourcecleanup.apiextensions.cluster.io', 'customresourcecleanup.apiextensions.k8s.io'],
];

const NAMESPACES: readonly Pair[] = [
  ['cluster-system', 'kube-system'],
  ['cluster-public', 'kube-public'],
  ['cluster-node-lease', 'kube-node-lease'],
];

const USERS: readonly Pair[] = [
  ['system:serviceaccount:cluster-system:default', 'system:serviceaccount:kube-system:default'],
  ['system:serviceaccounts:cluster-public', 'system:serviceaccounts:kube-public'],
];

const RULES: readonly (readonly [string, Swap, readonly Pair[], left: readonly string[]])[] = [
  [
    'groups',
    swapGroup,
    GROUPS,
    ['', 'apps', 'example.com', 'snapshot.storage.k8s.io', 'k8s.io', 'storage.kubernetes.io'],
  ],
  [
    'group versions',
    swapGroupVersion,
    GROUPS.map(([a, b]) => [`${a}/v1beta1`, `${b}/v1beta1`]),
    ['v1', 'apps/v1', 'example.com/v1', 'cluster.io/v1', 'storage.cluster.io'],
  ],
  [
    'qualified names',
    swapQualified,
    QUALIFIED,
    [
      'app',
      'cluster.io',
      'storage.cluster.io',
      'example.com/cluster.io',
      'mycluster.io/name',
      'csi.storage.k8s.io/fstype',
      'count/deployments.apps',
      'count/pods',
      'foregroundDeletion',
    ],
  ],
  [
    'names whose other spelling belongs to another name',
    swapQualified,
    [],
    [
      'kubernetes.io/deprecated',
      'kubernetes.io/initial-events-end',
      'kubernetes.io/component',
      'kubectl.cluster.io/last-applied-configuration',
      'client.kubernetes.io/last-applied-configuration',
      'node.kubernetes.io/v1',
      'rbac.authorization.kubernetes.io/aggregate-to-view',
      'gold.storageclass.storage.kubernetes.io/requests.storage',
    ],
  ],
  ['namespaces', swapNamespace, NAMESPACES, ['default', 'kube-system-2', 'kube', 'Kube-system']],
  [
    'managers',
    swapManager,
    [
      ['client', 'kubectl'],
      ['cluster-apiserver', 'kube-apiserver'],
      ['cluster-controller-manager', 'kube-controller-manager'],
    ],
    ['kubectl-edit', 'client-go', ''],
  ],
  ['users', swapUser, USERS, ['system:admin', 'kube-system', 'system:serviceaccount:kube-system']],
  [
    'names of namespaces',
    (name) => swapObjectName('Namespace', name),
    NAMESPACES,
    ['default', 'v1.storage.k8s.io'],
  ],
  [
    'names of API services',
    (name) => swapObjectName('APIService', name),
    [['v1.storage.cluster.io', 'v1.storage.k8s.io']],
    ['v1.', 'v1.apps', 'kube-system', 'v1.snapshot.storage.k8s.io'],
  ],
  [
    'names of definitions',
    (name) => swapObjectName('CustomResourceDefinition', name),
    [['nodes.metrics.cluster.io', 'nodes.metrics.k8s.io']],
    ['volumesnapshots.snapshot.storage.k8s.io', 'widgets.example.com'],
  ],
  [
    'names of storage versions',
    (name) => swapObjectName('StorageVersion', name),
    [['storage.cluster.io.csinodes', 'storage.k8s.io.csinodes']],
    ['core.pods', 'example.com.widgets', 'storage'],
  ],
  [
    'names of others',
    (name) => swapObjectName('ConfigMap', name),
    [],
    ['kube-system', 'v1.storage.k8s.io'],
  ],
];

for (const [rule, swap, pairs, left] of RULES) {
  t.test(`${rule} swap both ways, others are left`, async (t) => {
    for (const [neutral, k8s] of pairs) {
      t.equal(swap(neutral), k8s, neutral);
      t.equal(swap(k8s), neutral, k8s);
    }
    for (const name of left) t.equal(swap(name), name, name);
  });
}
