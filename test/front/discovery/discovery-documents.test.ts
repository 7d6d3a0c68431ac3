/** The documents of discovery: all that is served and nothing else. */
import t from 'tap';
import { discoveryDocuments } from '../../../src/front/discovery/discovery-documents.ts';
import type {
  ApiGroupList,
  ApiResourceList,
  DiscoveryDocument,
} from '../../../src/front/discovery/discovery-documents.ts';
import { enabledTypes } from '../../../src/types/runtime-config.ts';
import { BUILT_IN_TYPES as TYPES } from '../../../src/types/served-types.ts';
import { VIRTUAL_KINDS } from '../../../src/resources/virtual-kinds.ts';
import { RESOURCES } from '../../support/resources.ts';

const ADDRESS = '127.0.0.1:6443';
const ALL_VERBS = 'create,delete,deletecollection,get,list,patch,update,watch';

type Documents = ReadonlyMap<string, DiscoveryDocument>;

function documentsWith(runtimeConfig: string): Documents {
  return discoveryDocuments(
    { types: enabledTypes(TYPES, runtimeConfig), virtualKinds: VIRTUAL_KINDS },
    ADDRESS,
  );
}

function resourceLists(documents: Documents): ApiResourceList[] {
  return [...documents.values()].filter((document) => document.kind === 'APIResourceList');
}

/** Each group with its versions: `batch v1 v1beta1`. */
function groupsOf(documents: Documents): string[] {
  const { groups } = documents.get('/apis') as ApiGroupList;
  return groups.map(({ name, versions }) =>
    [name, ...versions.map(({ version }) => version)].join(' '),
  );
}

/** `v1 pods/exec` and what the table says of it. */
type Line = readonly [resource: string, ...facts: unknown[]];

function discoveredLines(): Line[] {
  return resourceLists(DOCUMENTS).flatMap(({ groupVersion, resources }) =>
    resources.map(({ name, kind, namespaced, verbs, shortNames, categories }): Line => [
      `${groupVersion} ${name}`,
      kind,
      namespaced,
      verbs.join(','),
      shortNames,
      categories,
    ]),
  );
}

/** The verbs that discovery names for the methods of a connection. */
function verbsOf(verbs: string): string {
  if (verbs === 'all') return ALL_VERBS;
  if (!verbs.startsWith('connect:')) return verbs;
  return verbs.includes('put') ? 'create,delete,get,patch,update' : 'create,get';
}

const sorted = (lines: readonly Line[]): Line[] =>
  lines.toSorted(([one], [other]) => (one < other ? -1 : 1));
const listed = (text: string): string[] | undefined => (text === '' ? undefined : text.split(','));

const DOCUMENTS = documentsWith('api/alpha');

t.test('every row of the table, and no other', async (t) => {
  const expected = RESOURCES.map(
    ([version, resource, kind, scope, verbs, shortNames = '', categories = '']): Line => [
      `${version} ${resource}`,
      kind,
      scope === 'namespaced',
      verbsOf(verbs),
      listed(shortNames),
      listed(categories),
    ],
  );
  t.strictSame(sorted(discoveredLines()), sorted(expected));
});

t.test('resources are sorted by name, and have no singular', async (t) => {
  for (const { groupVersion, resources } of resourceLists(DOCUMENTS)) {
    const names = resources.map(({ name }) => name);
    t.same(names, names.toSorted(), groupVersion);
    t.ok(resources.every(({ singularName }) => singularName === ''));
  }
});

t.test('a document for each group and each version, and the two roots', async (t) => {
  const versions = new Set(RESOURCES.map(([version]) => version));
  const groups = new Set([...versions].map((version) => version.split('/')[0]));
  groups.delete('v1');
  const paths = [
    '/api',
    '/apis',
    ...[...groups].map((group) => `/apis/${group}`),
    ...[...versions].map((version) => (version === 'v1' ? '/api/v1' : `/apis/${version}`)),
  ];
  t.same([...DOCUMENTS.keys()].toSorted(), paths.toSorted());
});

