/** The operations of a resource, with what they are sent and answer. */
import type { KindDefinition } from '../../resources/kind.ts';
import type { ApiOperation, ApiPath, Content, Method } from './api-paths.ts';
import { messageName } from './definition-names.ts';
import { capitalized, groupIds } from './operation-ids.ts';
import {
  NAMESPACE_PARAMETER,
  nameParameter,
  QUERY_PARAMETERS,
  type Parameter,
} from './parameters.ts';

/** A resource, or a subresource, and what its documents are. */
export interface Resource {
  readonly root: string;
  /** In operation ids and tags: `CoreV1`, `core_v1`. */
  readonly idPrefix: string;
  readonly tag: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** The message of the documents, which is their kind. */
  readonly message: string;
  /** The message of its lists. */
  readonly listMessage: string;
  readonly gvk: { readonly group: string; readonly kind: string; readonly version: string };
  /** '' for the resource itself. */
  readonly subresource: string;
}

export type Verb = 'read' | 'list' | 'create' | 'replace' | 'patch' | 'delete' | 'deletecollection';

const METHODS: Readonly<Record<Verb, Method>> = {
  read: 'get',
  list: 'get',
  create: 'post',
  replace: 'put',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'delete',
};
const ACTIONS: Readonly<Record<Verb, string>> = {
  read: 'Reads one',
  list: 'Lists or watches objects of kind',
  create: 'Creates a',
  replace: 'Replaces one',
  patch: 'Changes a part of one',
  delete: 'Deletes one',
  deletecollection: 'Deletes all, or those that are selected, of kind',
};

/** The response that every operation has. */
export const UNAUTHORIZED = { '401': undefined } as const;

/** A kind in one of its versions. */
export function resourceOf(
  { group, version }: { group: string; version: string },
  { kind, plural, namespaced }: Pick<KindDefinition, 'kind' | 'plural' | 'namespaced'>,
): Resource {
  return {
    root: group === '' ? `api/${version}` : `apis/${group}/${version}`,
    ...groupIds(group, version),
    plural,
    kind,
    namespaced,
    message: messageName(group, version, kind),
    listMessage: messageName(group, version, `${kind}List`),
    gvk: { group, kind, version },
    subresource: '',
  };
}

/** The path of all objects, or of those of one namespace. */
export function collectionPath(resource: Resource, verbs: readonly Verb[]): ApiPath {
  const place = resource.namespaced ? [NAMESPACE_PARAMETER] : [];
  const operations = verbs.map((verb) => operation(resource, verb, place));
  return { root: resource.root, path: pathOf(resource), operations };
}

/** The list of all namespaces. */
export function everywherePath(resource: Resource): ApiPath {
  const { root, idPrefix, kind, plural } = resource;
  const listed = operation(resource, 'list', []);
  const id = `list${idPrefix}${kind}ForAllNamespaces`;
  return { root, path: `/${root}/${plural}`, operations: [{ ...listed, id }] };
}

/** The path of one object, or of its subresource. `deleted` is the message that DELETE answers. */
export function itemPath(resource: Resource, verbs: readonly Verb[], deleted?: string): ApiPath {
  const place = itemParameters(resource);
  const operations = verbs.map((verb) => operation(resource, verb, place, deleted));
  return { root: resource.root, path: itemPathOf(resource), operations };
}

/** The path of the collection: of one namespace, when the kind has them. */
export function pathOf({ root, plural, namespaced }: Resource, byWatch = false): string {
  const scope = namespaced ? '/namespaces/{namespace}' : '';
  return `/${root}${byWatch ? '/watch' : ''}${scope}/${plural}`;
}

export function itemPathOf(resource: Resource): string {
  const { subresource } = resource;
  return `${pathOf(resource)}/{name}${subresource === '' ? '' : `/${subresource}`}`;
}

export function itemParameters({ namespaced, gvk }: Resource): Parameter[] {
  return [nameParameter(gvk.kind), ...(namespaced ? [NAMESPACE_PARAMETER] : [])];
}

/** The part of an operation id that says what is meant: `NamespacedPodStatus`. */
export function target({ namespaced, kind, subresource }: Resource): string {
  return `${namespaced ? 'Namespaced' : ''}${kind}${capitalized(subresource)}`;
}

/** The operation of a verb. `place` are the parameters of the path. */
export function operation(
  resource: Resource,
  verb: Verb,
  place: readonly Parameter[],
  deleted = 'meta.v1.Status',
): ApiOperation {
  const { idPrefix, tag, gvk, subresource } = resource;
  const word = verb === 'deletecollection' ? 'delete' : verb;
  const middle = verb === 'deletecollection' ? 'Collection' : '';
  const common = {
    method: METHODS[verb],
    id: `${word}${idPrefix}${middle}${target(resource)}`,
    tag,
    action: verb === 'list' || verb === 'deletecollection' ? verb : METHODS[verb],
    kind: gvk,
  };
  const ofSubresource = subresource === '' ? '' : `, subresource ${subresource}`;
  const description = `${ACTIONS[verb]} ${resource.kind}${ofSubresource}.`;
  return { ...common, description, ...exchangeOf(verb, resource, { deleted, place }) };
}

type Sent = Pick<ApiOperation, 'body' | 'consumes' | 'produces' | 'parameters' | 'responses'>;

/** The request body and the responses of an operation. */
function exchangeOf(
  verb: Verb,
  { message, listMessage }: Resource,
  { place, deleted }: { deleted: string; place: readonly Parameter[] },
): Sent {
  const object = { type: message };
  const required = { type: message, isRequired: true };
  const options = { type: 'meta.v1.DeleteOptions', isRequired: false };
  const documents = { consumes: 'any', produces: 'documents' } as const;
  const responses = (...contents: [string, Content][]): Sent['responses'] => ({
    ...Object.fromEntries(contents),
    ...UNAUTHORIZED,
  });
  switch (verb) {
    case 'read': {
      const parameters = [...place, ...QUERY_PARAMETERS.get];
      return { ...documents, parameters, responses: responses(['200', object]) };
    }
    case 'list': {
      const parameters = [...place, ...QUERY_PARAMETERS.list];
      const list = { type: listMessage };
      return { ...documents, produces: 'stream', parameters, responses: responses(['200', list]) };
    }
    case 'create': {
      const parameters = [...place, ...QUERY_PARAMETERS.write];
      const all = responses(['200', object], ['201', object], ['202', object]);
      return { ...documents, body: required, parameters, responses: all };
    }
    case 'replace': {
      const parameters = [...place, ...QUERY_PARAMETERS.write];
      const both = responses(['200', object], ['201', object]);
      return { ...documents, body: required, parameters, responses: both };
    }
    case 'patch': {
      const parameters = [...place, ...QUERY_PARAMETERS.patch];
      const body = { type: 'meta.v1.Patch', isRequired: true };
      const both = responses(['200', object], ['201', object]);
      return { ...documents, consumes: 'patch', body, parameters, responses: both };
    }
    case 'delete': {
      const parameters = [...place, ...QUERY_PARAMETERS.delete];
      const both = responses(['200', { type: deleted }], ['202', { type: deleted }]);
      return { ...documents, body: options, parameters, responses: both };
    }
    case 'deletecollection': {
      const parameters = [...place, ...QUERY_PARAMETERS.deletecollection];
      const status = responses(['200', { type: 'meta.v1.Status' }]);
      return { ...documents, body: options, parameters, responses: status };
    }
  }
}
