/**
 * From method and path to what is asked for (../README.md#paths).
 */
import { groupVersionOf, type KindDefinition } from '../../resources/kind.ts';
import {
  deprecationWarning,
  shardKey,
  type CustomServing,
  type ServedType,
} from '../../types/served-types.ts';
import { deprecationOf } from '../../resources/kind-lives.ts';
import { operationOf, virtualWarning, type VirtualKind } from '../../resources/virtual-kinds.ts';
import {
  badRequest,
  methodNotAllowed,
  methodNotSupported,
  notFound,
  resourceNotServed,
  StatusError,
} from '../../semantics/errors/status.ts';
import { RequestMetrics, type TypeMetrics } from '../metrics/request-metrics.ts';
import { readResourcePath, type ResourcePath } from './resource-path.ts';

export type Verb =
  'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** The names in a path; '' where it has none. */
interface Named {
  readonly namespace: string;
  readonly name: string;
}

/** A request for objects. */
export interface ResourceRoute extends Named {
  readonly verb: Verb;
  readonly shard: string;
  readonly kind: string;
  /** The message of the kind: `core.v1.ConfigMap`; custom ones have none. */
  readonly message: string | undefined;
  /** The place of the version among those of the kind. */
  readonly version: number;
  /** `status`, `scale` or a part of the object; '' for the object itself. */
  readonly subresource: string;
  /** The warning to users of a deprecated version; '' for others. */
  readonly warning: string;
  /** The metrics of requests to the type. */
  readonly metrics: TypeMetrics;
}

/** A request that is answered by an operation. */
export interface OperationRoute extends Named {
  readonly verb: 'operation';
  /** `pods/eviction`, or the name of a virtual kind. */
  readonly operation: string;
  /** HTTP method in lower case. */
  readonly method: string;
  /** The rest of a proxy's path after the subresource, from its slash on. */
  readonly rest: string;
  /** '' for that of a virtual kind. */
  readonly subresource: string;
  /** The version of a virtual kind; '' for a subresource. */
  readonly version: string;
  /** The warning to users of a deprecated version of a virtual kind; '' for others. */
  readonly warning: string;
  readonly metrics: TypeMetrics;
}

export type Route = ResourceRoute | OperationRoute;

/** The part that all routes to a type share, put together once. */
type TypeRoute = Pick<
  ResourceRoute,
  'shard' | 'kind' | 'message' | 'version' | 'warning' | 'metrics'
>;

type Served =
  | {
      readonly kind: KindDefinition;
      readonly ofType: TypeRoute;
      readonly custom: CustomServing | undefined;
      readonly virtual?: undefined;
    }
  | {
      readonly kind?: undefined;
      readonly virtual: VirtualKind;
      readonly ofType: Pick<OperationRoute, 'version' | 'warning' | 'metrics'>;
    };

/** Nothing is served there: not even a Status, as in the reference. */
export class PageNotFound extends Error {
  override readonly name = 'PageNotFound';
}

const NO_SEGMENTS: readonly string[] = [];

export class Router {
  /** Resource types by group version (`v1`, `batch/v1`), then by name. */
  readonly #versions = new Map<string, Map<string, Served>>();
  /** Groups with types that are not custom. */
  readonly #groups = new Set<string>();

  /** From now on `requests` has metrics of these types alone. */
  constructor(
    types: readonly ServedType[],
    virtualKinds: readonly VirtualKind[],
    requests = new RequestMetrics(),
  ) {
    const counted: TypeMetrics[] = [];
    for (const type of types) {
      const { group, groupVersion, definition: kind, custom } = type;
      if (custom === undefined) this.#groups.add(group);
      const ofType = typeRoute(type, requests);
      counted.push(ofType.metrics);
      this.#add(groupVersion, kind.plural, { kind, ofType, custom });
    }
    for (const virtual of virtualKinds) {
      this.#groups.add(virtual.group);
      const metrics = requests.of({
        ...virtual,
        resource: virtual.plural,
        removedIn: deprecationOf(virtual)?.removedIn,
      });
      counted.push(metrics);
      const ofType = { version: virtual.version, warning: virtualWarning(virtual), metrics };
      this.#add(groupVersionOf(virtual), virtual.plural, { virtual, ofType });
    }
    requests.keep(counted);
  }

