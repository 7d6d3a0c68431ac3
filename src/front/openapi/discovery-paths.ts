/** The paths that tell what is served (src/front/README.md#discovery). */
import type { ApiOperation, ApiPath, MediaTypes } from './api-paths.ts';
import type { Served } from './model-facts.ts';
import { groupIds } from './operation-ids.ts';

/** The group versions, groups and others that have documents of version 3 of built-in types. */
export function builtInRoots(served: Served): ReadonlySet<string> {
  return new Set(discoveryPaths(served).map(({ root }) => root));
}

export function discoveryPaths({ types, virtualKinds }: Served): readonly ApiPath[] {
  const all = [...types, ...virtualKinds];
  const groups = [...new Set(all.map(({ group }) => group))];
  const versions = new Map(
    all.map(({ group, version }) => [`${group}/${version}`, { group, version }]),
  );
  return [
    discovery('api', { tag: 'core', id: 'getCoreAPIVersions', type: 'meta.v1.APIVersions' }),
    discovery('apis', { tag: 'apis', id: 'getAPIVersions', type: 'meta.v1.APIGroupList' }),
    ...groups
      .filter((group) => group !== '')
      .map((group) => {
        const { idPrefix, tag } = groupIds(group, '');
        const root = `apis/${group}`;
        return discovery(root, { tag, id: `get${idPrefix}APIGroup`, type: 'meta.v1.APIGroup' });
      }),
    ...[...versions.values()].map(({ group, version }) => {
      const { idPrefix, tag } = groupIds(group, version);
      const root = group === '' ? `api/${version}` : `apis/${group}/${version}`;
      const id = `get${idPrefix}APIResources`;
      return discovery(root, { tag, id, type: 'meta.v1.APIResourceList' });
    }),
    openId('.well-known/openid-configuration', {
      tag: 'WellKnown',
      id: 'getServiceAccountIssuerOpenIDConfiguration',
      description: 'Tells who issues the tokens of service accounts.',
      produces: 'json',
    }),
    openId('openid/v1/jwks', {
      tag: 'openid',
      id: 'getServiceAccountIssuerOpenIDKeyset',
      description: 'Tells the keys by which tokens of service accounts are checked.',
      produces: 'keys',
    }),
    discovery('version', { tag: 'version', id: 'getCodeVersion', type: 'VersionInfo' }, 'json'),
  ];
}

/** A document by which others check tokens. */
function openId(
  root: string,
  operation: Pick<ApiOperation, 'tag' | 'id' | 'description' | 'produces'>,
): ApiPath {
  const responses = { '200': 'string', '401': undefined } as const;
  const common = { method: 'get', consumes: 'none', parameters: [], responses } as const;
  return { root, path: `/${root}/`, operations: [{ ...operation, ...common }] };
}

function discovery(
  root: string,
  { tag, id, type }: { tag: string; id: string; type: string },
  media: MediaTypes = 'documents',
): ApiPath {
  return {
    root,
    path: `/${root}/`,
    operations: [
      {
        method: 'get',
        id,
        tag,
        description: type === 'VersionInfo' ? 'Tells the release.' : 'Tells what is served.',
        consumes: media,
        produces: media,
        parameters: [],
        responses: { '200': { type }, '401': undefined },
      },
    ],
  };
}
