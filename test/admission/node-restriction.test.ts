/** Agents may write some members; the rest is refused in these words. */
import t from 'tap';
import type { Test } from 'tap';
import { NO_OPINION } from '../../src/auth/authorizer.ts';
import { NodeRestriction } from '../../src/admission/plugins/node-restriction/node-restriction.ts';
import { DEFAULT_GATES } from '../../src/release/own-gates.ts';
import type { FeatureGates } from '../../src/release/feature-gates.ts';
import type { ApiObject } from '../../src/resources/kind.ts';
import type { OwnerReference } from '../../src/semantics/metadata/object-meta.ts';
import { proposed } from '../support/proposals.ts';
import type { Proposed } from '../support/proposals.ts';
import { person } from '../support/rbac.ts';
import { refusal } from '../support/thrown-status.ts';

const NODE = person('system:node:n', 'system:nodes', 'system:authenticated');
const MIRROR = { 'cluster.io/config.mirror': 'x' };
const ITSELF: OwnerReference = {
  apiVersion: 'v1',
  kind: 'Node',
  name: 'n',
  uid: 'node-uid',
  controller: true,
};

const STORED: Readonly<Record<string, ApiObject>> = {
  'nodes /n': { metadata: { name: 'n', uid: 'node-uid' } },
  'pods ns/mine': { metadata: { name: 'mine', uid: 'u' }, spec: { nodeName: 'n' } },
  'pods ns/other': { metadata: { name: 'other', uid: 'u' }, spec: { nodeName: 'o' } },
};

const NOBODY_MAY = { authorize: () => NO_OPINION };

function pluginWith(gates: FeatureGates = DEFAULT_GATES, stored = STORED): NodeRestriction {
  const get = (resource: string) =>
    ({
      get: async ({ namespace, name }: { namespace: string; name: string }) =>
        stored[`${resource} ${namespace}/${name}`],
    }) as ReturnType<ConstructorParameters<typeof NodeRestriction>[0]['objects']>;
  return new NodeRestriction({ objects: get, authorizer: () => NOBODY_MAY, gates });
}

/** A proposal, and how the refusal goes on after `… is forbidden: `; '' for none. */
type Row = readonly [what: string, facts: Proposed, refused: string];

async function check(t: Test, rows: readonly Row[], plugin = pluginWith()): Promise<void> {
  for (const [what, facts, refused] of rows) {
    const outcome = (async () => plugin.admit(proposed(what, { user: NODE, ...facts })))();
    if (refused === '') {
      await t.resolves(outcome, what);
      continue;
    }
    const { code, message = '' } = await refusal(outcome);
    if (refused.includes('not found')) t.same([code, message], [404, refused], what);
    else t.same([code, message.split(' is forbidden: ')[1]], [403, refused], what);
  }
}

function named(name: string, rest: object = {}, metadata: object = {}): ApiObject {
  return { metadata: { name, ...metadata }, ...rest };
}

t.test('others than agents, and what agents may as others', async (t) => {
  const plugin = pluginWith();
  const object = named('x');
  const admit = (user = NODE) => plugin.admit(proposed('UPDATE - nodes', { user, object }));
  t.doesNotThrow(() => admit(person('system:node:n')), 'no member of the group');
  t.doesNotThrow(() => admit(person('jane', 'system:nodes')), 'no agent by name');
  const nameless = proposed('CREATE - configmaps', {
    user: person('system:node:', 'system:nodes'),
    object,
  });
  t.match(await refusal((async () => plugin.admit(nameless))()), {
    code: 403,
    message: 'configmaps "x" is forbidden: could not determine node from user "system:node:"',
  });
  await check(t, [['CREATE - configmaps', { object }, '']]);
});

function mirror(spec: object = {}, metadata: object = {}): Proposed {
  const own = { namespace: 'ns', annotations: MIRROR, ownerReferences: [ITSELF] };
  return { object: named('p', { spec: { nodeName: 'n', ...spec } }, { ...own, ...metadata }) };
}

