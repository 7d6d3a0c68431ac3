/** Who may give objects other owners. */
import t from 'tap';
import { OwnerReferences } from '../../src/admission/plugins/owner-references/owner-references.ts';
import type { Proposal } from '../../src/admission/proposal.ts';
import type { OwnerReference } from '../../src/semantics/metadata/object-meta.ts';
import { admissionContext, proposed } from '../support/proposals.ts';
import { person, rbacOf } from '../support/rbac.ts';
import { refusal } from '../support/thrown-status.ts';

const FINALIZE = { verbs: ['update'], resources: ['*/finalizers'] };

/** The rights: `finalizer` has them for one deployment, `keeper` for one custom type and nodes. */
const RULES = {
  all: [
    { ...FINALIZE, apiGroups: ['*'] },
    { verbs: ['delete'], apiGroups: ['*'], resources: ['*'] },
  ],
  deleter: [{ verbs: ['delete'], apiGroups: [''], resources: ['configmaps'] }],
  keeper: [
    { verbs: ['update'], apiGroups: ['a.com'], resources: ['things/finalizers'] },
    { verbs: ['update'], apiGroups: [''], resources: ['nodes/finalizers'] },
    {
      verbs: ['update'],
      apiGroups: ['apps'],
      resources: ['deployments/finalizers'],
      resourceNames: ['mine'],
    },
  ],
};

const THINGS = {
  metadata: { name: 'things.a.com' },
  spec: {
    group: 'a.com',
    scope: 'Namespaced',
    versions: [
      { name: 'v1', served: true },
      { name: 'v0', served: false },
    ],
  },
  status: {
    acceptedNames: { plural: 'things', kind: 'Thing' },
    conditions: [{ type: 'Established', status: 'True' }],
  },
};

function newPlugin() {
  const { rbac } = rbacOf({
    clusterroles: Object.entries(RULES).map(([name, rules]) => ({ name, rules })),
    clusterrolebindings: Object.keys(RULES).map((name) => ({
      name,
      subjects: [{ kind: 'User', name }],
      roleRef: { kind: 'ClusterRole', name },
    })),
  });
  const context = admissionContext({ authorizer: () => rbac });
  const plugin = new OwnerReferences(context);
  context.fed.putObject('customresourcedefinitions', THINGS);
  return { plugin, fed: context.fed };
}

function owner(type: string, blockOwnerDeletion?: boolean, uid = 'u'): OwnerReference {
  const [apiVersion = '', kind = '', name = ''] = type.split(' ');
  return {
    apiVersion,
    kind,
    name,
    uid,
    ...(blockOwnerDeletion !== undefined && { blockOwnerDeletion }),
  };
}

function owned(
  user: string,
  owners?: readonly OwnerReference[],
  stored?: readonly OwnerReference[],
): Proposal {
  const objectWith = (ownerReferences: readonly OwnerReference[] = []) => ({
    metadata: { name: 'c', namespace: 'ns', ownerReferences: [...ownerReferences] },
  });
  return proposed(`${stored === undefined ? 'CREATE' : 'UPDATE'} - configmaps`, {
    user: person(user),
    object: objectWith(owners),
    oldObject: stored === undefined ? undefined : objectWith(stored),
  });
}

const NO_DELETION =
  'configmaps "c" is forbidden: ' +
  "cannot set an ownerRef on a resource you can't delete: , <nil>";
const NO_FINALIZERS =
  'configmaps "c" is forbidden: cannot set blockOwnerDeletion if an ownerReference ' +
  "refers to a resource you can't set finalizers on: , <nil>";

function unknown(apiVersion: string, kind: string): string {
  return (
    'configmaps "c" is forbidden: cannot set blockOwnerDeletion in this case because cannot find ' +
    `RESTMapping for APIVersion ${apiVersion} Kind ${kind}: ` +
    `no matches for kind "${kind}" in version "${apiVersion}"`
  );
}

t.test('owners, and who may set them', async (t) => {
  const { plugin } = newPlugin();
  const mine = 'apps/v1 Deployment mine';
  const rows: readonly (readonly [string, Proposal, string])[] = [
    ['none', owned('nobody'), ''],
    ['on a create', owned('nobody', [owner(mine)]), ''],
    ['the same as before', owned('nobody', [owner(mine, true)], [owner(mine, true)]), ''],
    ['a new one', owned('nobody', [owner(mine)], []), NO_DELETION],
    ['none any more', owned('keeper', [], [owner(mine)]), NO_DELETION],
    ['a new one, of who may delete', owned('deleter', [owner(mine)], []), ''],
    ['a blocking one', owned('nobody', [owner(mine, true)]), NO_FINALIZERS],
    ['blocking from now on', owned('deleter', [owner(mine, true)], [owner(mine)]), NO_FINALIZERS],
    ['not blocking any more', owned('deleter', [owner(mine)], [owner(mine, true)]), ''],
    ['one that may be blocked', owned('keeper', [owner(mine, true)]), ''],
    ['another name', owned('keeper', [owner('apps/v1 Deployment other', true)]), NO_FINALIZERS],
    ['one without namespace', owned('keeper', [owner('v1 Node n', true)]), ''],
    ['a custom one', owned('keeper', [owner('a.com/v1 Thing t', true)]), ''],
    [
      'a version that is not served',
      owned('keeper', [owner('a.com/v0 Thing t', true)]),
      unknown('a.com/v0', 'Thing'),
    ],
    ['no kind', owned('keeper', [owner('v1 Nothing t', true)]), unknown('v1', 'Nothing')],
    ['no kind, and all rights', owned('all', [owner('v1 Nothing t', true)], []), ''],
  ];
  for (const [what, proposal, expected] of rows) {
    const outcome = (async () => plugin.validate(proposal))();
    if (expected === '') await t.resolves(outcome, what);
    else t.match(await refusal(outcome), { code: 403, message: expected }, what);
  }
});

t.test('custom kinds are known as long as they are served', async (t) => {
  const { plugin, fed } = newPlugin();
  const ask = async () => plugin.validate(owned('keeper', [owner('a.com/v1 Thing t', true)]));
  await t.resolves(ask());
  fed.putObject('customresourcedefinitions', {
    ...THINGS,
    status: { acceptedNames: { plural: '', kind: '' }, conditions: null, storedVersions: null },
  });
  t.equal((await refusal(ask())).message, unknown('a.com/v1', 'Thing'), 'not established');
  fed.putObject('customresourcedefinitions', THINGS);
  await t.resolves(ask());
  fed.remove('customresourcedefinitions', '', 'things.a.com');
  t.equal((await refusal(ask())).message, unknown('a.com/v1', 'Thing'), 'gone');
});
