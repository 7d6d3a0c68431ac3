/**
 * Discovery in two documents, for clients that ask `/api` and `/apis` for it by the parameters of
 * the media type (src/front/README.md#discovery).
 */
import { ownRelease } from '../../release/release.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import type { ApiResource } from './api-resource.ts';
import { discoveredGroups } from './discovered-groups.ts';
import type { Discovered, DiscoveredGroup, DiscoveredVersion } from './discovered-groups.ts';
import { compareGroups } from './priority.ts';
import type {
  ResourceDiscovery,
  ResponseKind,
  SubresourceDiscovery,
} from '../../aggregation/remote-discovery.ts';

export const AGGREGATED_GROUP = ownGroup('apidiscovery.cluster.io');
export const AGGREGATED_KIND = 'APIGroupDiscoveryList';
/** The versions in which it is served; they differ in nothing but their name. */
export const AGGREGATED_VERSIONS = ['v2', 'v2beta1'] as const;

const TIME = ownRelease().has('discoveryWithoutTimes') ? {} : { creationTimestamp: null };

export type AggregatedVersion = (typeof AGGREGATED_VERSIONS)[number];

export interface ApiGroupDiscoveryList {
  readonly kind: typeof AGGREGATED_KIND;
  readonly apiVersion: string;
  readonly metadata: object;
  readonly items: readonly GroupDiscovery[];
}

interface GroupDiscovery {
  readonly metadata: { readonly name?: string; readonly creationTimestamp?: null };
  readonly versions: readonly VersionDiscovery[];
}

interface VersionDiscovery {
  readonly version: string;
  readonly resources: readonly ResourceDiscovery[];
  readonly freshness: 'Current' | 'Stale';
}

/** The documents of `/api`, which has the core group, and of `/apis`, which has all others. */
export interface AggregatedDocuments {
  readonly '/api': ApiGroupDiscoveryList;
  readonly '/apis': ApiGroupDiscoveryList;
}

/** Groups of one priority are sorted by name here. */
export function aggregatedDocuments(
  served: Discovered,
  version: AggregatedVersion,
): AggregatedDocuments {
  const groups = discoveredGroups(served).toSorted(compareGroups);
  const isCore = ({ name }: DiscoveredGroup): boolean => name === '';
  const apiVersion = `${AGGREGATED_GROUP}/${version}`;
  return {
    '/api': groupDiscoveryList(groups.filter(isCore), apiVersion),
    '/apis': groupDiscoveryList(
      groups.filter((group) => !isCore(group)),
      apiVersion,
    ),
  };
}

/** The Content-Type of an answer: the type and what was asked for with it. */
export function aggregatedMediaType(mediaType: string, version: AggregatedVersion): string {
  return `${mediaType};g=${AGGREGATED_GROUP};v=${version};as=${AGGREGATED_KIND}`;
}

function groupDiscoveryList(
  groups: readonly DiscoveredGroup[],
  apiVersion: string,
): ApiGroupDiscoveryList {
  return {
    kind: AGGREGATED_KIND,
    apiVersion,
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: { ...(name !== '' && { name }), ...TIME },
      versions: versions.map((version) => versionDiscovery(name, version)),
    })),
  };
}

function versionDiscovery(
  group: string,
  { version, resources, custom, remote }: DiscoveredVersion,
): VersionDiscovery {
  if (remote !== undefined) {
    const freshness = remote.isStale ? 'Stale' : 'Current';
    return { version, resources: remote.resources, freshness };
  }
  // Custom types are shown with their own group, version and kind.
  const kindOf = (resource: ApiResource): ResponseKind =>
    responseKindOf(custom.has(resource) ? { group, version, ...resource } : resource);
  const subresources = new Map<string, SubresourceDiscovery[]>();
  for (const resource of resources) {
    const [parent = '', subresource] = resource.name.split('/');
    if (subresource === undefined) {
      subresources.set(parent, []);
      continue;
    }
    const { verbs } = resource;
    subresources.get(parent)?.push({ subresource, responseKind: kindOf(resource), verbs });
  }
  return {
    version,
    resources: resources
      .filter(({ name }) => subresources.has(name))
      .map((resource) => {
        const others = subresources.get(resource.name) ?? [];
        return resourceDiscovery(resource, kindOf(resource), others);
      }),
    freshness: 'Current',
  };
}

function resourceDiscovery(
  resource: ApiResource,
  responseKind: ResponseKind,
  subresources: readonly SubresourceDiscovery[],
): ResourceDiscovery {
  const { name, kind, namespaced, verbs, shortNames, categories } = resource;
  return {
    resource: name,
    responseKind,
    scope: namespaced ? 'Namespaced' : 'Cluster',
    // Servers that have these documents name the singular of built-in kinds too.
    singularResource: resource.singularName || kind.toLowerCase(),
    verbs,
    ...(shortNames !== undefined && { shortNames }),
    ...(categories !== undefined && { categories }),
    ...(subresources.length > 0 && { subresources }),
  };
}

function responseKindOf({ group = '', version = '', kind }: ApiResource): ResponseKind {
  return { group, version, kind };
}
