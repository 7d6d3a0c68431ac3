/** What roles and bindings allow. */
import t from 'tap';
import { decideAccess, ruleAllows } from '../../src/semantics/rbac.ts';
import type { Access, PolicyRule, RbacObjects, RoleSubject } from '../../src/semantics/rbac.ts';

function resource(text: string, name = '', namespace = 'ns'): Access {
  const [verb = '', group = '', path = ''] = text.split(' ');
  const [type = '', subresource = ''] = path.split('/');
  return { verb, group: group === '-' ? '' : group, resource: type, subresource, name, namespace };
}

function path(verb: string, url: string): Access {
  return { verb, path: url };
}

const PODS: PolicyRule = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };

t.test('what one rule covers', async (t) => {
  const rows: [string, PolicyRule, Access, boolean][] = [
    ['the same', PODS, resource('get - pods'), true],
    ['another verb', PODS, resource('list - pods'), false],
    ['another group', PODS, resource('get apps pods'), false],
    ['another resource', PODS, resource('get - nodes'), false],
    ['a subresource of it', PODS, resource('get - pods/log'), false],
    ['a path', PODS, path('get', '/pods'), false],
    ['a name, by a rule without names', PODS, resource('get - pods', 'a'), true],
    ['any verb', { ...PODS, verbs: ['*'] }, resource('drain - pods'), true],
    ['all verbs, by one', PODS, resource('* - pods'), false],
    ['all verbs, by any', { ...PODS, verbs: ['*'] }, resource('* - pods'), true],
    ['any group', { ...PODS, apiGroups: ['*'] }, resource('get apps pods'), true],
    ['any resource', { ...PODS, resources: ['*'] }, resource('get - pods/log'), true],
    ['the subresource', { ...PODS, resources: ['pods/log'] }, resource('get - pods/log'), true],
    ['not the object then', { ...PODS, resources: ['pods/log'] }, resource('get - pods'), false],
    ['it of any type', { ...PODS, resources: ['*/log'] }, resource('get - pods/log'), true],
    ['another one', { ...PODS, resources: ['*/log'] }, resource('get - pods/exec'), false],
    ['none', { ...PODS, resources: ['*/log'] }, resource('get - pods'), false],
    ['no star inside', { ...PODS, resources: ['po*'] }, resource('get - pods'), false],
    ['a name of it', { ...PODS, resourceNames: ['a', 'b'] }, resource('get - pods', 'b'), true],
    ['another name', { ...PODS, resourceNames: ['a'] }, resource('get - pods', 'b'), false],
    ['no name', { ...PODS, resourceNames: ['a'] }, resource('get - pods'), false],
    ['nothing', {}, resource('get - pods'), false],
    ['a path, exactly', urls('/healthz'), path('get', '/healthz'), true],
    ['below it', urls('/healthz'), path('get', '/healthz/etcd'), false],
    ['by prefix', urls('/healthz/*'), path('get', '/healthz/etcd'), true],
    ['the prefix itself', urls('/healthz/*'), path('get', '/healthz'), false],
    ['any path', urls('*'), path('get', '/x'), true],
    ['another verb on a path', urls('*'), path('post', '/x'), false],
    ['no resource by a path', urls('*'), resource('get - pods'), false],
  ];
  for (const [what, rule, access, expected] of rows) {
    t.equal(ruleAllows(rule, access), expected, what);
  }
});

function urls(url: string): PolicyRule {
  return { verbs: ['get'], nonResourceURLs: [url] };
}

const NONE: RbacObjects = {
  roles: [],
  roleBindings: [],
  clusterRoles: [],
  clusterRoleBindings: [],
};
const JANE = { name: 'jane', uid: '', groups: ['dev', 'ops'] };
const ROBOT = { name: 'system:serviceaccount:ns:robot', uid: '', groups: [] };
const GET_PODS = resource('get - pods');

function bound(subject: RoleSubject): RbacObjects {
  return {
    ...NONE,
    roles: [{ metadata: { name: 'reader', namespace: 'ns' }, rules: [PODS] }],
    roleBindings: [
      {
        metadata: { name: 'readers', namespace: 'ns' },
        subjects: [subject],
        roleRef: { kind: 'Role', name: 'reader' },
      },
    ],
  };
}

function clusterBound(subject: RoleSubject): RbacObjects {
  return {
    ...NONE,
    clusterRoles: [{ metadata: { name: 'reader' }, rules: [PODS, urls('/metrics')] }],
    clusterRoleBindings: [
      {
        metadata: { name: 'readers' },
        subjects: [subject],
        roleRef: { kind: 'ClusterRole', name: 'reader' },
      },
    ],
  };
}

