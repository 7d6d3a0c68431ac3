/**
 * Who may do what, as a matrix: identities, requests, and the objects that decide. Everything is in
 * the names that public clients know, so that another server of the API can be asked the same.
 */

export interface Identity {
  readonly user: string;
  readonly groups: readonly string[];
}

export interface ResourceRequest {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface PathRequest {
  readonly verb: string;
  readonly path: string;
}

export type MatrixRequest = ResourceRequest | PathRequest;

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const APPLY = { apiGroup: 'rbac.authorization.k8s.io' };
const ALL = 'system:authenticated';
/** The namespaces of the matrix, which come first. */
export const MATRIX_NAMESPACES = ['access-a', 'access-b'] as const;
const [A, B] = MATRIX_NAMESPACES;

const accountGroups = (namespace: string): string[] => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`,
  ALL,
];
const account = (namespace: string, name: string): Identity => ({
  user: `system:serviceaccount:${namespace}:${name}`,
  groups: accountGroups(namespace),
});

/** By what they are for. */
export const IDENTITIES: Readonly<Record<string, Identity>> = {
  administrator: { user: 'root', groups: ['system:masters', ALL] },
  anonymous: { user: 'system:anonymous', groups: ['system:unauthenticated'] },
  known: { user: 'known', groups: [ALL] },
  viewer: { user: 'viewer', groups: [ALL] },
  editor: { user: 'editor', groups: ['access-editors', ALL] },
  owner: { user: 'owner', groups: [ALL] },
  reader: { user: 'reader', groups: [ALL] },
  named: { user: 'named', groups: [ALL] },
  binder: { user: 'binder', groups: ['access-binders', ALL] },
  prober: { user: 'prober', groups: [] },
  account: account(A, 'worker'),
  stranger: account(B, 'worker'),
  scheduler: { user: 'system:kube-scheduler', groups: [ALL] },
  manager: { user: 'system:kube-controller-manager', groups: [ALL] },
  collector: account('kube-system', 'generic-garbage-collector'),
  deployments: account('kube-system', 'deployment-controller'),
  proxy: { user: 'system:kube-proxy', groups: [ALL] },
  node: { user: 'system:node:access', groups: ['system:nodes', ALL] },
  bootstrapper: { user: 'system:bootstrap:abcdef', groups: ['system:bootstrappers'] },
  monitor: { user: 'monitor', groups: ['system:monitoring', ALL] },
  patcher: { user: 'patcher', groups: [ALL] },
  creator: { user: 'creator', groups: [ALL] },
  applier: { user: 'applier', groups: [ALL] },
  claimant: { user: 'claimant', groups: [ALL] },
  getter: { user: 'getter', groups: [ALL] },
  watcher: { user: 'watcher', groups: [ALL] },
};

interface MatrixObject {
  readonly path: string;
  readonly object: {
    readonly metadata: { readonly name: string };
    readonly [member: string]: unknown;
  };
}

function role(namespace: string, name: string, ...rules: unknown[]): MatrixObject {
  const path = namespace === '' ? `${RBAC}/clusterroles` : `${RBAC}/namespaces/${namespace}/roles`;
  return { path, object: { metadata: { name }, rules } };
}

/** A role of everything, for a user of the same name. */
function mayDo(name: string, verbs: string[], resourceNames?: string[]): MatrixObject[] {
  const rule = {
    verbs,
    apiGroups: ['*'],
    resources: ['*'],
    ...(resourceNames && { resourceNames }),
  };
  return [
    role('', `access-${name}`, rule),
    bound('', `access-${name}`, `ClusterRole/access-${name}`, user(name)),
  ];
}

function bound(namespace: string, name: string, roleRef: string, subject: unknown): MatrixObject {
  const [kind, to] = roleRef.split('/');
  const path =
    namespace === ''
      ? `${RBAC}/clusterrolebindings`
      : `${RBAC}/namespaces/${namespace}/rolebindings`;
  const object = { metadata: { name }, roleRef: { ...APPLY, kind, name: to }, subjects: [subject] };
  return { path, object };
}

const user = (name: string) => ({ ...APPLY, kind: 'User', name });
const group = (name: string) => ({ ...APPLY, kind: 'Group', name });

/** The objects besides those that every server makes. */
export const MATRIX_OBJECTS: readonly MatrixObject[] = [
  ...MATRIX_NAMESPACES.map((name) => ({
    path: '/api/v1/namespaces',
    object: { metadata: { name } },
  })),
  bound(A, 'viewers', 'ClusterRole/view', user('viewer')),
  bound('', 'access-editors', 'ClusterRole/edit', group('access-editors')),
  bound(A, 'owners', 'ClusterRole/admin', user('owner')),
  role(
    A,
    'reader',
    { verbs: ['get', 'list'], apiGroups: ['', 'apps'], resources: ['pods', 'deployments/scale'] },
    { verbs: ['*'], apiGroups: ['batch'], resources: ['*'] },
    { verbs: ['get'], apiGroups: ['*'], resources: ['*/status'] },
  ),
  bound(A, 'readers', 'Role/reader', user('reader')),
  bound(B, 'nothing', 'Role/missing', user('reader')),
  role('', 'access-named', {
    verbs: ['get', 'update', 'delete', 'list', 'watch', 'create', 'deletecollection'],
    apiGroups: [''],
    resources: ['configmaps', 'secrets', 'namespaces'],
    resourceNames: ['one', A],
  }),
  bound('', 'access-named', 'ClusterRole/access-named', user('named')),
  role(
    '',
    'access-binder',
    { verbs: ['bind', 'escalate', 'impersonate'], apiGroups: ['*'], resources: ['*'] },
    { verbs: ['create', 'update'], apiGroups: [APPLY.apiGroup], resources: ['rolebindings'] },
  ),
  bound('', 'access-binders', 'ClusterRole/access-binder', group('access-binders')),
  role(
    '',
    'access-prober',
    { verbs: ['get'], nonResourceURLs: ['/metrics', '/logs/*'] },
    { verbs: ['*'], nonResourceURLs: ['/debug*'] },
  ),
  bound('', 'access-prober', 'ClusterRole/access-prober', user('prober')),
  bound(B, 'prober', 'ClusterRole/access-prober', user('known')),
  role(A, 'worker', {
    verbs: ['get', 'list', 'watch', 'create', 'update', 'patch'],
    apiGroups: ['', 'example.com'],
    resources: ['pods', 'pods/log', 'configmaps', 'widgets'],
  }),
  bound(A, 'worker', 'Role/worker', { kind: 'ServiceAccount', name: 'worker', namespace: A }),
  ...mayDo('patcher', ['patch', 'update']),
  ...mayDo('creator', ['create']),
  ...mayDo('applier', ['patch', 'update', 'create']),
  ...mayDo('claimant', ['patch', 'update', 'create'], ['one']),
  ...mayDo('getter', ['get']),
  ...mayDo('watcher', ['watch']),
];

const OBJECT_VERBS = ['get', 'update', 'patch', 'delete'];
const COLLECTION_VERBS = ['list', 'watch', 'create', 'deletecollection'];

/** `resource[/subresource][.group]`, with the namespaces and names in which it is asked for. */
const ASKED: readonly [resource: string, namespaces: string[], names: string[]][] = [
  ['pods', [A, B, ''], ['one']],
  ['pods/log', [A], ['one']],
  ['pods/exec', [A], ['one']],
  ['pods/status', [A, ''], ['one']],
  ['configmaps', [A, 'kube-system'], ['one', 'two']],
  ['secrets', [A, 'kube-system'], ['one', 'two']],
  ['serviceaccounts', [A], ['default']],
  ['serviceaccounts/token', [A], ['default']],
  ['nodes', [''], ['access', 'other']],
  ['nodes/status', [''], ['access']],
  ['namespaces', ['', A], [A, B]],
  ['events', [A, ''], ['one']],
  ['endpoints', [A], ['one']],
  ['services', [A], ['one']],
  ['persistentvolumes', [''], ['one']],
  ['deployments.apps', [A, B], ['one']],
  ['deployments/scale.apps', [A], ['one']],
  ['jobs.batch', [A, B], ['one']],
  ['leases.coordination.k8s.io', ['kube-system', 'kube-node-lease'], ['kube-scheduler', 'access']],
  ['roles.rbac.authorization.k8s.io', [A], ['one']],
  ['rolebindings.rbac.authorization.k8s.io', [A], ['one']],
  ['clusterroles.rbac.authorization.k8s.io', [''], ['view']],
  ['csinodes.storage.k8s.io', [''], ['access', 'other']],
  ['tokenreviews.authentication.k8s.io', [''], ['']],
  ['subjectaccessreviews.authorization.k8s.io', [''], ['']],
  ['selfsubjectaccessreviews.authorization.k8s.io', [''], ['']],
  ['certificatesigningrequests.certificates.k8s.io', [''], ['one']],
  ['certificatesigningrequests/selfnodeclient.certificates.k8s.io', [''], ['one']],
  ['widgets.example.com', [A], ['one']],
  ['*', [A, ''], ['one']],
];

const MORE: readonly [verb: string, resource: string, namespace: string, name: string][] = [
  ['impersonate', 'users', '', 'jane'],
  ['impersonate', 'groups', '', 'system:masters'],
  ['impersonate', 'serviceaccounts', A, 'default'],
  ['bind', 'clusterroles.rbac.authorization.k8s.io', '', 'cluster-admin'],
  ['escalate', 'roles.rbac.authorization.k8s.io', A, 'one'],
  ['approve', 'signers.certificates.k8s.io', '', 'kubernetes.io/kube-apiserver-client'],
  ['proxy', 'nodes', '', 'access'],
  ['*', '*.*', '', ''],
  ['use', 'podsecuritypolicies.policy', '', 'one'],
];

const PATHS = [
  '/',
  '/api',
  '/api/v1',
  '/apis',
  '/apis/apps/v1',
  '/openapi/v2',
  '/version',
  '/version/',
  '/healthz',
  '/healthz/ping',
  '/livez',
  '/livez/ping',
  '/readyz',
  '/readyz/ping',
  '/metrics',
  '/logs/x/y',
  '/logs',
  '/debug',
  '/debug/pprof',
  '/.well-known/openid-configuration',
  '/openid/v1/jwks',
  '/nothing',
];

function ofResource(verb: string, resource: string, namespace: string, name: string) {
  const [path = '', ...groups] = resource.split('.');
  const [plural = '', subresource = ''] = path.split('/');
  return { verb, group: groups.join('.'), resource: plural, subresource, namespace, name };
}

/** All that is asked of each identity, in the order of the decisions. */
export function matrixRequests(): MatrixRequest[] {
  const ofObjects = ASKED.flatMap(([resource, namespaces, names]) =>
    namespaces.flatMap((namespace) => [
      ...names.flatMap((name) =>
        OBJECT_VERBS.map((verb) => ofResource(verb, resource, namespace, name)),
      ),
      ...COLLECTION_VERBS.map((verb) => ofResource(verb, resource, namespace, '')),
    ]),
  );
  const others = MORE.map((request) => ofResource(...request));
  const paths = PATHS.flatMap((path) => ['get', 'post'].map((verb) => ({ verb, path })));
  return [...ofObjects, ...others, ...paths];
}

/** The `spec` of the review that asks for a decision. */
export function reviewSpec({ user: name, groups }: Identity, request: MatrixRequest): object {
  const attributes =
    'path' in request ? { nonResourceAttributes: request } : { resourceAttributes: request };
  return { user: name, groups, ...attributes };
}

/** A request for people. */
export function requestText(request: MatrixRequest): string {
  if ('path' in request) return `${request.verb} ${request.path}`;
  const { verb, group: of, resource, subresource, namespace, name } = request;
  return `${verb} ${resource}/${subresource} of "${of}" in "${namespace}" named "${name}"`;
}