  /** Adds a type, unless another already has its name. */
  #add(groupVersion: string, plural: string, served: Served): void {
    let resources = this.#versions.get(groupVersion);
    if (resources === undefined) {
      resources = new Map();
      this.#versions.set(groupVersion, resources);
    }
    if (!resources.has(plural)) resources.set(plural, served);
  }

  /**
   * Finds what a path below `/api/` or `/apis/` names; it is unescaped, and has no slashes at its
   * end. `watching` is the query's `watch`.
   * Throws StatusError 400, 404 or 405, or PageNotFound.
   */
  resolve(method: string, path: string, watching: boolean): Route {
    // The first one is what stands before the first slash.
    const segments = path.split('/');
    const isCore = segments[1] === 'api';
    const group = isCore ? '' : (segments[2] ?? '');
    const groupVersion = isCore ? (segments[2] ?? '') : `${group}/${segments[3]}`;
    const start = isCore ? 3 : 4;
    const served = this.#versions.get(groupVersion);
    if (served === undefined || segments.length <= start) {
      const isInGroup = served === undefined && this.#groups.has(group) && segments.length > 2;
      throw isInGroup ? resourceNotServed() : new PageNotFound(path);
    }
    const target = readResourcePath(segments, start);
    const { resource, subresource, restAt } = target;
    const rest = segments.length > restAt ? segments.slice(restAt) : NO_SEGMENTS;
    const isOver = rest.length > 0 && subresource !== 'proxy';
    if (isOver || resource === '') throw resourceNotServed();
    const found = served.get(resource);
    if (found === undefined) {
      throw this.#groups.has(group) ? resourceNotServed() : new PageNotFound(path);
    }
    const byPath = target.verb === 'watch';
    if (found.virtual !== undefined) {
      return virtualRoute(found, target, { method, watching, byPath, rest });
    }
    const asked = { method, watching: watching || byPath, byPath, rest };
    return found.custom === undefined
      ? resourceRoute(found, target, asked)
      : warning(found, () => customRoute(found, target, asked, path));
  }
}

/** The namespace of a route: '' for a namespace itself, though authorizers see it inside itself. */
function namespaceOf({ inNamespace, namespace }: ResourcePath): string {
  return inNamespace ? namespace : '';
}

/** Throws StatusError 404 when a path has a namespace where the kind has none, or lacks one. */
function checkScope(namespaced: boolean, { verb, inNamespace, name }: ResourcePath): void {
  if (verb === 'proxy') throw resourceNotServed();
  const misplaced = inNamespace ? !namespaced : namespaced && name !== '';
  if (misplaced) throw resourceNotServed();
}

/**
 * Throws StatusError 400 for segments that are there but empty, and for names that no object can
 * have. An empty namespace means all of them where that changes nothing: somebody's unset variable
 * must not empty a cluster.
 */
