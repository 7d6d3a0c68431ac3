/** The types that the server has. */
import type { Server } from './server.ts';

export interface ApiType {
  /** `deployments.apps`: unlike that of any other. */
  readonly id: string;
  readonly kind: string;
  readonly groupVersion: string;
  readonly resource: string;
  readonly isNamespaced: boolean;
  readonly verbs: readonly string[];
}

interface Aggregated {
  readonly items: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly version: string;
      readonly resources?: readonly {
        readonly resource: string;
        readonly responseKind?: { readonly kind: string };
        readonly scope: string;
        readonly verbs: readonly string[];
      }[];
    }[];
  }[];
}

interface Groups {
  readonly groups: readonly { readonly preferredVersion: { readonly groupVersion: string } }[];
}

interface Resources {
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
  }[];
}

/** Those that can be listed, in the version that the server prefers, sorted by their names. */
export async function listedTypes(server: Server): Promise<readonly ApiType[]> {
  const [core, others] = await Promise.all([typesAt(server, '/api'), typesAt(server, '/apis')]);
  return [...core, ...others]
    .filter(({ verbs }) => verbs.includes('list'))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** With one request where the server can. */
async function typesAt(server: Server, path: string): Promise<readonly ApiType[]> {
  const aggregated = ['v2', 'v2beta1'].map(
    (version) =>
      `application/json;as=APIGroupDiscoveryList;v=${version};g=apidiscovery.${server.domain}`,
  );
  const headers = { Accept: [...aggregated, 'application/json'].join(',') };
  const document = await server.json<Partial<Aggregated & Groups>>(path, { headers });
  if (document.items !== undefined) return aggregatedTypes(document.items);
  const versions =
    path === '/api'
      ? ['v1']
      : (document.groups ?? []).map(({ preferredVersion }) => preferredVersion.groupVersion);
  const found = await Promise.all(
    versions.map(async (groupVersion) => {
      const { resources } = await server.json<Resources>(`${path}/${groupVersion}`);
      return resources
        .filter(({ name }) => !name.includes('/'))
        .map(({ name, kind, namespaced, verbs }) =>
          typeOf({ resource: name, kind, isNamespaced: namespaced, verbs, groupVersion }),
        );
    }),
  );
  return found.flat();
}

function aggregatedTypes(items: Aggregated['items']): readonly ApiType[] {
  return items.flatMap(({ metadata, versions = [] }) => {
    const [preferred] = versions;
    const group = metadata?.name ?? '';
    if (preferred === undefined) return [];
    const groupVersion = group === '' ? preferred.version : `${group}/${preferred.version}`;
    return (preferred.resources ?? []).map(({ resource, responseKind, scope, verbs }) =>
      typeOf({
        resource,
        kind: responseKind?.kind ?? resource,
        isNamespaced: scope === 'Namespaced',
        verbs,
        groupVersion,
      }),
    );
  });
}

function typeOf(type: Omit<ApiType, 'id'>): ApiType {
  const [group = ''] = type.groupVersion.includes('/') ? type.groupVersion.split('/') : [];
  return { ...type, id: group === '' ? type.resource : `${type.resource}.${group}` };
}

/** The path of its collection, in one namespace or, with '', in all. */
export function pathOfType(type: ApiType, namespace: string): string {
  const root = type.groupVersion.includes('/') ? '/apis' : '/api';
  const within = type.isNamespaced && namespace !== '' ? `/namespaces/${namespace}` : '';
  return `${root}/${type.groupVersion}${within}/${type.resource}`;
}

/** The path of an object. */
export function pathOfObject(type: ApiType, namespace: string, name: string): string {
  return `${pathOfType(type, namespace)}/${encodeURIComponent(name)}`;
}
