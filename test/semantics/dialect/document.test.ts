import t from 'tap';
import { swapDocument, swapJsonPatch } from '../../../src/semantics/dialect/json-edits.ts';
import { CUSTOM_KIND } from '../../../src/semantics/dialect/places.ts';

type Row = readonly [rule: string, kind: string, neutral: string, k8s: string];

const NAMESPACE_NEUTRAL =
  '{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"cluster-system",' +
  '"labels":{"cluster.io/metadata.name":"cluster-system","a":"kube-system"}},' +
  '"spec":{"finalizers":["cluster","cluster.io/x"]}}';
const NAMESPACE_K8S =
  '{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"kube-system",' +
  '"labels":{"kubernetes.io/metadata.name":"kube-system","a":"kube-system"}},' +
  '"spec":{"finalizers":["kubernetes","kubernetes.io/x"]}}';
const FIELDS_NEUTRAL =
  '"metadata":{"managedFields":[{"manager":"client","apiVersion":"node.cluster.io/v1","fieldsV1":' +
  '{"f:metadata":{"f:labels":{"f:cluster.io/os":{}},"f:finalizers":{"v:\\"cluster.io/a\\"":{}}},' +
  '"f:spec":{"k:{\\"key\\":\\"node.cluster.io/x\\",\\"effect\\":\\"cluster.io/x\\"}":{}}}}]}}';
const FIELDS_K8S =
  '"metadata":{"managedFields":[{"manager":"kubectl","apiVersion":"node.k8s.io/v1","fieldsV1":' +
  '{"f:metadata":{"f:labels":{"f:kubernetes.io/os":{}},"f:finalizers":{"v:\\"kubernetes.io/a\\"":{}}},' +
  '"f:spec":{"k:{\\"key\\":\\"node.kubernetes.io/x\\",\\"effect\\":\\"cluster.io/x\\"}":{}}}}]}}';

const applied = (key: string, text: string) =>
  JSON.stringify({ metadata: { annotations: { [key]: text, other: text } } });
const other = (key: string, text: string, left: string) =>
  JSON.stringify({ metadata: { annotations: { [key]: text, other: left } } });
const NEUTRAL_KEY = 'client.cluster.io/last-applied-configuration';
const K8S_KEY = 'kubectl.kubernetes.io/last-applied-configuration';
const APPLIED = '{"kind":"Lease","apiVersion":"coordination.cluster.io/v1"}\n';
const APPLIED_K8S = '{"kind":"Lease","apiVersion":"coordination.k8s.io/v1"}\n';
/** Members of a custom object are not the API's, whatever they are called. */
const CUSTOM_DATA =
  '"cluster.io/a":1,"spec":{"namespace":"cluster-system","finalizers":["cluster.io/b"],' +
  '"selector":{"cluster.io/c":"d"}},"items":[{"metadata":{"namespace":"kube-system"}}]';
const CUSTOM_FIELDS =
  '"f:cluster.io/a":{},"f:spec":{"f:selector":{"f:cluster.io/c":{}},"v:\\"cluster.io/b\\"":{}}';
const CUSTOM_APPLIED = `{"kind":"Service","apiVersion":"metrics.cluster.io/v1",${CUSTOM_DATA}}`;
const CUSTOM_NEUTRAL =
  '"metadata":{"labels":{"cluster.io/os":"linux"},"namespace":"cluster-system",' +
  `"annotations":${JSON.stringify({ [NEUTRAL_KEY]: CUSTOM_APPLIED })},` +
  '"managedFields":[{"manager":"client","apiVersion":"metrics.cluster.io/v1","fieldsV1":' +
  `{"f:metadata":{"f:labels":{"f:cluster.io/os":{}}},${CUSTOM_FIELDS}}}]},${CUSTOM_DATA}}`;
const CUSTOM_APPLIED_K8S = CUSTOM_APPLIED.replace('metrics.cluster.io', 'metrics.k8s.io');
const CUSTOM_K8S =
  '"metadata":{"labels":{"kubernetes.io/os":"linux"},"namespace":"kube-system",' +
  `"annotations":${JSON.stringify({ [K8S_KEY]: CUSTOM_APPLIED_K8S })},` +
  '"managedFields":[{"manager":"kubectl","apiVersion":"metrics.k8s.io/v1","fieldsV1":' +
  `{"f:metadata":{"f:labels":{"f:kubernetes.io/os":{}}},${CUSTOM_FIELDS}}}]},${CUSTOM_DATA}}`;