function checkNames(target: ResourcePath, verb: Verb | 'operation'): void {
  const { inNamespace, namespace, name, subresource } = target;
  const isRead = verb === 'list' || verb === 'watch';
  if (inNamespace && namespace === '' && !isRead) throw badRequest('Namespace parameter required.');
  if (name === '' && subresource !== '') throw nameMissing();
  if (verb !== 'get' && verb !== 'delete' && verb !== 'patch' && verb !== 'operation') return;
  const isReserved = name === '.' || name === '..';
  if (!isReserved && !name.includes('%')) return;
  const why = isReserved ? `may not be '${name}'` : "may not contain '%'";
  throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${why}`);
}

function nameMissing(): StatusError {
  return badRequest('name must be provided');
}

function virtualRoute(
  { virtual, ofType }: Extract<Served, { readonly virtual: VirtualKind }>,
  target: ResourcePath,
  { method, watching, byPath }: Asked,
): OperationRoute {
  const { inNamespace, name, subresource } = target;
  const namespace = namespaceOf(target);
  checkScope(virtual.namespaced, target);
  const isServedThere =
    virtual.namespaced === inNamespace && (name === '' || virtual.verbs.includes('get'));
  if (subresource !== '' || byPath || !isServedThere) throw resourceNotServed();
  const verb = verbOf(method, name !== '', watching, false);
  if (verb === 'watch') {
    throw methodNotSupported({ group: virtual.group, resource: virtual.plural }, verb);
  }
  const isServed = virtual.verbs.some((served) => served === verb);
  if (!isServed) throw methodNotAllowed();
  checkNames(target, 'operation');
  const operation = operationOf(virtual);
  return {
    ...ofType,
    verb: 'operation',
    operation,
    method,
    namespace,
    name,
    rest: '',
    subresource,
  };
}

interface Asked {
  readonly method: string;
  readonly watching: boolean;
  /** The path begins with `watch/`. */
  readonly byPath: boolean;
  /** The segments after the subresource. */
  readonly rest: readonly string[];
}

function typeRoute(type: ServedType, requests: RequestMetrics): TypeRoute {
  const { definition, index, group, version, deprecated, custom } = type;
  const isDeprecated = deprecated !== undefined || (custom?.warning ?? '') !== '';
  return {
    shard: shardKey(type),
    kind: definition.kind,
    message: definition.message,
    version: index,
    warning: deprecationWarning(type),
    metrics: requests.of({
      group,
      version,
      resource: definition.plural,
      kind: definition.kind,
      removedIn: isDeprecated ? (deprecated?.removedIn ?? '') : undefined,
    }),
  };
}

type ServedStored = Extract<Served, { readonly kind: KindDefinition }>;

/** Users of a deprecated version of a custom type are told also when they are refused. */
function warning({ ofType }: ServedStored, route: () => Route): Route {
  try {
    return route();
  } catch (error) {
    if (error instanceof StatusError && ofType.warning !== '') {
      error.said = { warnings: [ofType.warning] };
    }
    throw error;
  }
}

/**
 * A route to a custom type, about which the reference answers in other words: what is not there, is
 * not found, and methods that the type does not have are named.
 */
function customRoute(
  served: ServedStored,
  target: ResourcePath,
  asked: Asked,
  path: string,
): Route {
  const { kind, custom } = served;
  const { inNamespace, namespace, name, subresource } = target;
  const { method } = asked;
  // Only lists and watches of a namespaced type may span all namespaces.
  const isOfAll = name === '' && method === 'get';
  const isMisplaced = kind.namespaced
    ? namespaceOf(target) === '' && !isOfAll
    : inNamespace || namespace !== '';
  if (isMisplaced) throw new PageNotFound(path);
  const groupResource = { group: kind.group, resource: kind.plural };
  if (target.verb === 'proxy') throw methodNotSupported(groupResource, target.verb);
  if (subresource !== '' && subresourceVerbs(kind, subresource) === undefined) {
    throw notFound(groupResource, name);
  }
  const notAllowed = (): StatusError =>
    methodNotSupported(groupResource, requestVerb(method, name !== ''));
  if (custom?.isTerminating === true && method === 'post') throw notAllowed();
  if (name === '' && (method === 'put' || method === 'patch')) throw nameMissing();
  return resourceRoute(served, target, asked, notAllowed);
}

/** The verb that a request would have if it were served; '' for a method outside of the API. */
function requestVerb(method: string, isItem: boolean): string {
  return verbOf(method, isItem, false, false) ?? (method === 'post' ? 'create' : '');
}

function resourceRoute(
  { kind, ofType }: ServedStored,
  target: ResourcePath,
  asked: Asked,
  notAllowed = methodNotAllowed,
): Route {
  const { inNamespace, name, subresource } = target;
  const namespace = namespaceOf(target);
  const { method, byPath } = asked;
  checkScope(kind.namespaced, target);
  if (byPath && subresource !== '') throw resourceNotServed();
  if (kind.operations?.includes(subresource) === true) {
    checkNames(target, 'operation');
    const rest = asked.rest.map((segment) => `/${segment}`).join('');
    const operation = `${kind.plural}/${subresource}`;
    const named = { method, namespace, name, rest, subresource };
    const { metrics } = ofType;
    return { verb: 'operation', operation, ...named, version: '', warning: '', metrics };
  }
  const served = subresource === '' ? undefined : subresourceVerbs(kind, subresource);
  if (subresource !== '' && (served === undefined || asked.rest.length > 0)) {
    throw resourceNotServed();
  }
  const watching = asked.watching && subresource === '';
  const verb = verbOf(method, name !== '' || subresource !== '', watching, byPath);
  const creatable = !kind.namespaced || inNamespace;
  const allowed =
    verb !== undefined &&
    (verb !== 'create' || creatable) &&
    (verb !== 'deletecollection' || (creatable && kind.deletesCollection !== false)) &&
    (served === undefined || served.includes(verb));
  if (!allowed) throw notAllowed();
  checkNames(target, verb);
  return { ...ofType, verb, namespace, name, subresource };
}

/** The verbs of a subresource that shows the object; undefined when it has none. */
function subresourceVerbs(kind: KindDefinition, subresource: string): readonly Verb[] | undefined {
  const isServed =
    (subresource === 'status' && kind.statusSubresource !== undefined) ||
    (subresource === 'scale' && kind.scaleSelector !== undefined);
  if (isServed) return ['get', 'update', 'patch'];
  const { parts } = kind;
  const part = parts && Object.hasOwn(parts, subresource) ? parts[subresource] : undefined;
  if (part === undefined) return undefined;
  return part.readable ? ['get', 'update', 'patch'] : ['update'];
}

function verbOf(
  method: string,
  isItem: boolean,
  watching: boolean,
  byPath: boolean,
): Verb | undefined {
  switch (method) {
    case 'get':
      if (byPath || watching) return 'watch';
      return isItem ? 'get' : 'list';
    case 'post':
      return isItem || byPath ? undefined : 'create';
    case 'put':
      return isItem && !byPath ? 'update' : undefined;
    case 'patch':
      return isItem && !byPath ? 'patch' : undefined;
    case 'delete':
      if (byPath) return undefined;
      return isItem ? 'delete' : 'deletecollection';
    default:
      return undefined;
  }
}