t.test('pods: mirrors are made, and own ones deleted', async (t) => {
  const owned = (change: object) => mirror({}, { ownerReferences: [{ ...ITSELF, ...change }] });
  const reference = (what: string) => `node "n" can not create pods that reference ${what}`;
  const only = (what: string) => `node "n" can only create pods with ${what}`;
  const toItself = only('an owner reference set to itself');
  const env = [{ valueFrom: { secretKeyRef: { name: 's' } } }];
  const rows: readonly (readonly [Proposed, string])[] = [
    [mirror(), ''],
    [
      mirror({}, { annotations: {} }),
      'pod does not have "cluster.io/config.mirror" annotation, ' +
        'node "n" can only create mirror pods',
    ],
    [mirror({ nodeName: 'o' }), only('spec.nodeName set to itself')],
    [mirror({}, { ownerReferences: undefined }), toItself],
    [
      mirror({}, { ownerReferences: [ITSELF, ITSELF] }),
      only('a single owner reference set to itself'),
    ],
    [owned({ apiVersion: 'v2' }), toItself],
    [owned({ kind: 'Pod' }), toItself],
    [owned({ name: 'o' }), toItself],
    [owned({ controller: undefined }), only('a controller owner reference set to itself')],
    [owned({ blockOwnerDeletion: false }), ''],
    [
      owned({ blockOwnerDeletion: true }),
      'node "n" must not set blockOwnerDeletion on an owner reference',
    ],
    [owned({ uid: 'other' }), 'node n UID mismatch: expected other got node-uid'],
    [mirror({ serviceAccountName: 'a' }), reference('a service account')],
    [mirror({ ephemeralContainers: [{ env }] }), reference('secrets')],
    [
      mirror({ containers: [{ envFrom: [{ configMapRef: { name: 'c' } }] }] }),
      reference('configmaps'),
    ],
    [mirror({ volumes: [{ persistentVolumeClaim: {} }] }), reference('persistentvolumeclaims')],
    [mirror({ volumes: [{ emptyDir: {} }] }), ''],
  ];
  await check(
    t,
    rows.map(([facts, refused]) => ['CREATE - pods', facts, refused]),
  );
  await check(
    t,
    [['CREATE - pods', mirror(), 'node "n" not found']],
    pluginWith(DEFAULT_GATES, {}),
  );
  await check(t, [
    ['DELETE - pods', { oldObject: STORED['pods ns/mine'] }, ''],
    [
      'DELETE - pods',
      { oldObject: STORED['pods ns/other'] },
      'node "n" can only delete pods with spec.nodeName set to itself',
    ],
    [
      'UPDATE - pods',
      { object: STORED['pods ns/mine'], oldObject: STORED['pods ns/mine'] },
      'unexpected operation "UPDATE", node "n" can only create and delete mirror pods',
    ],
    [
      'CREATE - pods/binding',
      { name: 'mine' },
      `unexpected pod subresource "binding", only 'status' and 'eviction' are allowed`,
    ],
  ]);
});

t.test('pods: the status of own ones, and their eviction', async (t) => {
  const pod = (nodeName: string, labels?: object) => named('p', { spec: { nodeName } }, { labels });
  const evict = (name: string) => ({ namespace: 'ns', name, object: named(name) });
  await check(t, [
    ['UPDATE - pods/status', { oldObject: pod('n'), object: pod('n', {}) }, ''],
    [
      'UPDATE - pods/status',
      { oldObject: pod('o'), object: pod('n') },
      'node "n" can only update pod status for pods with spec.nodeName set to itself',
    ],
    [
      'UPDATE - pods/status',
      { oldObject: pod('n'), object: pod('n', { a: 'b' }) },
      'node "n" cannot update labels through pod status',
    ],
    ['CREATE - pods/eviction', evict('mine'), ''],
    [
      'CREATE - pods/eviction',
      evict('other'),
      'node n can only evict pods with spec.nodeName set to itself',
    ],
    ['CREATE - pods/eviction', evict('none'), 'pod "none" not found'],
  ]);
});

t.test('tokens, of accounts of own pods', async (t) => {
  const ask = (boundObjectRef?: object) => ({
    namespace: 'ns',
    name: 'a',
    object: { metadata: {}, spec: { boundObjectRef } },
  });
  const bound = (name: string, uid?: string) => ask({ apiVersion: 'v1', kind: 'Pod', name, uid });
  const unbound = 'node requested token not bound to a pod';
  const rows: readonly (readonly [Proposed, string])[] = [
    [bound('mine', 'u'), ''],
    [ask(), unbound],
    [ask({ apiVersion: 'v1', kind: 'Secret', name: 'mine', uid: 'u' }), unbound],
    [ask({ apiVersion: 'v1', kind: 'Pod', uid: 'u' }), unbound],
    [bound('mine'), 'node requested token with a pod binding without a uid'],
    [
      bound('mine', 'v'),
      'the UID in the bound object reference (v) does not match the UID in record. ' +
        'The object might have been deleted and then recreated',
    ],
    [bound('other', 'u'), 'node requested token bound to a pod scheduled on a different node'],
    [bound('none', 'u'), 'pod "none" not found'],
  ];
  await check(
    t,
    rows.map(([facts, refused]) => ['CREATE - serviceaccounts/token', facts, refused]),
  );
  await check(t, [['CREATE - serviceaccounts', { object: named('a') }, '']]);
});

t.test('the node itself, but not its taints', async (t) => {
  const taints = [{ key: 'a', effect: 'NoSchedule' }];
  const configSource = { configMap: {} };
  const other = 'node "n" is not allowed to modify node "o"';
  await check(t, [
    ['CREATE - nodes', { object: named('n', { spec: { taints } }) }, ''],
    ['CREATE - nodes', { object: named('o') }, other],
    ['UPDATE - nodes/status', { object: named('o'), oldObject: named('o') }, other],
    ['DELETE - nodes', { oldObject: named('n') }, ''],
    ['DELETE - nodes', { oldObject: named('o') }, other],
    [
      'CREATE - nodes',
      { object: named('n', { spec: { configSource } }) },
      'node "n" is not allowed to create pods with a non-nil configSource',
    ],
    [
      'UPDATE - nodes',
      { object: named('n', { spec: { configSource } }), oldObject: named('n') },
      'node "n" is not allowed to update configSource to a new non-nil configSource',
    ],
    [
      'UPDATE - nodes',
      { object: named('n'), oldObject: named('n', { spec: { configSource } }) },
      '',
    ],
    [
      'UPDATE - nodes',
      { object: named('n'), oldObject: named('n', { spec: { taints } }) },
      'node "n" is not allowed to modify taints',
    ],
  ]);
});

