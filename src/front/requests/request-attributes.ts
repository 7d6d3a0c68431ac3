/**
 * Reads the attributes of a request, by which it is decided, from its method, path and query alone
 * (../README.md#attributes-of-a-request): also for paths that are not served.
 */
import type { AccessAttributes } from '../../auth/authorizer.ts';
import { parseFieldSelector, requiredValue } from '../../semantics/selectors/field-selector.ts';
import { pathSegment } from '../../semantics/metadata/names.ts';
import type { RequestHead } from '../http.ts';
import type { Query } from './query.ts';
import { readResourcePath, type ResourcePath } from './resource-path.ts';
import type { User } from '../../semantics/user.ts';
import { UnreadableRequest } from './unreadable-request.ts';

/** The user is nobody until it is known who asks. */
export interface RequestAttributes extends AccessAttributes {
  user: User;
}

/** Nobody has been authenticated yet. */
const NOBODY: User = Object.freeze({ name: '', uid: '', groups: [] });

const VERBS: Readonly<Record<string, string>> = {
  post: 'create',
  get: 'get',
  head: 'get',
  put: 'update',
  patch: 'patch',
  delete: 'delete',
};

/** Throws UnreadableRequest for a path that ends before it names anything. */
export function requestAttributes(head: RequestHead, query: Query): RequestAttributes {
  const { method, path } = head;
  const parts = segments(path);
  const isCore = parts[0] === 'api';
  const versionAt = isCore ? 1 : 2;
  if ((!isCore && parts[0] !== 'apis') || parts.length < versionAt + 2) {
    return pathAttributes(method, path);
  }
  const target = readResourcePath(parts, versionAt + 1);
  const { namespace, resource, subresource } = target;
  if (target.verb !== '' && parts.length === versionAt + 2) {
    const why = `unable to determine kind and namespace from url, ${head.url}`;
    throw new UnreadableRequest(`failed to create RequestInfo: ${why}`);
  }
  const verb = target.verb || verbOf(method, target, query);
  const isMany = MANY.has(verb);
  const selector = isMany ? query.text('fieldSelector') : '';
  return {
    user: NOBODY,
    verb,
    isResource: true,
    namespace,
    group: isCore ? '' : (parts[1] ?? ''),
    version: parts[versionAt] ?? '',
    resource,
    subresource: verb === 'proxy' ? '' : subresource,
    name: target.name || (isRead(verb) && target.verb === '' ? selectedName(selector) : ''),
    path,
    ...(isMany && target.verb === '' && selectorsOf(selector, query.text('labelSelector'))),
  };
}

/** A GET of one object with `watch` is served as a watch of it, and takes that right. */
function verbOf(method: string, { name, subresource }: ResourcePath, query: Query): string {
  const verb = VERBS[method] ?? '';
  if (verb === 'delete') return name === '' ? 'deletecollection' : verb;
  if (verb !== 'get') return verb;
  if ((name === '' || subresource === '') && query.flag('watch')) return 'watch';
  return name === '' ? 'list' : verb;
}

const MANY: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection']);

function isRead(verb: string): boolean {
  return verb === 'list' || verb === 'watch';
}

/** A path that has the verb before the resource may mean one object, and is served without. */
function selectorsOf(
  fieldSelector: string,
  labelSelector: string,
): Pick<AccessAttributes, 'fieldSelector' | 'labelSelector'> | undefined {
  if (fieldSelector === '' && labelSelector === '') return undefined;
  return {
    ...(fieldSelector !== '' && { fieldSelector }),
    ...(labelSelector !== '' && { labelSelector }),
  };
}

const SLASH = '/'.charCodeAt(0);

/** Without slashes before the first and after the last. */
function segments(path: string): string[] {
  let start = 0;
  let end = path.length;
  while (path.charCodeAt(start) === SLASH) start++;
  while (end > start && path.charCodeAt(end - 1) === SLASH) end--;
  return path.slice(start, end).split('/');
}

function pathAttributes(verb: string, path: string): RequestAttributes {
  return {
    user: NOBODY,
    verb,
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

/** The one name that the selector asks for; '' where it asks for none. */
function selectedName(selector: string): string {
  if (selector === '') return '';
  try {
    const name = requiredValue(parseFieldSelector(selector), 'metadata.name') ?? '';
    return pathSegment(name).length > 0 ? '' : name;
  } catch {
    // It is refused once it is served.
    return '';
  }
}