t.test('whom a binding names', async (t) => {
  const rows: [string, typeof JANE | typeof ROBOT, RoleSubject, boolean, boolean][] = [
    ['a user', JANE, { kind: 'User', name: 'jane' }, true, true],
    ['another user', JANE, { kind: 'User', name: 'dev' }, false, false],
    ['a group', JANE, { kind: 'Group', name: 'ops' }, true, true],
    ['another group', JANE, { kind: 'Group', name: 'jane' }, false, false],
    ['an account', ROBOT, { kind: 'ServiceAccount', name: 'robot', namespace: 'ns' }, true, true],
    ['one of the binding', ROBOT, { kind: 'ServiceAccount', name: 'robot' }, true, false],
    [
      'one of elsewhere',
      ROBOT,
      { kind: 'ServiceAccount', name: 'robot', namespace: 'x' },
      false,
      false,
    ],
    ['its user name', ROBOT, { kind: 'User', name: ROBOT.name }, true, true],
    ['a kind that is none', JANE, { kind: 'Person', name: 'jane' }, false, false],
  ];
  for (const [what, who, subject, inNamespace, inCluster] of rows) {
    t.equal(decideAccess(who, GET_PODS, bound(subject)).allowed, inNamespace, what);
    const { allowed } = decideAccess(who, GET_PODS, clusterBound(subject));
    t.equal(allowed, inCluster, `${what}, for the cluster`);
  }
});

t.test('where a binding counts', async (t) => {
  const jane = { kind: 'User', name: 'jane' };
  const everywhere = resource('get - pods', '', '');
  t.equal(decideAccess(JANE, everywhere, bound(jane)).allowed, false, 'not in all namespaces');
  t.equal(decideAccess(JANE, everywhere, clusterBound(jane)).allowed, true);
  t.equal(decideAccess(JANE, path('get', '/metrics'), clusterBound(jane)).allowed, true);
  const role = { kind: 'ClusterRole', name: 'reader' };
  const mixed: RbacObjects = {
    ...NONE,
    clusterRoles: clusterBound(jane).clusterRoles,
    roleBindings: bound(jane).roleBindings.map((binding) => ({ ...binding, roleRef: role })),
  };
  t.equal(decideAccess(JANE, GET_PODS, mixed).allowed, true, 'a cluster role in one namespace');
  t.equal(decideAccess(JANE, everywhere, mixed).allowed, false);
  t.equal(decideAccess(JANE, path('get', '/metrics'), mixed).allowed, false);
});

t.test('why', async (t) => {
  const jane = { kind: 'User', name: 'jane' };
  const robot = { kind: 'ServiceAccount', name: 'robot' };
  const missing = { ...clusterBound(jane), clusterRoles: [] };
  const rows: [typeof JANE | typeof ROBOT, RbacObjects, boolean, string][] = [
    [JANE, NONE, false, ''],
    [{ name: 'root', uid: '', groups: ['system:masters'] }, NONE, true, ''],
    [
      JANE,
      clusterBound(jane),
      true,
      'RBAC: allowed by ClusterRoleBinding "readers" of ClusterRole "reader" to User "jane"',
    ],
    [
      JANE,
      bound(jane),
      true,
      'RBAC: allowed by RoleBinding "readers/ns" of Role "reader" to User "jane"',
    ],
    [
      ROBOT,
      bound(robot),
      true,
      'RBAC: allowed by RoleBinding "readers/ns" of Role "reader" to ServiceAccount "robot/ns"',
    ],
    [JANE, missing, false, 'RBAC: clusterrole.rbac.authorization.cluster.io "reader" not found'],
    [
      JANE,
      { ...bound(jane), roles: [] },
      false,
      'RBAC: role.rbac.authorization.cluster.io "reader" not found',
    ],
    [
      JANE,
      { ...missing, roleBindings: bound(jane).roleBindings },
      false,
      'RBAC: [clusterrole.rbac.authorization.cluster.io "reader" not found, role.rbac.authorization.cluster.io "reader" not found]',
    ],
    [
      JANE,
      { ...bound(jane), clusterRoleBindings: missing.clusterRoleBindings },
      true,
      'RBAC: allowed by RoleBinding "readers/ns" of Role "reader" to User "jane"',
    ],
  ];
  for (const [who, objects, allowed, reason] of rows) {
    t.same(decideAccess(who, GET_PODS, objects), { allowed, reason });
  }
});