t.test('labels of the node that an agent may set', async (t) => {
  const labels = (keys: readonly string[]) =>
    named('n', {}, { labels: Object.fromEntries(keys.map((key) => [key, 'x'])) });
  const allowed = [
    'a',
    'example.com/a',
    'notcluster.io/a',
    'cluster.io/hostname',
    'beta.cluster.io/arch',
    'failure-domain.beta.cluster.io/zone',
    'topology.cluster.io/region',
    'kubelet.cluster.io/anything',
    'a.node.cluster.io/anything',
  ];
  const forbidden = [
    'a.cluster.io/a',
    'a.node-restriction.cluster.io/a',
    'cluster.io/a',
    'node-restriction.cluster.io/a',
    'topology.cluster.io/else',
  ];
  const set = 'node "n" is not allowed to set the following labels: ';
  const modify = 'is not allowed to modify labels: ';
  await check(t, [
    ['CREATE - nodes', { object: labels(allowed) }, ''],
    ['CREATE - nodes', { object: labels(forbidden.toReversed()) }, set + forbidden.join(', ')],
    ['UPDATE - nodes', { object: labels(allowed), oldObject: labels([]) }, ''],
    ['UPDATE - nodes', { object: labels(forbidden), oldObject: labels(forbidden) }, ''],
    [
      'UPDATE - nodes',
      { object: labels(allowed), oldObject: labels(['cluster.io/a', ...allowed]) },
      `${modify}cluster.io/a`,
    ],
    [
      'UPDATE - nodes/status',
      { object: labels(forbidden), oldObject: labels([]) },
      modify + forbidden.join(', '),
    ],
  ]);
});

t.test('leases and storage drivers of its name', async (t) => {
  const named = 'as the requesting node';
  const lease = (namespace: string, name: string) => ({
    object: { metadata: { namespace, name } },
  });
  const leases = 'coordination.cluster.io leases';
  const home = 'cluster-node-lease';
  const csiNodes = 'storage.cluster.io csinodes';
  await check(t, [
    [`CREATE ${leases}`, lease(home, 'n'), ''],
    [`UPDATE ${leases}`, lease(home, 'n'), ''],
    [
      `CREATE ${leases}`,
      lease(home, 'o'),
      `can only access node lease with the same name ${named}`,
    ],
    [
      `DELETE ${leases}`,
      { oldObject: lease(home, 'o').object },
      `can only access node lease with the same name ${named}`,
    ],
    [
      `UPDATE ${leases}`,
      lease('ns', 'n'),
      'can only access leases in the "cluster-node-lease" system namespace',
    ],
    [`CREATE ${csiNodes}`, { object: { metadata: { name: 'n' } } }, ''],
    [
      `UPDATE ${csiNodes}`,
      { object: { metadata: { name: 'o' } } },
      `can only access CSINode with the same name ${named}`,
    ],
    ['CREATE a.com leases', lease('ns', 'o'), ''],
  ]);
});

t.test('the status of claims, as far as a volume has grown', async (t) => {
  const claim = (status: object, metadata: object = {}, spec: object = {}) =>
    named('c', { status, spec }, metadata);
  const oldObject = claim({ phase: 'Bound' }, { resourceVersion: '3', labels: {} });
  const grown = { phase: 'Bound', capacity: { storage: '2Gi' }, conditions: [{ type: 'x' }] };
  const growing = { ...grown, resizeStatus: 'x', allocatedResources: { storage: '2Gi' } };
  const refused = (what: string) =>
    'node "n" is not allowed to update fields other than status.capacity and ' +
    `status.conditions: ${what}`;
  const status = 'UPDATE - persistentvolumeclaims/status';
  await check(t, [
    [status, { object: claim(grown), oldObject }, ''],
    [status, { object: claim({}), oldObject }, refused('status.phase')],
    [
      status,
      { object: claim(grown, { labels: { a: 'b' } }, { volumeName: 'v' }), oldObject },
      refused('metadata.labels, spec.volumeName'),
    ],
    [
      status,
      { object: claim(growing), oldObject },
      refused('status.resizeStatus, status.allocatedResources'),
    ],
    [
      'UPDATE - persistentvolumeclaims',
      { object: claim({}), oldObject },
      'may only update PVC status',
    ],
    ['DELETE - persistentvolumeclaims', { oldObject }, 'may only update PVC status'],
  ]);
  const recovering = pluginWith(new Set(['RecoverVolumeExpansionFailure']));
  await check(t, [[status, { object: claim(growing), oldObject }, '']], recovering);
});
