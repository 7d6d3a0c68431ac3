/**
 * Requests are authorized as they are served: whatever a request says, the verb, the type and the
 * object that its path leads to are those that were asked about
 * (src/front/README.md#attributes-of-a-request).
 */
import fc from 'fast-check';
import t from 'tap';
import { OPERATIONS } from '../../src/front/operations/operations.ts';
import { Query } from '../../src/front/requests/query.ts';
import { requestAttributes } from '../../src/front/requests/request-attributes.ts';
import { PageNotFound, Router } from '../../src/front/requests/route.ts';
import type { Route } from '../../src/front/requests/route.ts';
import { UnreadableRequest } from '../../src/front/requests/unreadable-request.ts';
import { VIRTUAL_KINDS } from '../../src/resources/virtual-kinds.ts';
import { StatusError } from '../../src/semantics/errors/status.ts';
import { customServedTypes } from '../../src/types/custom/custom-served-types.ts';
import { BUILT_IN_TYPES } from '../../src/types/served-types.ts';
import { requestHead } from '../support/answer-context.ts';
import { definitionOf, versionFacts } from '../support/custom-facts.ts';

/** Names of custom types that mean something else in a path. */
const ODD_PLURALS = ['things', 'namespaces', 'status', 'finalize', 'watch', 'proxy', 'v1', 'apis'];
const SCOPES = { Namespaced: 'example.com', Cluster: 'cluster.example.com' } as const;

function definition(plural: string, scope: keyof typeof SCOPES) {
  const list = { listKind: 'ThingList', shortNames: [], categories: [] };
  const named = definitionOf('Thing', {
    name: `${plural}.${SCOPES[scope]}`,
    group: SCOPES[scope],
    scope,
    names: { plural, singular: plural, kind: 'Thing', ...list },
    versions: [versionFacts('v1', { hasStatus: true })],
  });
  return { definition: named, places: [], fields: [] };
}

const CUSTOM = ODD_PLURALS.flatMap((plural) => [
  definition(plural, 'Namespaced'),
  definition(plural, 'Cluster'),
]);
const router = new Router([...BUILT_IN_TYPES, ...CUSTOM.flatMap(customServedTypes)], VIRTUAL_KINDS);

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: string;
}

