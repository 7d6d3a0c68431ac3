/**
 * The served types, in the order in which discovery tells of them (src/front/README.md#discovery).
 */
import { appendAll } from '../../base/append-all.ts';
import { groupVersionOf } from '../../resources/kind.ts';
import type { ServedType } from '../../types/served-types.ts';
import type { VirtualKind } from '../../resources/virtual-kinds.ts';
import { compareTexts } from '../../base/text/compare-texts.ts';
import type { DefinitionFacts } from '../../types/custom/definition-facts.ts';
import { customResources, typeResources, virtualResource } from './api-resource.ts';
import type { ApiResource } from './api-resource.ts';
import { compareVersions, groupRank } from './priority.ts';

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
  /** Sorted by name, built-in ones first; subresources of custom ones after their type. */
  readonly resources: readonly ApiResource[];
  /** Those of custom types among them. */
  readonly custom: ReadonlySet<ApiResource>;
}

/** All that is served. */
export interface Discovered {
  readonly types: readonly ServedType[];
  readonly virtualKinds: readonly VirtualKind[];
  /** The definitions of custom types. */
  readonly definitions?: readonly DefinitionFacts[];
}

interface Resources {
  readonly builtIn: ApiResource[];
  readonly custom: ApiResource[][];
}

type Versions = Map<string, Resources>;

/**
 * The groups that the router serves when it is made of the same: by priority, the core group first;
 * those that have none by the name of their preferred version and their own.
 */
export function discoveredGroups(served: Discovered): readonly DiscoveredGroup[] {
  const { types, virtualKinds, definitions = [] } = served;
  const groups = new Map<string, Versions>();
  for (const type of types) appendAll(resourcesOf(groups, type).builtIn, typeResources(type));
  for (const virtual of virtualKinds) {
    resourcesOf(groups, virtual).builtIn.push(virtualResource(virtual));
  }
  for (const definition of definitions) {
    const { group } = definition;
    for (const version of definition.versions.filter(({ served }) => served)) {
      const { custom } = resourcesOf(groups, { group, version: version.name });
      custom.push(customResources(definition, version));
    }
  }
  return [...groups]
    .map(([group, versions]) => discoveredGroup(group, versions))
    .sort(compareServices);
}

/** As the reference compares what serves the groups: `v1.example.com` is of its first version. */
function compareServices(one: DiscoveredGroup, other: DiscoveredGroup): number {
  const byRank = groupRank(one.name) - groupRank(other.name);
  return byRank || compareTexts(serviceOf(one), serviceOf(other));
}

function serviceOf({ name, versions }: DiscoveredGroup): string {
  return `${versions[0]?.version}.${name}`;
}

/** The lists to add to. */
function resourcesOf(
  groups: Map<string, Versions>,
  { group, version }: { readonly group: string; readonly version: string },
): Resources {
  const versions: Versions = groups.get(group) ?? new Map<string, Resources>();
  groups.set(group, versions);
  const resources = versions.get(version) ?? { builtIn: [], custom: [] };
  versions.set(version, resources);
  return resources;
}

function discoveredGroup(name: string, versions: Versions): DiscoveredGroup {
  return {
    name,
    versions: Array.from(versions, ([version, resources]) => ({
      version,
      groupVersion: groupVersionOf({ group: name, version }),
      ...inOrder(resources),
    })).sort((one, other) => compareVersions(name, one.version, other.version)),
  };
}

function inOrder(all: Resources): Pick<DiscoveredVersion, 'resources' | 'custom'> {
  const custom = all.custom.sort(([one], [other]) => byName(one, other)).flat();
  return { resources: [...all.builtIn.sort(byName), ...custom], custom: new Set(custom) };
}

function byName(one?: ApiResource, other?: ApiResource): number {
  return compareTexts(one?.name ?? '', other?.name ?? '');
}
