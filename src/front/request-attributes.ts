/**
 * What a request asks to be done, read from its method, path and query alone
 * (README.md#attributes-of-a-request): also of what is not served.
 */
import { parseFieldSelector, requiredValue } from '../semantics/field-selector.ts';
import { pathSegment } from '../semantics/names.ts';
import type { RequestHead } from './http.ts';
import type { Query } from './query.ts';
import { UnreadableRequest } from './unreadable-request.ts';

/** Of a path that names no resource only the verb and the path count. */
export interface RequestAttributes {
  /** Of resources `get`, `list`, …; of other paths the method in lower case. */
  readonly verb: string;
  readonly isResource: boolean;
  /** '' for all namespaces, and for types without them. */
  readonly namespace: string;
  /** '' for the core group. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  /** '' where no single object is named. */
  readonly name: string;
  readonly path: string;
}

const VERBS: Readonly<Record<string, string>> = {
  post: 'create',
  get: 'get',
  head: 'get',
  put: 'update',
  patch: 'patch',
  delete: 'delete',
};
/** Old ways to ask for these in the path. */
const PATH_VERBS = ['proxy', 'watch'];
const NAMESPACE_SUBRESOURCES = ['status', 'finalize'];

/** Throws UnreadableRequest for a path that ends before it names anything. */
export function requestAttributes(head: RequestHead, query: Query): RequestAttributes {
  const { method, path } = head;
  const parts = path.replace(/^\/+|\/+$/g, '').split('/');
  const isCore = parts[0] === 'api';
  const versionAt = isCore ? 1 : 2;
  if ((!isCore && parts[0] !== 'apis') || parts.length < versionAt + 2) {
    return pathAttributes(method, path);
  }
  const isVerbInPath = PATH_VERBS.includes(parts[versionAt + 1] ?? '');
  const asked = parts.slice(versionAt + (isVerbInPath ? 2 : 1));
  if (asked.length === 0) {
    const why = `unable to determine kind and namespace from url, ${head.url}`;
    throw new UnreadableRequest(`failed to create RequestInfo: ${why}`);
  }
  const verb = isVerbInPath ? (parts[versionAt + 1] ?? '') : (VERBS[method] ?? '');
  const { namespace, below } = inNamespace(asked);
  const [resource = '', name = '', subresource = ''] = below;
  const named: RequestAttributes = {
    verb,
    isResource: true,
    namespace,
    group: isCore ? '' : (parts[1] ?? ''),
    version: parts[versionAt] ?? '',
    resource,
    subresource: verb === 'proxy' ? '' : subresource,
    name,
    path,
  };
  return name === '' ? ofCollection(named, query) : named;
}

function pathAttributes(method: string, path: string): RequestAttributes {
  return {
    verb: method,
    isResource: false,
    namespace: '',
    group: '',
    version: '',
    resource: '',
    subresource: '',
    name: '',
    path,
  };
}

/** `namespaces/{name}/…`; a namespace is in itself. */
function inNamespace(asked: readonly string[]): { namespace: string; below: readonly string[] } {
  if (asked[0] !== 'namespaces' || asked.length < 2) return { namespace: '', below: asked };
  const isBelow = asked.length > 2 && !NAMESPACE_SUBRESOURCES.includes(asked[2] ?? '');
  return { namespace: asked[1] ?? '', below: isBelow ? asked.slice(2) : asked };
}

/** A selector that a single name satisfies names the object. */
function ofCollection(named: RequestAttributes, query: Query): RequestAttributes {
  if (named.verb === 'delete') return { ...named, verb: 'deletecollection' };
  if (named.verb !== 'get') return named;
  const verb = query.flag('watch') ? 'watch' : 'list';
  const selector = query.text('fieldSelector');
  return { ...named, verb, name: selector === '' ? '' : selectedName(selector) };
}

function selectedName(selector: string): string {
  try {
    const name = requiredValue(parseFieldSelector(selector), 'metadata.name') ?? '';
    return pathSegment(name).length > 0 ? '' : name;
  } catch {
    // It is refused once it is served.
    return '';
  }
}
