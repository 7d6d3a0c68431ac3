/** The types that a server has, by discovery. */
import type { Api } from './api.ts';

export interface ApiType {
  readonly apiVersion: string;
  readonly kind: string;
  /** The name of its resource. */
  readonly plural: string;
  readonly isNamespaced: boolean;
  readonly hasStatus: boolean;
}

interface ResourceList {
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
  }[];
}

interface GroupList {
  readonly groups: readonly {
    readonly name: string;
    readonly versions: readonly { readonly groupVersion: string }[];
  }[];
}

/** Where a version of the API is. */
export function versionPath(apiVersion: string): string {
  return apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
}

/** Where the objects of a type in a namespace are; '' for those of no namespace. */
export function typePath({ apiVersion, plural, isNamespaced }: ApiType, namespace: string): string {
  const within = isNamespaced && namespace !== '' ? `/namespaces/${namespace}` : '';
  return `${versionPath(apiVersion)}${within}/${plural}`;
}

/** The types of one version that can be listed and created. */
export async function typesOf(api: Api, apiVersion: string): Promise<ApiType[]> {
  const { resources } = await api.json<ResourceList>('GET', versionPath(apiVersion));
  const names = new Set(resources.map(({ name }) => name));
  return resources
    .filter(({ name, verbs }) => {
      return !name.includes('/') && verbs.includes('list') && verbs.includes('create');
    })
    .map(({ name, kind, namespaced }) => ({
      apiVersion,
      kind,
      plural: name,
      isNamespaced: namespaced,
      hasStatus: names.has(`${name}/status`),
    }));
}

/** All types, each in the version of its group that comes first. */
export async function allTypes(api: Api): Promise<ApiType[]> {
  const { groups } = await api.json<GroupList>('GET', '/apis');
  const types = await typesOf(api, 'v1');
  for (const { versions } of groups) {
    const known = new Set<string>();
    for (const { groupVersion } of versions) {
      const found = await typesOf(api, groupVersion);
      types.push(...found.filter(({ plural }) => !known.has(plural)));
      for (const { plural } of found) known.add(plural);
    }
  }
  return types;
}
