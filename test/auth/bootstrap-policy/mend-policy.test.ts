/** A start mends stored roles and bindings of the bootstrap policy. */
import t from 'tap';
import type { ClusterRole } from '#messages/rbac.v1';
import { mendedBinding, mendedRole } from '../../../src/auth/bootstrap-policy/mend-policy.ts';
import type { Binding } from '../../../src/resources/rbac/role-binding-rules.ts';

const METADATA = {
  name: 'a',
  labels: { 'cluster.io/bootstrapping': 'rbac-defaults' },
  annotations: { 'rbac.authorization.cluster.io/autoupdate': 'true' },
};
const OPTED_OUT = {
  name: 'a',
  annotations: { 'rbac.authorization.cluster.io/autoupdate': 'false' },
};
const READ = { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] };
const WRITE = { verbs: ['update'], apiGroups: [''], resources: ['pods'] };
const ROLE: ClusterRole = { metadata: METADATA, rules: [READ] };
const SELECTOR = { matchLabels: { to: 'a' } };
const SUM: ClusterRole = {
  metadata: METADATA,
  aggregationRule: { clusterRoleSelectors: [SELECTOR] },
};

t.test('a role that is right stays', async (t) => {
  t.equal(mendedRole(ROLE, ROLE), undefined);
  t.equal(mendedRole({ ...ROLE, rules: [WRITE, READ] }, ROLE), undefined, 'with more rules');
  t.equal(mendedRole({ ...SUM, rules: [READ] }, SUM), undefined, 'whose rules are summed up');
  const star = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
  t.equal(mendedRole({ ...ROLE, rules: [star] }, ROLE), undefined, 'whose rules cover them');
  t.equal(mendedRole({ metadata: OPTED_OUT, rules: [] }, ROLE), undefined, 'that says so');
});

t.test('what a role lacks is added', async (t) => {
  const missing = { verbs: ['list'], apiGroups: [''], resources: ['pods'] };
  const got = { ...READ, verbs: ['get'] };
  t.same(mendedRole({ ...ROLE, rules: [got, WRITE] }, ROLE), {
    ...ROLE,
    rules: [got, WRITE, missing],
  });
  const metadata = { name: 'a', uid: 'u', labels: { mine: 'yes' } };
  t.same(mendedRole({ metadata, rules: [READ] }, ROLE), {
    metadata: {
      ...METADATA,
      uid: 'u',
      labels: { 'cluster.io/bootstrapping': 'rbac-defaults', mine: 'yes' },
    },
    rules: [READ],
  });
});

t.test('how a role is summed up is mended', async (t) => {
  const other = { matchLabels: { to: 'b' } };
  t.same(mendedRole({ ...SUM, ...ROLE }, ROLE), ROLE, 'one that is not');
  t.same(mendedRole({ metadata: METADATA, rules: [READ] }, SUM), { ...SUM, rules: [READ] });
  const both = { clusterRoleSelectors: [other, SELECTOR] };
  const stored = { ...SUM, aggregationRule: { clusterRoleSelectors: [other] } };
  t.same(mendedRole(stored, SUM), { ...SUM, aggregationRule: both });
});

const REF = { apiGroup: 'rbac', kind: 'ClusterRole', name: 'a' };
const USER = { kind: 'User', apiGroup: 'rbac', name: 'u' };
const GROUP = { kind: 'Group', apiGroup: 'rbac', name: 'g' };
const BINDING: Binding = { metadata: METADATA, roleRef: REF, subjects: [USER] };

t.test('bindings', async (t) => {
  t.equal(mendedBinding(BINDING, BINDING), undefined);
  t.equal(mendedBinding({ ...BINDING, subjects: [GROUP, USER] }, BINDING), undefined);
  t.same(mendedBinding({ ...BINDING, subjects: [GROUP] }, BINDING), {
    ...BINDING,
    subjects: [GROUP, USER],
  });
  t.same(mendedBinding({ metadata: METADATA, roleRef: REF }, BINDING), BINDING);
  const other = { ...BINDING, roleRef: { ...REF, name: 'b' } };
  t.equal(mendedBinding(other, BINDING), 'replace');
  t.equal(mendedBinding({ ...other, metadata: OPTED_OUT }, BINDING), undefined, 'that says so');
});

t.end();
