/** The policy of release 1.23, as the reference begins with it. */
import t from 'tap';
import type { ClusterRole } from '#messages/rbac.v1';
import { bootstrapPolicy } from '../../../src/auth/bootstrap-policy/bootstrap-policy.ts';
import { DEFAULT_GATES } from '../../../src/release/own-gates.ts';
import { DEFAULT_RELEASE } from '../../../src/release/release.ts';
import type { Binding } from '../../../src/resources/rbac/role-binding-rules.ts';

const POLICY = bootstrapPolicy({ minor: DEFAULT_RELEASE.minor, gates: DEFAULT_GATES });

function of(plural: string) {
  return POLICY.filter(({ resource }) => resource === `${plural}.rbac.authorization.cluster.io`);
}

t.test('there are as many of each type as in the reference', async (t) => {
  t.equal(of('clusterroles').length, 62);
  t.equal(of('clusterrolebindings').length, 43);
  t.equal(of('roles').length, 7);
  t.equal(of('rolebindings').length, 7);
  const keys = POLICY.map(({ resource, namespace, name }) => `${resource} ${namespace}/${name}`);
  t.equal(new Set(keys).size, POLICY.length, 'none comes twice');
});

t.test('rules are in the order of the reference, and allow something', async (t) => {
  for (const { name, wanted } of [...of('clusterroles'), ...of('roles')]) {
    const { rules = [], aggregationRule } = wanted as ClusterRole;
    t.equal(rules.length === 0, aggregationRule !== undefined, name);
    for (const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } of rules) {
      for (const list of [verbs, apiGroups, resources, resourceNames, nonResourceURLs]) {
        t.same(list, list?.toSorted(), name);
        t.notOk(list?.length === 0, name);
      }
    }
  }
});

t.test('bindings bind roles that there are', async (t) => {
  for (const { namespace, name, wanted } of [...of('clusterrolebindings'), ...of('rolebindings')]) {
    const { roleRef } = wanted as Binding;
    const roles = of(roleRef?.kind === 'Role' ? 'roles' : 'clusterroles');
    const found = roles.filter((it) => it.namespace === namespace && it.name === roleRef?.name);
    t.equal(found.length, 1, name);
  }
});

t.test('some in full', async (t) => {
  const labels = { 'cluster.io/bootstrapping': 'rbac-defaults' };
  const annotations = { 'rbac.authorization.cluster.io/autoupdate': 'true' };
  const find = (name: string, plural: string) => of(plural).find((it) => it.name === name)?.wanted;
  const to = (name: string) => ({ [`rbac.authorization.cluster.io/aggregate-to-${name}`]: 'true' });
  t.same(find('edit', 'clusterroles'), {
    metadata: { name: 'edit', labels: { ...labels, ...to('admin') }, annotations },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: to('edit') }] },
  });
  const approver = 'system:certificates.cluster.io:kube-apiserver-client-kubelet-approver';
  t.same(find(approver, 'clusterroles'), {
    metadata: { name: approver, labels, annotations },
    rules: [
      {
        verbs: ['approve'],
        apiGroups: ['certificates.cluster.io'],
        resources: ['signers'],
        resourceNames: ['cluster.io/kube-apiserver-client-kubelet'],
      },
    ],
  });
  t.same(find('system:controller:ttl-controller', 'clusterrolebindings'), {
    metadata: { name: 'system:controller:ttl-controller', labels, annotations },
    roleRef: {
      apiGroup: 'rbac.authorization.cluster.io',
      kind: 'ClusterRole',
      name: 'system:controller:ttl-controller',
    },
    subjects: [{ kind: 'ServiceAccount', name: 'ttl-controller', namespace: 'cluster-system' }],
  });
  t.notOk('subjects' in (find('system:node', 'clusterrolebindings') ?? {}));
  const signer = { namespace: 'cluster-public', name: 'system:controller:bootstrap-signer' };
  t.ok(
    of('roles').some(({ wanted: { metadata } }) => {
      return metadata.namespace === signer.namespace && metadata.name === signer.name;
    }),
  );
});

t.end();
