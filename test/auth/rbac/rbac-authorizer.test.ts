/** Whom bindings name, where they count, and how that is told. */
import t from 'tap';
import type { PolicyRule, Subject } from '#messages/rbac.v1';
import type { User } from '../../../src/semantics/user.ts';
import { access, pathAccess, person, rbacOf } from '../../support/rbac.ts';
import type { RbacObjects } from '../../support/rbac.ts';

const PODS: PolicyRule = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
const METRICS: PolicyRule = { verbs: ['get'], nonResourceURLs: ['/metrics'] };
const JANE = person('jane', 'dev', 'ops');
const ROBOT = person('system:serviceaccount:ns:robot');
const GET_PODS = 'get - pods';

function bound(...subjects: Subject[]): RbacObjects {
  return {
    roles: [{ name: 'reader', namespace: 'ns', rules: [PODS] }],
    rolebindings: [
      { name: 'readers', namespace: 'ns', subjects, roleRef: { kind: 'Role', name: 'reader' } },
    ],
  };
}

const READER = { kind: 'ClusterRole', name: 'reader' };

function clusterBound(...subjects: Subject[]): RbacObjects {
  return {
    clusterroles: [{ name: 'reader', rules: [PODS, METRICS] }],
    clusterrolebindings: [{ name: 'readers', subjects, roleRef: READER }],
  };
}

function isAllowed(objects: RbacObjects, user: User, namespace = 'ns'): boolean {
  const decision = rbacOf(objects).rbac.authorize(access(user, GET_PODS, { namespace }));
  return 'verdict' in decision && decision.verdict === 'allow';
}

t.test('whom a binding names', async (t) => {
  const robot = { kind: 'ServiceAccount', name: 'robot' };
  const rows: [string, User, Subject, boolean, boolean][] = [
    ['a user', JANE, { kind: 'User', name: 'jane' }, true, true],
    ['another user', JANE, { kind: 'User', name: 'dev' }, false, false],
    ['a group', JANE, { kind: 'Group', name: 'ops' }, true, true],
    ['another group', JANE, { kind: 'Group', name: 'jane' }, false, false],
    ['an account', ROBOT, { ...robot, namespace: 'ns' }, true, true],
    ['one of the binding', ROBOT, robot, true, false],
    ['one of elsewhere', ROBOT, { ...robot, namespace: 'x' }, false, false],
    ['its user name', ROBOT, { kind: 'User', name: ROBOT.name }, true, true],
    ['a kind that is none', JANE, { kind: 'Person', name: 'jane' }, false, false],
  ];
  for (const [what, who, subject, inNamespace, inCluster] of rows) {
    t.equal(isAllowed(bound(subject), who), inNamespace, what);
    t.equal(isAllowed(clusterBound(subject), who), inCluster, `${what}, for the cluster`);
  }
});

t.test('where a binding counts', async (t) => {
  const jane = { kind: 'User', name: 'jane' };
  t.equal(isAllowed(bound(jane), JANE, ''), false, 'not in all namespaces');
  t.equal(isAllowed(clusterBound(jane), JANE, ''), true);
  const metrics = pathAccess(JANE, 'get', '/metrics');
  t.match(rbacOf(clusterBound(jane)).rbac.authorize(metrics), { verdict: 'allow' });
  const mixed: RbacObjects = {
    clusterroles: clusterBound().clusterroles ?? [],
    rolebindings: [{ name: 'readers', namespace: 'ns', subjects: [jane], roleRef: READER }],
  };
  t.equal(isAllowed(mixed, JANE), true, 'a cluster role in one namespace');
  t.equal(isAllowed(mixed, JANE, ''), false);
  t.equal(isAllowed(mixed, JANE, 'other'), false);
  t.match(rbacOf(mixed).rbac.authorize(metrics), { verdict: 'noOpinion', reason: '' });
});

