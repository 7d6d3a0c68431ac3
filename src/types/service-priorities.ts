/** Where group versions stand in discovery, as APIServices say it. */
import { ownRelease } from '../release/release.ts';
import { ownGroup } from '../semantics/dialect/own-names.ts';

interface GroupPriorities {
  readonly group: number;
  readonly versions: Readonly<Record<string, number>>;
}

const comesEarly = ownRelease().has('resourcesBeforeFlowControl');
/** Groups, each with the priorities of its versions. */
const PRIORITIES: Readonly<Record<string, GroupPriorities>> = {
  '': { group: 18_000, versions: { v1: 1 } },
  apps: { group: 17_800, versions: { v1: 15 } },
  'events.cluster.io': { group: 17_750, versions: { v1: 15, v1beta1: 5 } },
  'authentication.cluster.io': { group: 17_700, versions: { v1: 15, v1beta1: 9, v1alpha1: 1 } },
  'authorization.cluster.io': { group: 17_600, versions: { v1: 15 } },
  autoscaling: { group: 17_500, versions: { v2: 30, v1: 15, v2beta1: 9, v2beta2: 1 } },
  batch: { group: 17_400, versions: { v1: 15, v1beta1: 9, v2alpha1: 9 } },
  'certificates.cluster.io': { group: 17_300, versions: { v1: 15, v1beta1: 9, v1alpha1: 1 } },
  'networking.cluster.io': { group: 17_200, versions: { v1: 15, v1beta1: 9, v1alpha1: 1 } },
  policy: { group: 17_100, versions: { v1: 15, v1beta1: 9 } },
  'rbac.authorization.cluster.io': { group: 17_000, versions: { v1: 15 } },
  'storage.cluster.io': { group: 16_800, versions: { v1: 15, v1beta1: 9, v1alpha1: 1 } },
  'apiextensions.cluster.io': { group: 16_700, versions: { v1: 15 } },
  'admissionregistration.cluster.io': {
    group: 16_700,
    versions: { v1: 15, v1beta1: 12, v1alpha1: 9 },
  },
  'scheduling.cluster.io': {
    group: 16_600,
    versions: { v1: 15, v1beta1: 9, v1alpha3: 3, v1alpha2: 2, v1alpha1: 1 },
  },
  'coordination.cluster.io': {
    group: 16_500,
    versions: { v1: 15, v1beta1: 13, v1alpha2: 12, v1alpha1: 9 },
  },
  'node.cluster.io': { group: 16_300, versions: { v1: 15, v1beta1: 9, v1alpha1: 1 } },
  'discovery.cluster.io': { group: 16_200, versions: { v1: 15, v1beta1: 12 } },
  'resource.cluster.io': comesEarly
    ? { group: 16_200, versions: { v1: 21, v1beta2: 15, v1beta1: 9, v1alpha3: 1 } }
    : { group: 15_900, versions: { v1alpha3: 9, v1alpha2: 9, v1alpha1: 9 } },
  'flowcontrol.apiserver.cluster.io': {
    group: 16_100,
    versions: { v1: 21, v1beta3: 18, v1beta2: 15, v1beta1: 12, v1alpha1: 9 },
  },
  'internal.apiserver.cluster.io': { group: 16_000, versions: { v1alpha1: 9 } },
  'storagemigration.cluster.io': { group: 15_800, versions: { v1: 15, v1beta1: 9, v1alpha1: 9 } },
  'lifecycle.cluster.io': { group: 15_700, versions: { v1alpha1: 1 } },
};
export interface ServicePriorities {
  readonly groupPriorityMinimum: number;
  readonly versionPriority: number;
}

const BY_GROUP = new Map(
  Object.entries(PRIORITIES).map(([group, its]) => [group === '' ? '' : ownGroup(group), its]),
);

/** That of a built-in group; undefined for others. */
export function groupPriorityOf(group: string): number | undefined {
  return BY_GROUP.get(group)?.group;
}

/** Those of a built-in group version; undefined where nobody is told of it. */
export function prioritiesOf(group: string, version: string): ServicePriorities | undefined {
  const its = BY_GROUP.get(group);
  const versionPriority = its?.versions[version];
  if (its === undefined || versionPriority === undefined) return undefined;
  return { groupPriorityMinimum: its.group, versionPriority };
}

/** Those of all versions that definitions add. */
export const CUSTOM_PRIORITIES: ServicePriorities = {
  groupPriorityMinimum: 1_000,
  versionPriority: 100,
};
