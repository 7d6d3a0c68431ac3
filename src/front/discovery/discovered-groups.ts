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
import type { ResourceDiscovery } from '../../aggregation/remote-discovery.ts';
import { compareVersions, ownGroupPriority, ownVersionPriority } from './priority.ts';

/** A group version that another server answers for. */
export interface RemoteVersion {
  readonly group: string;
  readonly version: string;
  readonly groupPriority: number;
  readonly versionPriority: number;
  readonly resources: readonly ResourceDiscovery[];
  /** The server could not be asked: they are those of before, or none. */
  readonly isStale: boolean;
}

export interface DiscoveredGroup {
  /** '' for the core group. */
  readonly name: string;
  /** Larger comes first. */
  readonly priority: number;
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
  /** Where another server answers for it: it tells of the resources itself. */
  readonly remote: RemoteVersion | undefined;
}

/** All that is served. */
export interface Discovered {
  readonly types: readonly ServedType[];
  readonly virtualKinds: readonly VirtualKind[];
  /** The definitions of custom types. */
  readonly definitions?: readonly DefinitionFacts[];
  /** They take the place of versions that this server has. */
  readonly remote?: readonly RemoteVersion[];
}

interface Resources {
  readonly builtIn: ApiResource[];
  readonly custom: ApiResource[][];
  remote: RemoteVersion | undefined;
}

type Versions = Map<string, Resources>;

/**
 * The groups that the router serves when it is made of the same, and those of other servers: by
 * priority, the core group first; those of one priority by the first name of what serves them.
 */
export function discoveredGroups(served: Discovered): readonly DiscoveredGroup[] {
  const { types, virtualKinds, definitions = [], remote = [] } = served;
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
  for (const one of remote) resourcesOf(groups, one).remote = one;
  return [...groups]
    .map(([group, versions]) => discoveredGroup(group, versions))
    .sort(compareServices);
}

/** As the reference compares what serves the groups: a group is where its first one is. */
function compareServices(one: DiscoveredGroup, other: DiscoveredGroup): number {
  return other.priority - one.priority || compareTexts(serviceOf(one), serviceOf(other));
}

/** The first by name of those that have the priority of the group. */
function serviceOf({ name, priority, versions }: DiscoveredGroup): string {
  const names = versions
    .filter((version) => groupPriorityOf(name, version) === priority)
    .map(({ version }) => `${version}.${name}`);
  return names.sort(compareTexts)[0] ?? '';
}

function groupPriorityOf(group: string, { remote }: Pick<DiscoveredVersion, 'remote'>): number {
  return remote?.groupPriority ?? ownGroupPriority(group);
}

/** The lists to add to. */
function resourcesOf(
  groups: Map<string, Versions>,
  { group, version }: { readonly group: string; readonly version: string },
): Resources {
  const versions: Versions = groups.get(group) ?? new Map<string, Resources>();
  groups.set(group, versions);
  const resources = versions.get(version) ?? { builtIn: [], custom: [], remote: undefined };
  versions.set(version, resources);
  return resources;
}

function discoveredGroup(name: string, versions: Versions): DiscoveredGroup {
  const all = Array.from(versions, ([version, resources]) => ({
    version,
    priority: resources.remote?.versionPriority ?? ownVersionPriority(name, version),
    groupVersion: groupVersionOf({ group: name, version }),
    ...inOrder(resources),
  })).sort(compareVersions);
  const priority = Math.max(...all.map((version) => groupPriorityOf(name, version)));
  return { name, priority, versions: all };
}

function inOrder(all: Resources): Pick<DiscoveredVersion, 'resources' | 'custom' | 'remote'> {
  if (all.remote !== undefined) return { resources: [], custom: new Set(), remote: all.remote };
  const custom = all.custom.sort(([one], [other]) => byName(one, other)).flat();
  return {
    resources: [...all.builtIn.sort(byName), ...custom],
    custom: new Set(custom),
    remote: undefined,
  };
}

function byName(one?: ApiResource, other?: ApiResource): number {
  return compareTexts(one?.name ?? '', other?.name ?? '');
}
