/** What is served, in the order in which discovery tells of it (README.md#discovery). */
import { groupVersionOf } from '../../resources/kind.ts';
import type { ServedType } from '../../types/served-types.ts';
import type { VirtualKind } from '../../resources/virtual-kinds.ts';
import { typeResources, virtualResource } from './api-resource.ts';
import type { ApiResource } from './api-resource.ts';
import { compareGroups, compareVersions } from './priority.ts';

export interface DiscoveredGroup {
  /** '' for the core group. */
  readonly name: string;
  /** At least one; the preferred version first. */
  readonly versions: readonly DiscoveredVersion[];
}

export interface DiscoveredVersion {
  readonly version: string;
  /** `v1`, `batch/v1`. */
  readonly groupVersion: string;
  /** Sorted by name. */
  readonly resources: readonly ApiResource[];
}

type Versions = Map<string, ApiResource[]>;

/**
 * The groups that the router serves when it is made of the same types and virtual kinds:
 * by priority, the core group first.
 */
export function discoveredGroups(
  types: readonly ServedType[],
  virtualKinds: readonly VirtualKind[],
): readonly DiscoveredGroup[] {
  const groups = new Map<string, Versions>();
  for (const type of types) resourcesOf(groups, type).push(...typeResources(type));
  for (const virtual of virtualKinds) resourcesOf(groups, virtual).push(virtualResource(virtual));
  return [...groups]
    .toSorted(([one], [other]) => compareGroups(one, other))
    .map(([group, versions]) => discoveredGroup(group, versions));
}

/** The list to add to. */
function resourcesOf(
  groups: Map<string, Versions>,
  { group, version }: { readonly group: string; readonly version: string },
): ApiResource[] {
  const versions: Versions = groups.get(group) ?? new Map<string, ApiResource[]>();
  groups.set(group, versions);
  const resources = versions.get(version) ?? [];
  versions.set(version, resources);
  return resources;
}

function discoveredGroup(name: string, versions: Versions): DiscoveredGroup {
  return {
    name,
    versions: Array.from(versions, ([version, resources]) => ({
      version,
      groupVersion: groupVersionOf({ group: name, version }),
      resources: resources.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    })).toSorted((one, other) => compareVersions(name, one.version, other.version)),
  };
}