const APPLIED_NAMESPACE = '{"kind":"Namespace","spec":{"finalizers":["cluster"]}}';
const APPLIED_SPELLED = '{"metadata":{"labels":{"cluster.io\\/os":"\\u00e9<é","a\\"b":""}}}';
const APPLIED_LEFT = '{"metadata":{"namespace":"clust\\u0065r-system"}}';

/** Several rows share these: a member with a value, in both dialects. */
const MEMBERS: readonly Row[] = (
  [
    ['apiVersion', 'storage.cluster.io/v1', 'storage.k8s.io/v1'],
    ['apiGroup', 'rbac.authorization.cluster.io', 'rbac.authorization.k8s.io'],
    ['group', 'storage.cluster.io', 'storage.k8s.io'],
    ['groupVersion', 'storage.cluster.io/v1', 'storage.k8s.io/v1'],
    ['key', 'node.cluster.io/not-ready', 'node.kubernetes.io/not-ready'],
    ['topologyKey', 'cluster.io/hostname', 'kubernetes.io/hostname'],
    ['signerName', 'cluster.io/legacy-unknown', 'kubernetes.io/legacy-unknown'],
    ['provisioner', 'cluster.io/no-provisioner', 'kubernetes.io/no-provisioner'],
    ['namespace', 'cluster-system', 'kube-system'],
    ['username', 'system:serviceaccount:cluster-system:a', 'system:serviceaccount:kube-system:a'],
    ['user', 'system:serviceaccount:cluster-system:a', 'system:serviceaccount:kube-system:a'],
  ] as const
).map(([name, neutral, k8s]) => [
  name,
  'Pod',
  `{"spec":{"${name}":"${neutral}"}}`,
  `{"spec":{"${name}":"${k8s}"}}`,
]);
const LISTS: readonly Row[] = (
  [
    ['apiGroups', 'storage.cluster.io', 'storage.k8s.io'],
    ['finalizers', 'cluster.io/pvc-protection', 'kubernetes.io/pvc-protection'],
    ['topologyKeys', 'topology.cluster.io/zone', 'topology.kubernetes.io/zone'],
    ['namespaces', 'cluster-system', 'kube-system'],
    ['groups', 'system:serviceaccounts:cluster-system', 'system:serviceaccounts:kube-system'],
    ['$deleteFromPrimitiveList/finalizers', 'cluster.io/a', 'kubernetes.io/a'],
  ] as const
).map(([name, neutral, k8s]) => [
  name,
  'Pod',
  `{"spec":{"${name}":["a", "${neutral}"]}}`,
  `{"spec":{"${name}":["a", "${k8s}"]}}`,
]);

