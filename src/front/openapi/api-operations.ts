/**
 * The paths and operations of what is served (src/front/README.md#paths; `../route.ts` resolves
 * them).
 */
import type { KindDefinition } from '../../resources/kind.ts';
import type { ServedType } from '../../types/served-types.ts';
import type { VirtualKind } from '../../resources/virtual-kinds.ts';
import type { ApiOperation, ApiPath } from './api-paths.ts';
import { operationPaths } from './connect-paths.ts';
import type { DescribedModel } from './definitions.ts';
import { discoveryPaths } from './discovery-paths.ts';
import type { Served } from './model-facts.ts';
import { NAMESPACE_PARAMETER, QUERY_PARAMETERS, type Parameter } from './parameters.ts';
import {
  collectionPath,
  everywherePath,
  itemParameters,
  itemPath,
  pathOf,
  resourceOf,
  target,
  UNAUTHORIZED,
  type Resource,
  type Verb,
} from './resource-operations.ts';

/** All paths, in their order. */
export function apiPaths(model: DescribedModel, served: Served): readonly ApiPath[] {
  const paths = [
    ...served.types.flatMap((type) => typePaths(type, model)),
    ...served.virtualKinds.flatMap((kind) => virtualPaths(kind)),
    ...discoveryPaths(served),
  ];
  return paths.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function typePaths(type: ServedType, model: DescribedModel): ApiPath[] {
  const { definition } = type;
  const resource = resourceOf(type, definition);
  const collection: Verb[] = ['list', 'create'];
  if (definition.deletesCollection !== false) collection.push('deletecollection');
  const deleted = tellsDeleted(type) ? resource.message : 'meta.v1.Status';
  return [
    collectionPath(resource, collection),
    itemPath(resource, ['read', 'replace', 'delete', 'patch'], deleted),
    ...(resource.namespaced ? [everywherePath(resource)] : []),
    ...watchPaths(resource),
    ...subresources(definition, resource).map((one) =>
      itemPath(one, isReadable(definition, one) ? ['read', 'replace', 'patch'] : ['replace']),
    ),
    ...(definition.operations ?? []).flatMap((name) =>
      operationPaths({ ...resource, subresource: name }, model),
    ),
  ];
}

/** DELETE of a namespace shows it too, but the public document says otherwise. */
function tellsDeleted({ definition, index }: ServedType): boolean {
  const { kind, otherVersions, deleteReturns } = definition;
  const returns = otherVersions?.[index - 1]?.deleteReturns ?? deleteReturns;
  return returns === 'object' && kind !== 'Namespace';
}

function virtualPaths(virtual: VirtualKind): ApiPath[] {
  const resource = resourceOf(virtual, virtual);
  const verbs = virtual.verbs.filter((verb) => verb !== 'get');
  return [
    collectionPath(resource, verbs),
    ...(virtual.verbs.includes('get') ? [itemPath(resource, ['read'])] : []),
  ];
}

/** The subresources that show the object, or its scale. */
function subresources(definition: KindDefinition, resource: Resource): Resource[] {
  const names = [
    ...(definition.statusSubresource === undefined ? [] : ['status']),
    ...Object.keys(definition.parts ?? {}),
  ];
  const found = names.map((subresource) => ({ ...resource, subresource }));
  if (definition.scaleSelector === undefined) return found;
  const gvk = { group: 'autoscaling', kind: 'Scale', version: 'v1' };
  const message = 'autoscaling.v1.Scale';
  return [...found, { ...resource, subresource: 'scale', message, gvk }];
}

function isReadable({ parts = {} }: KindDefinition, { subresource }: Resource): boolean {
  return parts[subresource]?.readable !== false;
}

/** The older form of watches, in the path. */
function watchPaths(resource: Resource): ApiPath[] {
  const { root, idPrefix, kind, plural, namespaced, gvk, tag } = resource;
  const watch = (
    path: string,
    id: string,
    place: readonly Parameter[],
    action: string,
  ): ApiPath => {
    const operation: ApiOperation = {
      method: 'get',
      id: `watch${idPrefix}${id}`,
      tag,
      description: `Watches ${kind}; deprecated: list with the parameter watch.`,
      action,
      kind: gvk,
      consumes: 'any',
      produces: 'stream',
      parameters: [...place, ...QUERY_PARAMETERS.list],
      responses: { '200': { type: 'meta.v1.WatchEvent' }, ...UNAUTHORIZED },
    };
    return { root, path, operations: [operation] };
  };
  const path = pathOf(resource, true);
  const name = target(resource);
  const place = namespaced ? [NAMESPACE_PARAMETER] : [];
  const everywhere = `/${root}/watch/${plural}`;
  return [
    watch(path, `${name}List`, place, 'watchlist'),
    watch(`${path}/{name}`, name, itemParameters(resource), 'watch'),
    ...(namespaced ? [watch(everywhere, `${kind}ListForAllNamespaces`, [], 'watchlist')] : []),
  ];
}
