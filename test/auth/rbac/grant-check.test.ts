/** Writers of roles and bindings have to hold what they grant. */
import t from 'tap';
import type { PolicyRule } from '#messages/rbac.v1';
import { ALWAYS_ALLOW } from '../../../src/auth/fixed-authorizers.ts';
import type { Authorizer } from '../../../src/auth/authorizer.ts';
import { GrantCheck } from '../../../src/auth/rbac/grant-check.ts';
import type { ApiObject } from '../../../src/resources/kind.ts';
import { StatusError } from '../../../src/semantics/errors/status.ts';
import { userText } from '../../../src/semantics/user.ts';
import { person, rbacOf } from '../../support/rbac.ts';
import type { HandFed, RbacObjects } from '../../support/rbac.ts';

const JANE = person('jane', 'dev', 'o"ps');
const GROUP = 'rbac.authorization.cluster.io';
const PODS: PolicyRule = { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] };
const LOGS: PolicyRule = { verbs: ['get'], apiGroups: [''], resources: ['pods/log'] };
const URLS: PolicyRule = { verbs: ['get'], nonResourceURLs: ['/b', '/a'] };

interface Written {
  readonly user?: string | undefined;
  readonly namespace?: string;
  readonly plural?: string;
  readonly name?: string;
  readonly object: object;
  readonly stored?: object;
}

function holding(...rules: PolicyRule[]): RbacObjects {
  return {
    clusterroles: [
      { name: 'held', rules },
      { name: 'other', rules: [PODS] },
    ],
    clusterrolebindings: [
      {
        name: 'held',
        subjects: [{ kind: 'User', name: 'jane' }],
        roleRef: { kind: 'ClusterRole', name: 'held' },
      },
    ],
  };
}

function checkOf(
  objects: RbacObjects,
  authorizer?: Authorizer,
): { check: GrantCheck; fed: HandFed } {
  const { rbac, fed } = rbacOf(objects);
  return { check: new GrantCheck(() => ({ rbac, authorizer: authorizer ?? rbac })), fed };
}

/** Gives the refusal of a write; '' where it is free. */
function said(check: GrantCheck, written: Written): string {
  const { user = userText(JANE), namespace = '', plural = 'clusterroles', name = '' } = written;
  const change = {
    plural,
    sentName: 'x',
    object: { metadata: {}, ...written.object } as ApiObject,
    stored: written.stored as ApiObject | undefined,
  };
  try {
    const request = { namespace, name, ...('user' in written && !written.user ? {} : { user }) };
    const { done } = check.check(request, change).next();
    return done === true ? '' : 'not known yet';
  } catch (error) {
    if (error instanceof StatusError) return `${error.code} ${error.message}`;
    throw error;
  }
}

const MISSING =
  `403 clusterroles.${GROUP} "x" is forbidden: user "jane" (groups=["dev" "o\\"ps"]) ` +
  'is attempting to grant RBAC permissions not currently held:\n';

t.test('rules that are held may be given, and no others', async (t) => {
  const all = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
  const named = { ...PODS, resourceNames: ['a', 'b'] };
  const rows: [string, PolicyRule[], PolicyRule[], string][] = [
    ['nothing', [], [], ''],
    ['the same', [PODS, URLS], [PODS, URLS], ''],
    ['of several rules', [PODS, LOGS], [{ ...LOGS, resources: ['pods', 'pods/log'] }], ''],
    ['all', [all], [PODS, named], ''],
    ['less', [PODS], [{ ...PODS, verbs: ['list'] }], ''],
    ['some names', [PODS], [named], ''],
    ['a subresource of all', [{ ...LOGS, resources: ['*/log'] }], [LOGS], ''],
    ['paths below', [{ verbs: ['*'], nonResourceURLs: ['/*'] }], [URLS], ''],
    [
      'verbs, together',
      [LOGS],
      [PODS, { ...PODS, verbs: ['get', 'watch'] }],
      '{APIGroups:[""], Resources:["pods"], Verbs:["get" "list" "get" "watch"]}',
    ],
    [
      'paths, each',
      [PODS],
      [URLS],
      '{NonResourceURLs:["/a"], Verbs:["get"]}\n{NonResourceURLs:["/b"], Verbs:["get"]}',
    ],
    [
      'all names, by some',
      [named],
      [PODS],
      '{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}',
    ],
    [
      'each name',
      [{ ...named, resourceNames: ['a'] }],
      [{ ...named, verbs: ['list'], resourceNames: ['a', 'c', 'b'] }],
      '{APIGroups:[""], Resources:["pods"], ResourceNames:["b"], Verbs:["list"]}\n' +
        '{APIGroups:[""], Resources:["pods"], ResourceNames:["c"], Verbs:["list"]}',
    ],
    [
      'a star, by all that it stands for',
      [PODS],
      [{ ...PODS, verbs: ['*'] }],
      '{APIGroups:[""], Resources:["pods"], Verbs:["*"]}',
    ],
  ];
  for (const [what, held, rules, missing] of rows) {
    const { check } = checkOf(holding(...held));
    t.equal(said(check, { object: { rules } }), missing && MISSING + missing, what);
  }
});