const ROWS: readonly Row[] = [
  ...MEMBERS,
  ...LISTS,
  ['a namespace', 'Namespace', NAMESPACE_NEUTRAL, NAMESPACE_K8S],
  [
    'a list of any kind',
    'List',
    `{"items":[${NAMESPACE_NEUTRAL}]}`,
    `{"items":[${NAMESPACE_K8S}]}`,
  ],
  ['a list', 'NamespaceList', `{"items":[${NAMESPACE_NEUTRAL}]}`, `{"items":[${NAMESPACE_K8S}]}`],
  [
    'an event of a watch',
    'WatchEvent',
    `{"type":"ADDED","object":${NAMESPACE_NEUTRAL}}`,
    `{"type":"ADDED","object":${NAMESPACE_K8S}}`,
  ],
  ['stored members', 'Namespace', NAMESPACE_NEUTRAL.slice(1), NAMESPACE_K8S.slice(1)],
  [
    'a table',
    'Namespace',
    `{"kind":"Table","rows":[{"cells":["cluster-system",1],"object":${NAMESPACE_NEUTRAL}}]}`,
    `{"kind":"Table","rows":[{"cells":["kube-system",1],"object":${NAMESPACE_K8S}}]}`,
  ],
  ['managed fields', 'Pod', FIELDS_NEUTRAL, FIELDS_K8S],
  ['a custom object', CUSTOM_KIND, CUSTOM_NEUTRAL, CUSTOM_K8S],
  [
    'numbers and spelling',
    'Pod',
    ' { "a":1.0e+2,"namespace" :\n"cluster-system","é":"\\u003c\\/" , "b":[1,-0.0]}\n',
    ' { "a":1.0e+2,"namespace" :\n"kube-system","é":"\\u003c\\/" , "b":[1,-0.0]}\n',
  ],
  [
    'names spelled with escapes',
    'Pod',
    '{"met\\u0061data":{"labels":{"cluster.io\\/\\u00e9":"cluster.io/x"}}}',
    '{"met\\u0061data":{"labels":{"kubernetes.io\\/\\u00e9":"cluster.io/x"}}}',
  ],
  [
    'values of labels and annotations',
    'Pod',
    '{"metadata":{"annotations":{"cluster.io/a":"cluster.io/b","namespace":"cluster-system"}}}',
    '{"metadata":{"annotations":{"kubernetes.io/a":"cluster.io/b","namespace":"cluster-system"}}}',
  ],
  [
    'the key without a slash',
    'CustomResourceDefinition',
    '{"metadata":{"name":"nodes.metrics.cluster.io","annotations":{"api-approved.cluster.io":""}}}',
    '{"metadata":{"name":"nodes.metrics.k8s.io","annotations":{"api-approved.kubernetes.io":""}}}',
  ],
  [
    'names of members of maps',
    'ResourceQuota',
    '{"spec":{"hard":{"count/leases.coordination.cluster.io":"1","requests.cluster.io/a":"1"}}}',
    '{"spec":{"hard":{"count/leases.coordination.k8s.io":"1","requests.kubernetes.io/a":"1"}}}',
  ],
  [
    'names of objects',
    'ConfigMap',
    '{"metadata":{"name":"cluster-system","namespace":"cluster-system"}}',
    '{"metadata":{"name":"cluster-system","namespace":"kube-system"}}',
  ],
  [
    'data',
    'ConfigMap',
    '{"data":{"cluster.io/a":"cluster.io/a","namespace":"kube-system"},"namespace":"cluster-system"}',
    '{"data":{"cluster.io/a":"cluster.io/a","namespace":"kube-system"},"namespace":"kube-system"}',
  ],
  [
    'the type of secrets',
    'Secret',
    '{"type":"cluster.io/tls","stringData":{"key":"cluster.io/tls"}}',
    '{"type":"kubernetes.io/tls","stringData":{"key":"cluster.io/tls"}}',
  ],
  [
    'the type of others',
    'Node',
    '{"status":{"conditions":[{"type":"cluster.io/tls","kind":"client.cluster.io"}]}}',
    '{"status":{"conditions":[{"type":"cluster.io/tls","kind":"client.cluster.io"}]}}',
  ],
  [
    'references to namespaces, whatever comes first',
    'Event',
    '{"involvedObject":{"name":"cluster-system","kind":"Namespace"},"related":{"kind":"Namespace",' +
      '"name":"cluster-public"},"a":{"kind":"Pod","name":"cluster-system"}}',
    '{"involvedObject":{"name":"kube-system","kind":"Namespace"},"related":{"kind":"Namespace",' +
      '"name":"kube-public"},"a":{"kind":"Pod","name":"cluster-system"}}',
  ],
  [
    'resource names of rules',
    'Role',
    '{"rules":[{"resourceNames":["cluster-system","cluster.io/a"],"resources":["namespaces"]},' +
      '{"resources":["configmaps"],"resourceNames":["cluster-system"]}]}',
    '{"rules":[{"resourceNames":["kube-system","kubernetes.io/a"],"resources":["namespaces"]},' +
      '{"resources":["configmaps"],"resourceNames":["cluster-system"]}]}',
  ],
  [
    'subjects, but not roles',
    'RoleBinding',
    '{"roleRef":{"name":"system:serviceaccounts:cluster-system"},' +
      '"subjects":[{"name":"system:serviceaccounts:cluster-system","namespace":"cluster-public"}]}',
    '{"roleRef":{"name":"system:serviceaccounts:cluster-system"},' +
      '"subjects":[{"name":"system:serviceaccounts:kube-system","namespace":"kube-public"}]}',
  ],
  [
    'cluster roles that are named after a group',
    'ClusterRoleBinding',
    '{"metadata":{"name":"system:certificates.cluster.io:a"},' +
      '"roleRef":{"name":"system:certificates.cluster.io:a:b"}}',
    '{"metadata":{"name":"system:certificates.cluster.io:a"},' +
      '"roleRef":{"name":"system:certificates.k8s.io:a:b"}}',
  ],
  [
    'their own names',
    'ClusterRole',
    '{"metadata":{"name":"system:certificates.cluster.io:a"}}',
    '{"metadata":{"name":"system:certificates.k8s.io:a"}}',
  ],
  [
    'selectors of namespaces',
    'NetworkPolicy',
    '{"spec":{"a":{"matchExpressions":[{"values":["cluster-system"],"key":"cluster.io/metadata.name"},' +
      '{"key":"cluster.io/a","values":["cluster-system"]}]}}}',
    '{"spec":{"a":{"matchExpressions":[{"values":["kube-system"],"key":"kubernetes.io/metadata.name"},' +
      '{"key":"kubernetes.io/a","values":["cluster-system"]}]}}}',
  ],
  [
    'messages',
    'Status',
    '{"message":"leases.coordination.cluster.io \\"a\\"\\ncluster-system",' +
      '"details":{"group":"coordination.cluster.io","causes":[{"message":"cluster.io/tls"}]}}',
    '{"message":"leases.coordination.k8s.io \\"a\\"\\nkube-system",' +
      '"details":{"group":"coordination.k8s.io","causes":[{"message":"kubernetes.io/tls"}]}}',
  ],
  [
    'custom resources, whose schema is their own',
    'Widget',
    '{"apiVersion":"metrics.cluster.io/v1","metadata":{"labels":{"cluster.io/a":""}},' +
      '"spec":{"namespace":"kube-system","kubernetes.io/a":{"key":"cluster.io/a"}}}',
    '{"apiVersion":"metrics.k8s.io/v1","metadata":{"labels":{"kubernetes.io/a":""}},' +
      '"spec":{"namespace":"kube-system","kubernetes.io/a":{"key":"cluster.io/a"}}}',
  ],
  [
    'schemas',
    'CustomResourceDefinition',
    '{"spec":{"group":"storage.cluster.io","versions":[{"schema":{"cluster.io/a":"kube-system"}}]}}',
    '{"spec":{"group":"storage.k8s.io","versions":[{"schema":{"cluster.io/a":"kube-system"}}]}}',
  ],
  [
    'groups',
    'APIGroupList',
    '{"groups":[{"name":"storage.cluster.io","versions":[{"groupVersion":"storage.cluster.io/v1"}]}]}',
    '{"groups":[{"name":"storage.k8s.io","versions":[{"groupVersion":"storage.k8s.io/v1"}]}]}',
  ],
  [
    'selectors that are texts',
    'Scale',
    '{"status":{"selector":"app=a,cluster.io/os=linux"}}',
    '{"status":{"selector":"app=a,kubernetes.io/os=linux"}}',
  ],
  [
    'paths',
    'ClusterRole',
    '{"rules":[{"nonResourceURLs":["/apis/storage.cluster.io/*","/healthz","/apis/*"]}]}',
    '{"rules":[{"nonResourceURLs":["/apis/storage.k8s.io/*","/healthz","/apis/*"]}]}',
  ],
  [
    'paths that are asked for',
    'SubjectAccessReview',
    '{"spec":{"nonResourceAttributes":{"path":"/apis/node.cluster.io"},"path":"/apis/node.k8s.io"}}',
    '{"spec":{"nonResourceAttributes":{"path":"/apis/node.k8s.io"},"path":"/apis/node.k8s.io"}}',
  ],
  ['applied', 'Lease', applied(NEUTRAL_KEY, APPLIED), other(K8S_KEY, APPLIED_K8S, APPLIED)],
  [
    'applied namespaces',
    'Namespace',
    applied(NEUTRAL_KEY, APPLIED_NAMESPACE),
    other(K8S_KEY, APPLIED_NAMESPACE.replace('cluster', 'kubernetes'), APPLIED_NAMESPACE),
  ],
  [
    'applied with escapes',
    'Pod',
    applied(NEUTRAL_KEY, APPLIED_SPELLED),
    other(K8S_KEY, APPLIED_SPELLED.replace('cluster', 'kubernetes'), APPLIED_SPELLED),
  ],
  [
    'applied with names spelled with escapes, which would be lost',
    'Pod',
    applied(NEUTRAL_KEY, APPLIED_LEFT),
    applied(K8S_KEY, APPLIED_LEFT),
  ],
];

