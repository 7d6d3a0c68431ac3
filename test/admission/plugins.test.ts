/** Which plugins there are, as the reference has them, and what each of them looks at. */
import t from 'tap';
import { DEFAULT_GATES } from '../../src/release/own-gates.ts';
import { PLUGINS } from '../../src/admission/plugins.ts';
import type { AdmissionOperation, ProposedWrite } from '../../src/admission/proposal.ts';
import { KINDS } from '../../src/resources/registry.ts';
import { admissionContext } from '../support/proposals.ts';

/** In the order of the reference; `+` are on where nobody says so. */
const REFERENCE = [
  '-NamespaceAutoProvision',
  '+NamespaceLifecycle',
  '-NamespaceExists',
  '-LimitPodHardAntiAffinityTopology',
  '+LimitRanger',
  '+ServiceAccount',
  '-NodeRestriction',
  '+TaintNodesByCondition',
  '-AlwaysPullImages',
  '+PodSecurity',
  '-PodNodeSelector',
  '+Priority',
  '+DefaultTolerationSeconds',
  '-PodTolerationRestriction',
  '-EventRateLimit',
  '-ExtendedResourceToleration',
  '+DefaultStorageClass',
  '+StorageObjectInUseProtection',
  '+PodGroupProtection',
  '-OwnerReferencesPermissionEnforcement',
  '+PersistentVolumeClaimResize',
  '+RuntimeClass',
  '+CertificateApproval',
  '+CertificateSigning',
  '+CertificateSubjectRestriction',
  '+DefaultIngressClass',
  '-DenyServiceExternalIPs',
  '+PodTopologyLabels',
  '+PodGroupWorkloadExists',
  '+JobValidation',
  '+MutatingAdmissionPolicy',
  '+MutatingAdmissionWebhook',
  '+ValidatingAdmissionPolicy',
  '+ValidatingAdmissionWebhook',
  '+ResourceQuota',
  '-AlwaysDeny',
];

/** These look at all types. */
const GENERAL = [
  'NamespaceAutoProvision',
  'NamespaceLifecycle',
  'NamespaceExists',
  'NodeRestriction',
  'OwnerReferencesPermissionEnforcement',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
  'ResourceQuota',
  'AlwaysDeny',
];

const OPERATIONS: readonly AdmissionOperation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

function askedAbout(write: ProposedWrite): string[] {
  return Object.entries(PLUGINS).flatMap(([name, { concerns }]) =>
    concerns(write, undefined, DEFAULT_GATES) ? name : [],
  );
}

t.test('plugins are those of the reference, in its order', async (t) => {
  const named = Object.entries(PLUGINS).map(
    ([name, { isOnByDefault }]) => `${isOnByDefault ? '+' : '-'}${name}`,
  );
  t.same(named, REFERENCE);
});

t.test('each can be loaded, and has a say', async (t) => {
  for (const [name, { load }] of Object.entries(PLUGINS)) {
    const plugin = await load(admissionContext(), {});
    t.ok(plugin.admit !== undefined || plugin.validate !== undefined, name);
  }
});

/** Names the plugins besides the general ones that look at a type. */
function specialFor(group: string, resource: string, subresource = ''): string[] {
  return OPERATIONS.flatMap((operation) =>
    askedAbout({ operation, group, resource, subresource })
      .filter((name) => !GENERAL.includes(name))
      .map((name) => `${name}: ${operation} ${resource}/${subresource}`),
  );
}

t.test('a type of somebody is looked at as such, whatever it is called', async (t) => {
  const special = KINDS.flatMap(({ plural, parts = {} }) =>
    ['', 'status', ...Object.keys(parts)].flatMap((part) =>
      specialFor('example.com', plural, part),
    ),
  );
  t.same(special, []);
});

t.test('types about which there is no rule are asked about in general alone', async (t) => {
  t.same(specialFor('', 'configmaps'), []);
  t.same(specialFor('apps', 'deployments', 'status'), []);
});