t.test('what is free', async (t) => {
  const { check } = checkOf(holding(LOGS));
  const stored = { metadata: { name: 'x', resourceVersion: '1' }, rules: [PODS] };
  const ended = { ...stored, metadata: { name: 'x', finalizers: ['a/b'] } };
  const labelled = { ...stored, metadata: { name: 'x', labels: { a: 'b' } } };
  const root = userText(person('root', 'system:masters'));
  const rows: [string, Written, string | RegExp][] = [
    ['of the server itself', { object: stored, user: undefined }, ''],
    ['of the privileged', { object: stored, user: root }, ''],
    ['what the collector needs', { object: ended, stored }, ''],
    ['no label of what is not held', { object: labelled, stored }, /not currently held/],
    ['less than before, if it is held', { object: { ...stored, rules: [LOGS] }, stored }, ''],
  ];
  for (const [what, written, expected] of rows) t.match(said(check, written), expected, what);
});

t.test('the verbs escalate and bind', async (t) => {
  const verb = (verb: string, resource: string): PolicyRule => {
    return { verbs: [verb], apiGroups: [GROUP], resources: [resource], resourceNames: ['other'] };
  };
  const roleRef = { kind: 'ClusterRole', name: 'other' };
  const escalating = checkOf(holding(verb('escalate', 'clusterroles'))).check;
  t.equal(said(escalating, { object: { rules: [PODS] }, name: 'other' }), '');
  t.match(said(escalating, { object: { rules: [PODS] }, name: 'x' }), /^403 /);
  const binding = checkOf(holding(verb('bind', 'clusterroles'))).check;
  for (const plural of ['clusterrolebindings', 'rolebindings']) {
    t.equal(said(binding, { plural, object: { roleRef }, namespace: 'ns' }), '');
    t.match(said(escalating, { plural, object: { roleRef }, namespace: 'ns' }), /^403 /);
  }
  t.equal(said(checkOf(holding(PODS)).check, { plural: 'rolebindings', object: { roleRef } }), '');
});

t.test('an aggregated role needs everything', async (t) => {
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
  const refused = `403 clusterroles.${GROUP} "x" is forbidden: must have cluster-admin privileges to use the aggregationRule`;
  const few = checkOf(holding(PODS)).check;
  t.equal(said(few, { object: { aggregationRule } }), refused);
  const stored = { metadata: {}, aggregationRule };
  t.equal(said(few, { object: { rules: [] }, stored }), refused, 'to end it too');
  const everything = [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
    { verbs: ['*'], nonResourceURLs: ['*'] },
  ];
  t.equal(said(checkOf(holding(...everything)).check, { object: { aggregationRule } }), '');
});

t.test('roles that cannot be looked up', async (t) => {
  const { check } = checkOf({
    ...holding(PODS),
    rolebindings: [
      {
        name: 'b',
        namespace: 'ns',
        subjects: [{ kind: 'Group', name: 'dev' }],
        roleRef: { kind: 'Role', name: 'gone' },
      },
    ],
  });
  const rows: [object, string, string][] = [
    [{ kind: 'ClusterRole', name: 'none' }, 'ns', `404 clusterroles.${GROUP} "none" not found`],
    [{ kind: 'Role', name: 'none' }, 'ns', `404 roles.${GROUP} "none" not found`],
    [{ kind: 'Role', name: 'none' }, '', '400 Namespace parameter required.'],
    [{ kind: 'Role', name: '' }, 'ns', '400 Name parameter required.'],
    [{ kind: 'Cat', name: 'x' }, 'ns', '500 unsupported role reference kind: "Cat"'],
  ];
  for (const [roleRef, namespace, expected] of rows) {
    const plural = namespace === '' ? 'clusterrolebindings' : 'rolebindings';
    t.equal(said(check, { plural, namespace, object: { roleRef } }), expected);
  }
  t.match(
    said(check, { plural: 'roles', namespace: 'ns', object: { rules: [LOGS] } }),
    /Verbs:\["get"\]\}; resolution errors: \[roles\.rbac\.authorization\.cluster\.io "gone" not found\]$/,
  );
});

t.test('what is not known yet is waited for, once for each request', async (t) => {
  const slow: Authorizer = {
    ...ALWAYS_ALLOW,
    authorize: async () => ({ verdict: 'allow', reason: '' }),
  };
  const { check, fed } = checkOf(holding(PODS), slow);
  const request = { namespace: '', name: '', user: userText(JANE) };
  const change = {
    plural: 'clusterroles',
    sentName: 'x',
    stored: undefined,
    object: { metadata: {}, rules: [LOGS] },
  };
  const waits = async (): Promise<number> => {
    let waited = 0;
    for (const known of check.check(request, change)) {
      fed.catchUp();
      await known;
      fed.fallBehind();
      waited++;
    }
    return waited;
  };
  fed.fallBehind();
  t.equal(await waits(), 2, 'for roles and bindings, and for who decides');
  t.equal(await waits(), 0, 'and not for later changes');
});