for (const [rule, kind, neutral, k8s] of ROWS) {
  t.test(`in a document: ${rule}`, async (t) => {
    t.equal(swapDocument(kind, neutral), k8s);
    t.equal(swapDocument(kind, k8s), neutral);
  });
}

t.test('names spelled with escapes swap by what they say', async (t) => {
  const text =
    '{"metadata":{"namespace":"kube-syst\\u0065m","labels":{"k\\u0075bernetes.io/a":""}}}';
  t.equal(
    swapDocument('Pod', text),
    '{"metadata":{"namespace":"cluster-syst\\u0065m","labels":{"cluster.io/a":""}}}',
  );
});

t.test('what holds nothing to swap stays as it is', async (t) => {
  const text = '{"metadata":{"name":"kube-root-ca","labels":{"a.io/b":"client-go"}}}';
  t.equal(swapDocument('ConfigMap', text), text);
  const left = '{"metadata":{"name":"kube-system"}}';
  t.equal(swapDocument('ConfigMap', left), left, 'also when it is read');
});

const PATCHES: readonly Row[] = [
  [
    'pointers',
    'Node',
    '[{"op":"move","from":"/metadata/labels/cluster.io~1os","path":"/metadata/labels/a~0b~1c"}]',
    '[{"op":"move","from":"/metadata/labels/kubernetes.io~1os","path":"/metadata/labels/a~0b~1c"}]',
  ],
  [
    'a value before its path',
    'Pod',
    '[{"value":"cluster.io/a","path":"/metadata/finalizers/-","op":"add"}]',
    '[{"value":"kubernetes.io/a","path":"/metadata/finalizers/-","op":"add"}]',
  ],
  [
    'a map, and a value of it',
    'Pod',
    '[{"path":"/metadata/labels","value":{"cluster.io/a":"cluster.io/a"}},' +
      '{"path":"/metadata/annotations/cluster.io~1a","value":"cluster.io/a"},' +
      '{"path":"/metadata/labels/cluster.io~1metadata.name","value":"cluster-system"}]',
    '[{"path":"/metadata/labels","value":{"kubernetes.io/a":"cluster.io/a"}},' +
      '{"path":"/metadata/annotations/kubernetes.io~1a","value":"cluster.io/a"},' +
      '{"path":"/metadata/labels/kubernetes.io~1metadata.name","value":"kube-system"}]',
  ],
  [
    'an item',
    'Node',
    '[{"path":"/spec/taints/0","value":{"key":"node.cluster.io/a"}},{"path":"/spec/taints/0/key","value":"cluster.io/a"}]',
    '[{"path":"/spec/taints/0","value":{"key":"node.kubernetes.io/a"}},{"path":"/spec/taints/0/key","value":"kubernetes.io/a"}]',
  ],
  [
    'the whole',
    'Namespace',
    `[{"path":"","value":${NAMESPACE_NEUTRAL}},{"path":"/spec/finalizers","value":["cluster"]}]`,
    `[{"path":"","value":${NAMESPACE_K8S}},{"path":"/spec/finalizers","value":["kubernetes"]}]`,
  ],
  [
    'what is opaque',
    'ConfigMap',
    '[{"path":"/data/cluster.io~1a","value":"cluster.io/a"},{"path":"/data","value":{"key":"cluster.io/a"}}]',
    '[{"path":"/data/cluster.io~1a","value":"cluster.io/a"},{"path":"/data","value":{"key":"cluster.io/a"}}]',
  ],
  [
    'names on both sides of an escape',
    'Pod',
    '[{"path":"/spec/a.cluster.io~1b/\\"/c.cluster.io~1d"}]',
    '[{"path":"/spec/a.cluster.io~1b/\\"/c.cluster.io~1d"}]',
  ],
  [
    'pointers that are not valid',
    'Pod',
    '[{"path":"/metadata/labels/cluster.io~1~2","value":1},{"path":7},{"path":"cluster.io/a"},7]',
    '[{"path":"/metadata/labels/cluster.io~1~2","value":1},{"path":7},{"path":"cluster.io/a"},7]',
  ],
];

for (const [rule, kind, neutral, k8s] of PATCHES) {
  t.test(`in a JSON patch: ${rule}`, async (t) => {
    t.equal(swapJsonPatch(kind, neutral), k8s);
    t.equal(swapJsonPatch(kind, k8s), neutral);
  });
}