t.test('groups and versions stand in the order of preference', async (t) => {
  t.same(groupsOf(DOCUMENTS), [
    'apiregistration.cluster.io v1',
    'apps v1',
    'events.cluster.io v1 v1beta1',
    'authentication.cluster.io v1',
    'authorization.cluster.io v1',
    'autoscaling v2 v1 v2beta1 v2beta2',
    'batch v1 v1beta1',
    'certificates.cluster.io v1',
    'networking.cluster.io v1',
    'policy v1 v1beta1',
    'rbac.authorization.cluster.io v1',
    'storage.cluster.io v1 v1beta1 v1alpha1',
    'admissionregistration.cluster.io v1',
    'apiextensions.cluster.io v1',
    'scheduling.cluster.io v1',
    'coordination.cluster.io v1',
    'node.cluster.io v1 v1beta1 v1alpha1',
    'discovery.cluster.io v1 v1beta1',
    'flowcontrol.apiserver.cluster.io v1beta2 v1beta1',
    'internal.apiserver.cluster.io v1alpha1',
  ]);
});

t.test('groups name their versions in full, and prefer the first', async (t) => {
  const { groups } = DOCUMENTS.get('/apis') as ApiGroupList;
  for (const group of groups) {
    const { name, versions, preferredVersion } = group;
    t.strictSame(preferredVersion, versions[0], name);
    for (const { groupVersion, version } of versions) t.equal(groupVersion, `${name}/${version}`);
    const document = DOCUMENTS.get(`/apis/${name}`);
    t.strictSame(document, { kind: 'APIGroup', apiVersion: 'v1', ...group }, 'the same by itself');
  }
});

t.test('documents as they are written', async (t) => {
  const text = (path: string): string => JSON.stringify(DOCUMENTS.get(path));
  const rows: [path: string, text: string][] = [
    [
      '/api',
      '{"kind":"APIVersions","versions":["v1"],"serverAddressByClientCIDRs":' +
        '[{"clientCIDR":"0.0.0.0/0","serverAddress":"127.0.0.1:6443"}]}',
    ],
    [
      '/apis/policy',
      '{"kind":"APIGroup","apiVersion":"v1","name":"policy","versions":' +
        '[{"groupVersion":"policy/v1","version":"v1"},' +
        '{"groupVersion":"policy/v1beta1","version":"v1beta1"}],' +
        '"preferredVersion":{"groupVersion":"policy/v1","version":"v1"}}',
    ],
    [
      '/apis/batch/v1',
      '{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"batch/v1","resources":[' +
        '{"name":"cronjobs","singularName":"","namespaced":true,"kind":"CronJob","verbs":' +
        '["create","delete","deletecollection","get","list","patch","update","watch"],' +
        '"shortNames":["cj"],"categories":["all"],"storageVersionHash":"sd5LIXh4Fjs="},' +
        '{"name":"cronjobs/status","singularName":"","namespaced":true,"kind":"CronJob",' +
        '"verbs":["get","patch","update"]},' +
        '{"name":"jobs","singularName":"","namespaced":true,"kind":"Job","verbs":' +
        '["create","delete","deletecollection","get","list","patch","update","watch"],' +
        '"categories":["all"],"storageVersionHash":"mudhfqk/qZY="},' +
        '{"name":"jobs/status","singularName":"","namespaced":true,"kind":"Job",' +
        '"verbs":["get","patch","update"]}]}',
    ],
  ];
  for (const [path, expected] of rows) t.equal(text(path), expected, path);
  const begins: [path: string, text: string][] = [
    [
      '/apis',
      '{"kind":"APIGroupList","apiVersion":"v1","groups":[' +
        '{"name":"apiregistration.cluster.io","versions":' +
        '[{"groupVersion":"apiregistration.cluster.io/v1","version":"v1"}],' +
        '"preferredVersion":{"groupVersion":"apiregistration.cluster.io/v1","version":"v1"}},' +
        '{"name":"apps",',
    ],
    [
      '/api/v1',
      '{"kind":"APIResourceList","groupVersion":"v1","resources":[' +
        '{"name":"bindings","singularName":"","namespaced":true,"kind":"Binding",' +
        '"verbs":["create"]},' +
        '{"name":"componentstatuses","singularName":"","namespaced":false,' +
        '"kind":"ComponentStatus","verbs":["get","list"],"shortNames":["cs"]},' +
        '{"name":"configmaps",',
    ],
  ];
  for (const [path, expected] of begins) {
    t.equal(text(path).slice(0, expected.length), expected, path);
  }
  t.match(
    text('/api/v1'),
    '{"name":"pods/eviction","singularName":"","namespaced":true,"group":"policy",' +
      '"version":"v1","kind":"Eviction","verbs":["create"]}',
  );
});