t.test('why', async (t) => {
  const jane = { kind: 'User', name: 'jane' };
  const robot = { kind: 'ServiceAccount', name: 'robot' };
  const ops = { kind: 'Group', name: 'ops' };
  const missing = { ...clusterBound(jane), clusterroles: [] };
  const notFound = (kind: string): string =>
    `${kind}.rbac.authorization.cluster.io "reader" not found`;
  const byNamespace = 'RBAC: allowed by RoleBinding "readers/ns" of Role "reader" to';
  const byCluster = 'RBAC: allowed by ClusterRoleBinding "readers" of ClusterRole "reader" to';
  const rows: [User, RbacObjects, string, string][] = [
    [JANE, {}, 'noOpinion', ''],
    [JANE, clusterBound(jane), 'allow', `${byCluster} User "jane"`],
    [JANE, clusterBound(robot, ops, jane), 'allow', `${byCluster} Group "ops"`],
    [JANE, bound(jane), 'allow', `${byNamespace} User "jane"`],
    [ROBOT, bound(robot), 'allow', `${byNamespace} ServiceAccount "robot/ns"`],
    [JANE, missing, 'noOpinion', `RBAC: ${notFound('clusterrole')}`],
    [JANE, { ...bound(jane), roles: [] }, 'noOpinion', `RBAC: ${notFound('role')}`],
    [
      JANE,
      { ...missing, rolebindings: bound(jane).rolebindings ?? [] },
      'noOpinion',
      `RBAC: [${notFound('clusterrole')}, ${notFound('role')}]`,
    ],
    [JANE, { ...missing, ...bound(jane) }, 'allow', `${byNamespace} User "jane"`],
  ];
  for (const [who, objects, verdict, reason] of rows) {
    t.same(rbacOf(objects).rbac.authorize(access(who, GET_PODS)), { verdict, reason });
  }
});

t.test('what somebody may do is listed', async (t) => {
  const jane = { kind: 'User', name: 'jane' };
  const ops = { kind: 'Group', name: 'ops' };
  const named = { ...PODS, resourceNames: ['a'] };
  const { rbac } = rbacOf({
    ...clusterBound(jane, ops),
    roles: [{ name: 'other', namespace: 'ns', rules: [named] }],
    rolebindings: [
      {
        name: 'b',
        namespace: 'ns',
        subjects: [ops],
        roleRef: { kind: 'Role', name: 'other' },
      },
      { name: 'c', namespace: 'ns', subjects: [jane], roleRef: { kind: 'Role', name: 'none' } },
    ],
  });
  t.same(rbac.rulesFor(JANE, 'ns'), {
    resourceRules: [PODS, named],
    nonResourceRules: [METRICS],
    incomplete: false,
    evaluationError: 'role.rbac.authorization.cluster.io "none" not found',
  });
  t.match(rbac.rulesFor(ROBOT, 'ns'), { resourceRules: [], nonResourceRules: [] });
});

t.test(
  'a change counts from when it is known, and one that was answered is waited for',
  async (t) => {
    const jane = { kind: 'User', name: 'jane' };
    const { rbac, fed } = rbacOf(bound(jane));
    const verdict = async (): Promise<string> => {
      return (await rbac.authorize(access(JANE, GET_PODS))).verdict;
    };
    fed.fallBehind();
    const asked = verdict();
    const listed = rbac.rulesFor(JANE, 'ns');
    fed.remove('rolebindings', 'ns', 'readers');
    fed.catchUp();
    t.equal(await asked, 'noOpinion', 'decided after the change, not before');
    t.match(await listed, { resourceRules: [] });
    fed.put('rolebindings', {
      name: 'readers',
      namespace: 'ns',
      subjects: [jane, jane],
      roleRef: { kind: 'Role', name: 'reader' },
    });
    t.equal(await verdict(), 'allow');
    fed.remove('roles', 'ns', 'reader');
    t.equal(await verdict(), 'noOpinion', 'without its role a binding gives nothing');
    fed.put('roles', { name: 'reader', namespace: 'ns', rules: [PODS] });
    t.equal(await verdict(), 'allow', 'and with it again it does');
    fed.put('rolebindings', {
      name: 'readers',
      namespace: 'ns',
      subjects: [{ kind: 'Group', name: 'none' }],
      roleRef: { kind: 'Role', name: 'reader' },
    });
    t.equal(await verdict(), 'noOpinion');
  },
);
