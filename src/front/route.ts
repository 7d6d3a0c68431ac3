/** From method and path to what is asked for (SPEC Endpoints; API-FACTS 1.2 and 11.2). */
import { groupVersionOf, type KindDefinition } from '../resources/kind.ts';
import { resourceKey } from '../resources/registry.ts';
import { methodNotAllowed, resourceNotServed } from '../semantics/status.ts';

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'delete' | 'deletecollection';

/** A request for objects. `namespace` and `name` are '' where the path has none. */
export interface ResourceRoute {
  readonly verb: Verb;
  readonly shard: string;
  readonly kind: KindDefinition;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: '' | 'status';
}

interface Served {
  readonly shard: string;
  readonly kind: KindDefinition;
}

/** Nothing is served there: not even a Status, as in the reference. */
export class PageNotFound extends Error {
  override readonly name = 'PageNotFound';
}

/** What may follow a group version in a path. */
interface ResourcePath {
  readonly namespace: string;
  readonly resource: string;
  readonly name: string;
  readonly subresource: string;
}

export class Router {
  /** Resource types by group version (`v1`, `batch/v1`), then by name. */
  readonly #versions = new Map<string, Map<string, Served>>();
  readonly #groups = new Set<string>();

  constructor(kinds: readonly KindDefinition[]) {
    for (const kind of kinds) {
      const groupVersion = groupVersionOf(kind);
      this.#groups.add(kind.group);
      let served = this.#versions.get(groupVersion);
      if (served === undefined) {
        served = new Map();
        this.#versions.set(groupVersion, served);
      }
      served.set(kind.plural, { shard: resourceKey(kind), kind });
    }
  }

  /**
   * Finds what a path below `/api/` or `/apis/` names. `watching` is the query's `watch`.
   * Throws StatusError 400, 404 or 405, or PageNotFound.
   */
  resolve(method: string, path: string, watching: boolean): ResourceRoute {
    const parts = path.split('/').slice(1);
    if (parts.at(-1) === '') parts.pop();
    const isCore = parts[0] === 'api';
    const groupVersion = isCore ? parts[1] : `${parts[1]}/${parts[2]}`;
    const rest = parts.slice(isCore ? 2 : 3).map(decodeSegment);
    const served = this.#versions.get(groupVersion ?? '');
    if (served === undefined || rest.length === 0) {
      const group = isCore ? '' : (parts[1] ?? '');
      if (served === undefined && this.#groups.has(group) && parts.length > 1) {
        throw resourceNotServed();
      }
      throw new PageNotFound(path);
    }
    const asWatch = rest[0] === 'watch';
    const target = split(asWatch ? rest.slice(1) : rest);
    const found = served.get(target.resource);
    if (found === undefined) throw resourceNotServed();
    return routeOf(found, target, method, watching || asWatch, asWatch);
  }
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new PageNotFound(segment);
  }
}

/** `namespaces/{ns}/{resource}/…` or `{resource}/…`; namespaces are themselves a resource. */
function split(rest: readonly string[]): ResourcePath {
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = rest;
  const below = rest.length > 2 && first === 'namespaces' && !isNamespaceSubresource(third, rest);
  const tooLong = rest.length > (below ? 5 : 3) || rest.slice(0, -1).includes('');
  if (tooLong) throw resourceNotServed();
  return below
    ? { namespace: second, resource: third, name: fourth, subresource: fifth }
    : { namespace: '', resource: first, name: second, subresource: third };
}

function isNamespaceSubresource(segment: string, rest: readonly string[]): boolean {
  return rest.length === 3 && (segment === 'status' || segment === 'finalize');
}

function routeOf(
  { shard, kind }: Served,
  target: ResourcePath,
  method: string,
  watching: boolean,
  byPath: boolean,
): ResourceRoute {
  const { namespace, name, subresource } = target;
  const inNamespace = namespace !== '';
  const misplaced = inNamespace ? !kind.namespaced : kind.namespaced && name !== '' && !byPath;
  const unknownPart =
    subresource !== '' && !(subresource === 'status' && kind.statusSubresource !== undefined);
  if (misplaced || unknownPart) throw resourceNotServed();
  const verb = verbOf(method, name !== '', watching, byPath);
  const creatable = !kind.namespaced || inNamespace;
  const allowed =
    verb !== undefined &&
    (verb !== 'create' || creatable) &&
    (verb !== 'deletecollection' || (creatable && kind.deletesCollection !== false)) &&
    (subresource === '' || verb === 'get' || verb === 'update');
  if (!allowed) throw methodNotAllowed();
  return { verb, shard, kind, namespace, name, subresource: subresource === '' ? '' : 'status' };
}

function verbOf(
  method: string,
  isItem: boolean,
  watching: boolean,
  byPath: boolean,
): Verb | undefined {
  switch (method) {
    case 'get':
      if (byPath) return 'watch';
      if (isItem) return 'get';
      return watching ? 'watch' : 'list';
    case 'post':
      return isItem || byPath ? undefined : 'create';
    case 'put':
      return isItem && !byPath ? 'update' : undefined;
    case 'delete':
      if (byPath) return undefined;
      return isItem ? 'delete' : 'deletecollection';
    default:
      return undefined;
  }
}
