/**
 * The documents by which clients find out what is served (src/front/README.md#discovery).
 * Members stand in the order in which they are written.
 */
import type { ApiResource } from './api-resource.ts';
import { discoveredGroups } from './discovered-groups.ts';
import type { Discovered, DiscoveredGroup, DiscoveredVersion } from './discovered-groups.ts';

/** At `/api`: old clients expect no `apiVersion` here, nor at `/api/v1`. */
export interface ApiVersions {
  readonly kind: 'APIVersions';
  readonly versions: readonly string[];
  readonly serverAddressByClientCIDRs: readonly {
    readonly clientCIDR: string;
    readonly serverAddress: string;
  }[];
}

interface GroupVersion {
  readonly groupVersion: string;
  readonly version: string;
}

interface GroupMembers {
  readonly name: string;
  readonly versions: readonly GroupVersion[];
  readonly preferredVersion: GroupVersion;
}

/** At `/apis`. */
export interface ApiGroupList {
  readonly kind: 'APIGroupList';
  readonly apiVersion: 'v1';
  readonly groups: readonly GroupMembers[];
}

/** At `/apis/{group}`. */
export interface ApiGroup extends GroupMembers {
  readonly kind: 'APIGroup';
  readonly apiVersion: 'v1';
}

/** At `/api/v1` and `/apis/{group}/{version}`. */
export interface ApiResourceList {
  readonly kind: 'APIResourceList';
  readonly apiVersion?: 'v1';
  readonly groupVersion: string;
  readonly resources: readonly ApiResource[];
}

export type DiscoveryDocument = ApiVersions | ApiGroupList | ApiGroup | ApiResourceList;

/**
 * Each document by its path, without a slash at the end: of what is in `served` and nothing else;
 * `/api` and `/apis` are always there. `serverAddress` is `host:port`.
 */
export function discoveryDocuments(
  served: Discovered,
  serverAddress: string,
): ReadonlyMap<string, DiscoveryDocument> {
  const groups = discoveredGroups(served);
  const core = groups.find(({ name }) => name === '')?.versions ?? [];
  const named = groups.filter(({ name }) => name !== '');
  const documents = new Map<string, DiscoveryDocument>([
    ['/api', apiVersions(core, serverAddress)],
    ...core.map((one) => [`/api/${one.groupVersion}`, resourceList(one, true)] as const),
    ['/apis', { kind: 'APIGroupList', apiVersion: 'v1', groups: named.map(groupMembers) }],
  ]);
  for (const group of named) {
    const document = { kind: 'APIGroup', apiVersion: 'v1', ...groupMembers(group) } as const;
    documents.set(`/apis/${group.name}`, document);
    for (const one of group.versions) {
      documents.set(`/apis/${one.groupVersion}`, resourceList(one, false));
    }
  }
  return documents;
}

function apiVersions(core: readonly DiscoveredVersion[], serverAddress: string): ApiVersions {
  return {
    kind: 'APIVersions',
    versions: core.map(({ version }) => version),
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

function groupMembers({ name, versions }: DiscoveredGroup): GroupMembers {
  const members = versions.map(({ groupVersion, version }) => ({ groupVersion, version }));
  const [preferredVersion = { groupVersion: '', version: '' }] = members;
  return { name, versions: members, preferredVersion };
}

function resourceList(
  { groupVersion, resources }: DiscoveredVersion,
  isCore: boolean,
): ApiResourceList {
  const apiVersion = isCore ? {} : ({ apiVersion: 'v1' } as const);
  return { kind: 'APIResourceList', ...apiVersion, groupVersion, resources };
}