/** Undefined for what is refused. */
function routed({ method, path, query }: Asked): Route | undefined {
  try {
    // Slashes at the end do not count, and others than these are no paths of the API.
    if (!/^\/apis?\//.test(path)) return undefined;
    const watching = new Query(query).flag('watch');
    const route = router.resolve(method, path.replace(/\/+$/, ''), watching);
    if (route.verb !== 'operation') return route;
    return OPERATIONS.get(route.operation)?.methods.some((one) => one === method) === true
      ? route
      : undefined;
  } catch (error) {
    if (error instanceof StatusError || error instanceof PageNotFound) return undefined;
    throw error;
  }
}

const BY_METHOD: Readonly<Record<string, string>> = {
  get: 'get',
  head: 'get',
  options: '',
  post: 'create',
  put: 'update',
  patch: 'patch',
  delete: 'delete',
};

/** The verb that is served: of an operation what its method means. */
function servedVerb({ verb, name }: Route, method: string, isVirtual: boolean): string {
  if (verb !== 'operation') return verb;
  return isVirtual && method === 'get' && name === '' ? 'list' : (BY_METHOD[method] ?? 'none');
}

/** The name that a list or watch is restricted to by its selector. */
function selected({ path, query }: Asked): string {
  const isOldWatch = /\/v1\/watch\//.test(path);
  return isOldWatch ? '' : (/metadata\.name%3Da\b/.exec(query)?.[0].slice(-1) ?? '');
}

/** Gives the right that a served route needs. */
function rightOf(route: Route, request: Asked) {
  const { namespace, name, subresource, metrics } = route;
  const { group, version, resource } = metrics.type;
  const isVirtual = VIRTUAL_KINDS.some((one) => one.group === group && one.plural === resource);
  const verb = servedVerb(route, request.method, isVirtual);
  const isCollection = name === '' && ['list', 'watch'].includes(verb);
  // A namespace is in itself.
  const isNamespace = group === '' && resource === 'namespaces';
  return {
    verb,
    isResource: true,
    group,
    version,
    resource,
    subresource,
    namespace: isNamespace ? name : namespace,
    name: isCollection ? selected(request) : name,
  };
}

/**
 * Gives the right that is asked for; undefined for a path that cannot be read, which is refused
 * before.
 */
function askedFor({ method, path, query }: Asked) {
  try {
    const head = requestHead({ method, url: path, path, query });
    const { user: _, path: _path, ...rest } = requestAttributes(head, new Query(query));
    return rest;
  } catch (error) {
    if (error instanceof UnreadableRequest) return undefined;
    throw error;
  }
}

const METHODS = 'get head post put patch delete options trace connect'.split(' ');
const CORE = '/api/v1';
const GROUPS = Object.values(SCOPES).map((group) => `/apis/${group}/v1`);
const ODD_ROOTS = '/apis/authorization.cluster.io/v1 /api/v2 //api/v1 /apis//v1 /API/v1 /api//v1';
const ROOTS = [CORE, '/apis/apps/v1', ...GROUPS, ...ODD_ROOTS.split(' ')];
const TYPES = 'namespaces pods nodes services configmaps deployments bindings componentstatuses';
const REVIEWS = 'subjectaccessreviews selfsubjectaccessreviews';
const PARTS = 'status scale finalize log exec proxy token eviction binding ephemeralcontainers';
const OTHERS = 'ns x . .. * %2f watch things v1 apis serviceaccounts';
const WORDS = ['', ...[TYPES, REVIEWS, PARTS, OTHERS].flatMap((words) => words.split(' '))];
const FLAGS =
  'watch watch= watch=true watch=1 watch=anything watch=false watch=0 watch=FALSE Watch=true ' +
  'watch=false&watch=true watch=true&watch=false follow=1 limit=x';
const SELECTORS =
  'fieldSelector=metadata.name%3Da fieldSelector=metadata.name%3Da,metadata.name%3Db ' +
  'watch=1&fieldSelector=metadata.name%3Da,x!%3Dy fieldSelector=metadata.name!%3Da ' +
  'fieldSelector=metadata.name%3D..';
const QUERIES = ['', ...FLAGS.split(' '), ...SELECTORS.split(' ')];

const word = fc.constantFrom(...WORDS);
/** As paths of the API are, as far as that goes by chance. */
const ordinary = fc
  .tuple(
    fc.constantFrom([], ['watch'], ['proxy']),
    fc.constantFrom([], ['namespaces', 'ns']),
    fc.array(word, { minLength: 1, maxLength: 3 }),
  )
  .map((parts) => parts.flat());
const segments = fc.oneof(ordinary, fc.array(word, { maxLength: 7 }));
const request: fc.Arbitrary<Asked> = fc.record({
  method: fc.oneof(fc.constant('get'), fc.constantFrom(...METHODS)),
  path: fc
    .tuple(fc.constantFrom(...ROOTS), segments, fc.constantFrom('', '/', '//'))
    .map(([root, parts, end]) => [root, ...parts].join('/') + end),
  query: fc.constantFrom(...QUERIES),
});

t.test('whatever is asked for, what is served was authorized', async (t) => {
  const served = new Set<string>();
  fc.assert(
    fc.property(request, (one) => {
      const route = routed(one);
      if (route === undefined) return;
      const right = askedFor(one);
      if (right === undefined) return;
      const expected = rightOf(route, one);
      served.add(`${expected.verb} ${expected.resource}/${expected.subresource}`);
      for (const member of Object.keys(expected) as (keyof typeof expected)[]) {
        if (expected[member] === right[member]) continue;
        throw new Error(`${member}: ${JSON.stringify(right)} for ${JSON.stringify(expected)}`);
      }
    }),
    { numRuns: 30_000 },
  );
  // Some seeds make 64, others 75.
  t.ok(served.size > 40, `${served.size} ways were served`);
});

t.test('rights by rows', async (t) => {
  const [custom, cluster] = GROUPS;
  const pods = `${CORE}/namespaces/ns/pods`;
  const refused = 'refused';
  const rows: readonly [what: string, served: string][] = [
    [`get ${pods}/x`, 'get pods/ x'],
    [`get ${pods}/x?watch=true`, 'watch pods/ x'],
    [`get ${pods}/x?watch=`, 'watch pods/ x'],
    [`get ${pods}/x?watch=no`, 'watch pods/ x'],
    [`get ${pods}/x?watch=False`, 'get pods/ x'],
    [`get ${pods}/x?watch=false&watch=true`, 'get pods/ x'],
    [`head ${pods}/x?watch=true`, refused],
    [`get ${CORE}/watch/namespaces/ns/pods/x`, 'watch pods/ x'],
    [`get ${CORE}/watch/pods`, 'watch pods/ '],
    [`delete ${CORE}/watch/namespaces/ns/pods/x`, refused],
    [`get ${CORE}/watch/namespaces/ns/pods/x/log`, refused],
    [`get ${pods}/x/status?watch=true`, 'get pods/status x'],
    [`get ${pods}/x/log?watch=true&follow=true`, 'get pods/log x'],
    [`get ${pods}/x/exec`, 'get pods/exec x'],
    [`post ${pods}/x/exec`, 'create pods/exec x'],
    [`get ${pods}/x/proxy/a/b?watch=true`, 'get pods/proxy x'],
    [`options ${pods}/x/proxy/a`, ' pods/proxy x'],
    [`get ${pods}/x/status/more`, refused],
    [`get ${CORE}/componentstatuses/x?watch=true`, refused],
    [`get ${CORE}/componentstatuses/x`, 'get componentstatuses/ x'],
    [`get ${CORE}/namespaces/ns/status`, 'get namespaces/status ns'],
    [`get ${CORE}/namespaces/ns/status/x`, refused],
    [`get ${CORE}/namespaces//pods`, 'list pods/ '],
    [`delete ${CORE}/namespaces//pods`, refused],
    [`get ${CORE}/proxy/nodes/x`, refused],
    [`delete ${pods}?fieldSelector=metadata.name%3Da`, 'deletecollection pods/ '],
    [`get ${pods}?fieldSelector=metadata.name%3Da`, 'list pods/ a'],
    [`get ${custom}/namespaces/ns/things/x?watch=1`, 'watch things/ x'],
    // Custom types whose names mean something else there are out of reach, as in the reference.
    [`delete ${custom}/namespaces/ns/status/x`, refused],
    [`delete ${custom}/namespaces/ns/finalize/x`, refused],
    [`get ${custom}/namespaces/ns`, refused],
    [`get ${cluster}/namespaces/x`, refused],
    [`put ${cluster}/proxy/x`, refused],
    [`get ${cluster}/proxy/proxy/x`, refused],
    [`get ${cluster}/watch/watch/x`, 'watch watch/ x'],
    [`put ${cluster}/watch/x`, refused],
  ];
  for (const [what, expected] of rows) {
    const [method = '', url = ''] = what.split(' ');
    const [path = '', query = ''] = url.split('?');
    const asked = { method, path, query };
    const route = routed(asked);
    const right = route && rightOf(route, asked);
    const text = right && `${right.verb} ${right.resource}/${right.subresource} ${right.name}`;
    t.equal(text ?? refused, expected, what);
    if (right !== undefined) t.match(askedFor(asked), right, `the right for ${what}`);
  }
});

t.end();
