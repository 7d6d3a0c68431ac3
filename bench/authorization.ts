/**
 * Measures what a decision by roles and bindings costs with 10,000 of each, and what they take to
 * keep: accounts with a role of their own, in 1,000 namespaces, and groups that everybody is in.
 */
import type { AccessAttributes } from '../src/auth/authorizer.ts';
import type { FollowType, TypeIndex } from '../src/replicas/follow-type.ts';
import { RbacAuthorizer } from '../src/auth/rbac/rbac-authorizer.ts';
import type { ApiObject } from '../src/resources/kind.ts';
import { measure, microOptions, report } from './micro.ts';
import type { ResultRow } from './report.ts';

const ROLES = 10_000;
const NAMESPACES = 1_000;
const FIRST_ACCOUNT = 'system:serviceaccount:namespace-0:account-0';

const indexes = new Map<string, TypeIndex>();
const follow: FollowType = (resource, index) => {
  indexes.set(resource.replace(/\..*/, ''), index);
  return { isCurrent: true, whenCurrent: () => Promise.resolve() };
};
const rbac = new RbacAuthorizer(follow);

/** As it comes from a shard: parsed, so that no two objects share anything. */
function put(type: string, object: object): void {
  indexes.get(type)?.put(JSON.parse(JSON.stringify(object)) as ApiObject);
}

function roleRef(kind: string, name: string): object {
  return { apiGroup: 'rbac.authorization.cluster.io', kind, name };
}

/** As large as those that the groups of everybody, and the people of a namespace, are given. */
function largeRules(resources: number): object[] {
  const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
  return Array.from({ length: 16 }, (_, at) => ({
    verbs,
    apiGroups: [at === 0 ? '' : `group-${at}.example.org`],
    resources: Array.from({ length: resources }, (__, number) => `resources-${at}-${number}`),
  }));
}

function fill(): void {
  put('clusterroles', { metadata: { name: 'everybody' }, rules: largeRules(2) });
  put('clusterrolebindings', {
    metadata: { name: 'everybody' },
    subjects: [{ kind: 'Group', name: 'system:authenticated' }],
    roleRef: roleRef('ClusterRole', 'everybody'),
  });
  put('clusterroles', { metadata: { name: 'edit' }, rules: largeRules(20) });
  for (let at = 0; at < ROLES; at++) {
    const metadata = { namespace: `namespace-${at % NAMESPACES}`, name: `role-${at}` };
    const rules = [
      { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods', 'pods/log'] },
      { verbs: ['*'], apiGroups: ['apps'], resources: ['deployments', 'replicasets'] },
    ];
    put('roles', { metadata, rules });
    put('rolebindings', {
      metadata,
      subjects: [{ kind: 'ServiceAccount', name: `account-${at}` }],
      roleRef: roleRef('Role', `role-${at}`),
    });
    if (at >= NAMESPACES) continue;
    put('rolebindings', {
      metadata: { ...metadata, name: 'editors' },
      subjects: [{ kind: 'Group', name: 'editors' }],
      roleRef: roleRef('ClusterRole', 'edit'),
    });
  }
}

const users = Array.from({ length: ROLES }, (_, at) => {
  const namespace = `namespace-${at % NAMESPACES}`;
  const ofAccounts = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return {
    name: `system:serviceaccount:${namespace}:account-${at}`,
    uid: '',
    groups: [...ofAccounts, 'system:authenticated'],
  };
});
const editor = { name: 'jane', uid: '', groups: ['editors', 'system:authenticated'] };

type Asked = Partial<AccessAttributes> & Pick<AccessAttributes, 'user'>;

function asked(of: Asked): AccessAttributes {
  return {
    verb: 'get',
    isResource: true,
    namespace: '',
    group: '',
    version: 'v1',
    resource: 'pods',
    subresource: '',
    name: 'a',
    path: '',
    ...of,
  };
}

function memoryMiB(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

const options = microOptions();

function row(scenario: string, verdict: string, requests: readonly AccessAttributes[]): ResultRow {
  let at = 0;
  return measure(scenario, options, () => {
    const request = requests[at++ % requests.length] ?? requests[0];
    const decision = request === undefined ? undefined : rbac.authorize(request);
    if (decision === undefined || !('verdict' in decision) || decision.verdict !== verdict) {
      throw new Error(`${scenario}: ${JSON.stringify(decision)}`);
    }
  });
}

const before = memoryMiB();
fill();
const taken = memoryMiB() - before;
const ofAccounts = users.map((user, at) =>
  asked({ user, namespace: `namespace-${at % NAMESPACES}` }),
);
const elsewhere = users.map((user, at) => {
  return asked({ user, namespace: `namespace-${(at + 1) % NAMESPACES}` });
});
const largeRole = asked({
  user: editor,
  namespace: 'namespace-7',
  group: 'group-15.example.org',
  resource: 'resources-15-19',
});
const first = { name: FIRST_ACCOUNT, uid: '', groups: ['system:authenticated'] };
const metadata = { namespace: 'namespace-1', name: 'role-1' };
report('authorization', options, [
  row('allow an account, of 10,000 in turn', 'allow', ofAccounts),
  row('refuse an account, of 10,000 in turn', 'noOpinion', elsewhere),
  row('allow by the last of 320 resources', 'allow', [largeRole]),
  measure('list the rules of an account', options, () => {
    void rbac.rulesFor(first, 'namespace-0');
  }),
  measure('change a binding', options, () => {
    put('rolebindings', {
      metadata,
      subjects: [{ kind: 'ServiceAccount', name: 'account-1' }],
      roleRef: roleRef('Role', 'role-1'),
    });
  }),
]);
process.stdout.write(`10,000 roles and 11,000 bindings take ${taken.toFixed(1)} MiB\n`);
