/** Which group and which version comes first (src/front/README.md#discovery). */
import { compareTexts } from '../../base/text/compare-texts.ts';
import { ownRelease } from '../../release/release.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import { compareVersionNames } from '../../types/custom/version-priority.ts';

const RESOURCES = ownGroup('resource.cluster.io');
const comesEarly = ownRelease().has('resourcesBeforeFlowControl');

/** Those that are built in; all others come after them, by name. */
const GROUPS: readonly string[] = [
  '',
  ownGroup('apiregistration.cluster.io'),
  'apps',
  ownGroup('events.cluster.io'),
  ownGroup('authentication.cluster.io'),
  ownGroup('authorization.cluster.io'),
  'autoscaling',
  'batch',
  ownGroup('certificates.cluster.io'),
  ownGroup('networking.cluster.io'),
  'policy',
  ownGroup('rbac.authorization.cluster.io'),
  ownGroup('storage.cluster.io'),
  ownGroup('admissionregistration.cluster.io'),
  ownGroup('apiextensions.cluster.io'),
  ownGroup('scheduling.cluster.io'),
  ownGroup('coordination.cluster.io'),
  ownGroup('node.cluster.io'),
  ownGroup('discovery.cluster.io'),
  ...(comesEarly ? [RESOURCES] : []),
  ownGroup('flowcontrol.apiserver.cluster.io'),
  ownGroup('internal.apiserver.cluster.io'),
  ...(comesEarly ? [] : [RESOURCES]),
  ownGroup('storagemigration.cluster.io'),
  ownGroup('lifecycle.cluster.io'),
];

/** Where the reference has an order of its own. */
const VERSIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['autoscaling', ['v2', 'v1', 'v2beta1', 'v2beta2']],
]);

/** Smaller for a group that comes first; the core group precedes all. */
export function groupRank(group: string): number {
  return rank(GROUPS, group);
}

/** Negative when the first group comes first. */
export function compareGroups(one: string, other: string): number {
  return groupRank(one) - groupRank(other) || compareTexts(one, other);
}

/** Negative when the first version is preferred to the other one of the same group. */
export function compareVersions(group: string, one: string, other: string): number {
  const order = VERSIONS.get(group) ?? [];
  return rank(order, one) - rank(order, other) || compareVersionNames(one, other);
}

function rank(order: readonly string[], name: string): number {
  const index = order.indexOf(name);
  return index === -1 ? order.length : index;
}
