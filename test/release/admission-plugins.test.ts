/** The admission plugins of each release, as the reference has them. */
import t from 'tap';
import { PLUGINS, pluginsOf } from '../../src/admission/plugins.ts';
import { PLUGIN_LIVES } from '../../src/release/data/admission-plugins.ts';
import { isIn, type Life } from '../../src/release/life.ts';
import { NEWEST_MINOR, OLDEST_MINOR, releaseOf } from '../../src/release/release.ts';

/** Those of all releases in their order; `+` is on, and minors say from when until when. */
const REFERENCE = `
AlwaysAdmit NamespaceAutoProvision +NamespaceLifecycle NamespaceExists SecurityContextDeny..30
LimitPodHardAntiAffinityTopology +LimitRanger +ServiceAccount NodeRestriction
+TaintNodesByCondition AlwaysPullImages ImagePolicyWebhook +PodSecurity PodSecurityPolicy..25
PodNodeSelector +Priority +DefaultTolerationSeconds PodTolerationRestriction EventRateLimit
ExtendedResourceToleration PersistentVolumeLabel..31 +DefaultStorageClass
+StorageObjectInUseProtection +PodGroupProtection36.. OwnerReferencesPermissionEnforcement
+PersistentVolumeClaimResize +RuntimeClass +CertificateApproval +CertificateSigning
+ClusterTrustBundleAttest27.. +CertificateSubjectRestriction +DefaultIngressClass
DenyServiceExternalIPs +PodTopologyLabels33.. +PodGroupWorkloadExists36..37
+NodeDeclaredFeatureValidator35.. +JobValidation36..37 +PodResizeValidator36..
+MutatingAdmissionPolicy32.. +MutatingAdmissionWebhook +ValidatingAdmissionPolicy26..
+ValidatingAdmissionWebhook +ResourceQuota AlwaysDeny`;

/** These are not here in any release. */
const LACKING = ['AlwaysAdmit', 'ImagePolicyWebhook'];
const LIVES: Readonly<Record<string, Life & { after: string; isOn?: true }>> = PLUGIN_LIVES;

const rows = REFERENCE.trim()
  .split(/\s+/)
  .map((row) => /^(\+?)([A-Za-z]+)(\d*)(?:\.\.)?(\d*)$/.exec(row) ?? [])
  .map(([, sign, name = '', since = '', until = '']) => ({
    name,
    isOn: sign === '+',
    since: Number(since),
    until: until === '' ? Infinity : Number(until),
  }));

t.test('all that come or go are known, with their places', async (t) => {
  const all = [...Object.keys(PLUGINS), ...LACKING];
  for (const name of Object.keys(LIVES)) if (!all.includes(name)) all.push(name);
  t.same(all.toSorted(), rows.map(({ name }) => name).toSorted());
  for (const [index, { name, isOn, since, until }] of rows.entries()) {
    const life = LIVES[name];
    if (life === undefined) {
      if (!LACKING.includes(name)) t.equal(PLUGINS[name]?.isOnByDefault, isOn, name);
      continue;
    }
    const { after, isOn: willBeOn = false } = life;
    t.same([life.since ?? 0, life.until ?? Infinity, willBeOn], [since, until, isOn], name);
    const before = rows.slice(0, index).filter((row) => !LACKING.includes(row.name));
    t.equal(before.at(-1)?.name, after, name);
  }
});

for (let minor = OLDEST_MINOR; minor <= NEWEST_MINOR; minor++) {
  t.test(`1.${minor} has its own, in the order of the reference`, async (t) => {
    const reference = rows.filter((row) => isIn(row, minor) && Object.hasOwn(PLUGINS, row.name));
    t.same(
      pluginsOf(releaseOf(minor)).map(([name]) => name),
      reference.map(({ name }) => name),
    );
  });
}

t.end();
