/** Versions and their deprecation follow the specification, rule by rule. */
import t from 'tap';
import { memberChecks } from '../../src/conversion/check-members.ts';
import { convertObject } from '../../src/conversion/convert.ts';
import { MANIFEST_KINDS } from '../../src/conversion/version-table.ts';
import { isReleased } from '../../src/resources/kind-lives.ts';
import { deprecationWarning, BUILT_IN_TYPES as TYPES } from '../../src/types/served-types.ts';
import { MODEL } from '../resources/kind-rules.ts';
import { allCatalogueFiles, catalogueDocument } from '../support/catalogue.ts';

const check = memberChecks(MODEL);
const minorOf = (release: string): number => Number(release.split('.')[1]);
const SERVED_MINOR = 23;

/** 2 for stable versions, 1 for beta, 0 for alpha. */
function stability(groupVersion: string): number {
  if (groupVersion.includes('alpha')) return 0;
  return groupVersion.includes('beta') ? 1 : 2;
}

t.test('each version that is to go is served with its warning, until it is gone', async (t) => {
  const warnings = TYPES.map(deprecationWarning).filter((warning) => warning !== '');
  const event = 'events.cluster.io/v1beta1 Event';
  const flow = 'flowcontrol.apiserver.cluster.io';
  t.same(warnings.sort(), [
    'autoscaling/v2beta1 HorizontalPodAutoscaler is deprecated in v1.22+, unavailable in v1.25+; use autoscaling/v2 HorizontalPodAutoscaler',
    'autoscaling/v2beta2 HorizontalPodAutoscaler is deprecated in v1.23+, unavailable in v1.26+; use autoscaling/v2 HorizontalPodAutoscaler',
    'batch/v1beta1 CronJob is deprecated in v1.21+, unavailable in v1.25+; use batch/v1 CronJob',
    'discovery.cluster.io/v1beta1 EndpointSlice is deprecated in v1.21+, unavailable in v1.25+; use discovery.cluster.io/v1 EndpointSlice',
    `${event} is deprecated in v1.22+, unavailable in v1.25+`,
    `${flow}/v1beta1 FlowSchema is deprecated in v1.23+, unavailable in v1.26+; use ${flow}/v1beta2 FlowSchema`,
    `${flow}/v1beta1 PriorityLevelConfiguration is deprecated in v1.23+, unavailable in v1.26+; use ${flow}/v1beta2 PriorityLevelConfiguration`,
    'node.cluster.io/v1beta1 RuntimeClass is deprecated in v1.22+, unavailable in v1.25+',
    'policy/v1beta1 PodDisruptionBudget is deprecated in v1.21+, unavailable in v1.25+; use policy/v1 PodDisruptionBudget',
    'policy/v1beta1 PodSecurityPolicy is deprecated in v1.21+, unavailable in v1.25+',
    'storage.cluster.io/v1alpha1 CSIStorageCapacity is deprecated in v1.21+, unavailable in v1.24+; use storage.cluster.io/v1beta1 CSIStorageCapacity',
  ]);
});

t.test('what is gone is not served, and what is to go is', async (t) => {
  const served = new Set(TYPES.map((type) => `${type.groupVersion} ${type.definition.kind}`));
  for (const { kind, versions } of MANIFEST_KINDS.values()) {
    for (const { groupVersion, removedIn } of versions) {
      if (removedIn === undefined) continue;
      const isThere = served.has(`${groupVersion} ${kind}`);
      // Some come in a later release, and go again.
      const [version = '', group = ''] = groupVersion.split('/').reverse();
      const hasCome = isReleased({ group, version, kind });
      const stays = minorOf(removedIn) > SERVED_MINOR;
      t.equal(isThere, hasCome && stays, `${groupVersion} ${kind}`);
    }
  }
});

t.test(
  'a version is deprecated for none that is less stable, and for three releases',
  async (t) => {
    for (const { kind, versions } of MANIFEST_KINDS.values()) {
      for (const { groupVersion, deprecatedSince, removedIn = '', replacement = '' } of versions) {
        if (removedIn === '') continue;
        const name = `${groupVersion} ${kind}`;
        t.ok(replacement === '' || stability(replacement) >= stability(groupVersion), name);
        t.not(stability(groupVersion), 2, `${name}: stable versions stay`);
        if (deprecatedSince === undefined) continue;
        t.ok(minorOf(removedIn) - minorOf(deprecatedSince) >= 3, name);
      }
    }
  },
);

t.test('objects go from their stored version to each other one and back', async (t) => {
  for (const { name, cases } of await allCatalogueFiles()) {
    const { kind, apiVersion, full } = cases;
    const known = MANIFEST_KINDS.get(kind);
    if (known?.versions[0]?.groupVersion !== apiVersion) continue;
    const object = { ...catalogueDocument(cases, 'a', full) } as Record<string, unknown>;
    for (const { groupVersion } of known.versions.slice(1)) {
      const convert = (from: Record<string, unknown>, to: string) =>
        convertObject(from, { outputVersion: to, dialect: 'cluster.io', check });
      const there = convert(object, groupVersion);
      const back = convert(there?.object ?? {}, apiVersion);
      const problems = [...(there?.problems ?? []), ...(back?.problems ?? [])];
      // Servers alone may write it, and events that are not new have it.
      const isForServers = /^\S+ (?:cannot be written: |is not permitted in new events$)/;
      const others = problems.filter((problem) => !isForServers.test(problem));
      t.same(others, [], `${name} to ${groupVersion}`);
      if (kind === 'EndpointSlice' && problems.length > 0) continue;
      // The way there may have written down a default that this version would not have.
      t.match(back?.object, object, `${name} to ${groupVersion} and back`);
    }
  }
});