t.test('kinds of another group version say so', async (t) => {
  const foreign = resourceLists(DOCUMENTS).flatMap(({ groupVersion, resources }) =>
    resources
      .filter(({ group, version }) => group !== undefined || version !== undefined)
      .map(({ name, group, version }) => `${groupVersion} ${name}: ${group}/${version}`),
  );
  t.same(foreign.toSorted(), [
    'apps/v1 deployments/scale: autoscaling/v1',
    'apps/v1 replicasets/scale: autoscaling/v1',
    'apps/v1 statefulsets/scale: autoscaling/v1',
    'v1 pods/eviction: policy/v1',
    'v1 replicationcontrollers/scale: autoscaling/v1',
    'v1 serviceaccounts/token: authentication.cluster.io/v1',
  ]);
});

t.test('the hash of the stored version', async (t) => {
  const hashes = new Map<string, string | undefined>();
  for (const { groupVersion, resources } of resourceLists(DOCUMENTS)) {
    for (const { name, storageVersionHash } of resources) {
      hashes.set(`${groupVersion} ${name}`, storageVersionHash);
    }
  }
  t.equal(hashes.get('v1 pods'), 'xPOwRZ+Yhw8=', 'of the core group');
  t.equal(hashes.get('apps/v1 deployments'), '8aSe+NMegvE=', 'of a named group');
  for (const name of ['events.cluster.io/v1 events', 'events.cluster.io/v1beta1 events']) {
    t.equal(hashes.get(name), 'r2yiGXH7wu8=', `${name}: of the group that stores them`);
  }
  t.equal(hashes.get('v1 events'), 'r2yiGXH7wu8=');
  const virtual = VIRTUAL_KINDS.map(({ plural }) => plural);
  for (const [name, hash] of hashes) {
    const [, resource = ''] = name.split(' ');
    const isStored = !resource.includes('/') && !virtual.includes(resource);
    t.equal(hash !== undefined, isStored, name);
  }
});

t.test('alpha is told of only where it is switched on', async (t) => {
  t.notMatch(JSON.stringify([...documentsWith('')]), 'v1alpha1');
});

t.test('what --runtime-config switches off is not told of', async (t) => {
  const names = (documents: Documents, path: string): string[] =>
    (documents.get(path) as ApiResourceList).resources.map(({ name }) => name);
  const without = documentsWith(
    'autoscaling/v2=false,coordination.cluster.io/v1=false,v1/pods=false,apps/v1=false,' +
      'apps/v1/daemonsets',
  );
  const groups = groupsOf(without);
  t.ok(groups.includes('autoscaling v1 v2beta1 v2beta2'), 'another version is preferred');
  t.notOk(without.has('/apis/autoscaling/v2'));
  t.notOk(
    groups.some((group) => group.startsWith('coordination')),
    'no empty groups',
  );
  t.notOk(without.has('/apis/coordination.cluster.io'));
  t.notOk(without.has('/apis/coordination.cluster.io/v1'));
  t.same(names(without, '/apis/apps/v1'), ['daemonsets', 'daemonsets/status']);
  const core = names(without, '/api/v1');
  t.notOk(
    core.some((name) => name.startsWith('pods')),
    'nor its subresources',
  );
  t.ok(core.includes('podtemplates'));
});

t.test('where nothing is served', async (t) => {
  t.same(
    [...discoveryDocuments({ types: [], virtualKinds: [] }, ADDRESS)].map(([path, document]) => [
      path,
      document.kind,
    ]),
    [
      ['/api', 'APIVersions'],
      ['/apis', 'APIGroupList'],
    ],
  );
  t.match(discoveryDocuments({ types: [], virtualKinds: [] }, ADDRESS).get('/api'), {
    versions: [],
  });
});
