/**
 * What a request asks to be done, read from its method, path and query alone
 * (README.md#attributes-of-a-request): also of what is not served.
 */
import type { AccessAttributes } from '../auth/authorizer.ts';
import { parseFieldSelector, requiredValue } from '../semantics/field-selector.ts';
import { pathSegment } from '../semantics/names.ts';
import type { RequestHead } from './http.ts';
import type { Query } from './query.ts';
import type { User } from '../semantics/user.ts';
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
/** Old ways to ask for these in the path. */
const PATH_VERBS = ['proxy', 'watch'];
const NAMESPACE_SUBRESOURCES = ['status', 'finalize'];

/** Throws UnreadableRequest for a path that ends before it names anything. */
export function requestAttributes(head: RequestHead, query: Query): RequestAttributes {
  const { method, path } = head;
  const parts = segments(path);
  const isCore = parts[0] === 'api';
  const versionAt = isCore ? 1 : 2;
  if ((!isCore && parts[0] !== 'apis') || parts.length < versionAt + 2) {
    return pathAttributes(method, path);
  }
  let at = versionAt + 1;
  const isVerbInPath = PATH_VERBS.includes(parts[at] ?? '');
  let verb = (isVerbInPath ? parts[at++] : VERBS[method]) ?? '';
  if (at === parts.length) {
    const why = `unable to determine kind and namespace from url, ${head.url}`;
    throw new UnreadableRequest(`failed to create RequestInfo: ${why}`);
  }
  let namespace = '';
  // A namespace is in itself.
  if (parts[at] === 'namespaces' && at + 1 < parts.length) {
    namespace = parts[at + 1] ?? '';
    if (at + 2 < parts.length && !NAMESPACE_SUBRESOURCES.includes(parts[at + 2] ?? '')) at += 2;
  }
  let name = parts[at + 1] ?? '';
  if (name === '' && verb === 'delete') verb = 'deletecollection';
  else if (name === '' && verb === 'get') {
    verb = query.flag('watch') ? 'watch' : 'list';
    const selector = query.text('fieldSelector');
    if (selector !== '') name = selectedName(selector);
  }
  return {
    user: NOBODY,
    verb,
    isResource: true,
    namespace,
    group: isCore ? '' : (parts[1] ?? ''),
    version: parts[versionAt] ?? '',
    resource: parts[at] ?? '',
    subresource: verb === 'proxy' ? '' : (parts[at + 2] ?? ''),
    name,
    path,
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

/** The one name that a selector asks for; '' where it asks for none. */
function selectedName(selector: string): string {
  try {
    const name = requiredValue(parseFieldSelector(selector), 'metadata.name') ?? '';
    return pathSegment(name).length > 0 ? '' : name;
  } catch {
    // It is refused once it is served.
    return '';
  }
}
