/**
 * The names that the two dialects spell differently (README.md#names). Each function is its own
 * inverse, for every string: a name whose other spelling belongs to another name is left alone.
 */

const GROUP_NAMES = [
  'storage',
  'coordination',
  'events',
  'networking',
  'discovery',
  'rbac.authorization',
  'authorization',
  'authentication',
  'apiextensions',
  'apiregistration',
  'admissionregistration',
  'admission',
  'certificates',
  'scheduling',
  'node',
  'resource',
  'storagemigration',
  'lifecycle',
  'flowcontrol.apiserver',
  'internal.apiserver',
  'meta',
  'apidiscovery',
  'metrics',
  'custom.metrics',
  'external.metrics',
  'audit',
  // Groups of files that options name.
  'apiserver.config',
  'eventratelimit.admission',
  'podtolerationrestriction.admission',
  'pod-security.admission.config',
];
const NEUTRAL = 'cluster.io';
const K8S = 'k8s.io';
const K8S_NAMES = 'kubernetes.io';

const GROUPS = bothWays(GROUP_NAMES.map((name) => [`${name}.${NEUTRAL}`, `${name}.${K8S}`]));
const NAMESPACES = bothWays([
  ['cluster-system', 'kube-system'],
  ['cluster-public', 'kube-public'],
  ['cluster-node-lease', 'kube-node-lease'],
]);
const EXACT_NAMES = bothWays([
  [
    'client.cluster.io/last-applied-configuration',
    'kubectl.kubernetes.io/last-applied-configuration',
  ],
  ['cluster.io/initial-events-end', 'k8s.io/initial-events-end'],
  ['cluster.io/component', 'k8s.io/component'],
  ['networking.cluster.io/service-cidr-finalizer', 'networking.k8s.io/service-cidr-finalizer'],
  ['cluster.io/deprecated', 'k8s.io/deprecated'],
  ['cluster.io/removed-release', 'k8s.io/removed-release'],
  [
    'flowcontrol.cluster.io/v1beta3-preserve-zero-concurrency-shares',
    'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares',
  ],
]);
const MANAGERS = bothWays([
  ['client', 'kubectl'],
  // Names that the server itself writes.
  ['cluster-apiserver', 'kube-apiserver'],
  ['cluster-controller-manager', 'kube-controller-manager'],
]);
const NAMESPACE_FINALIZERS = bothWays([['cluster', 'kubernetes']]);
const FINALIZERS = bothWays([
  ['customresourcecleanup.apiextensions.cluster.io', 'customresourcecleanup.apiextensions.k8s.io'],
]);
/** The ServiceCIDR of the command line is called as the Service of the API is. */
const DEFAULT_RANGES = bothWays([['cluster', 'kubernetes']]);
const APPROVALS = bothWays([['api-approved.cluster.io', 'api-approved.kubernetes.io']]);
const MEDIA_WORDS = bothWays([['vnd.cluster.protobuf', 'vnd.kubernetes.protobuf']]);

const VERSION = /^v[1-9][0-9]*(?:(?:alpha|beta)[1-9][0-9]*)?$/;
const AGGREGATION = 'rbac.authorization.';
/** Names of quotas end in the group of a class. */
const CLASS_QUOTAS = ['.storageclass.storage.', '.deviceclass.resource.'];
const OBJECT_COUNT = 'count';
const GROUP_URLS = '/apis/';
const SYSTEM = 'system:';
const SERVICE_ACCOUNT = 'system:serviceaccount:';
const SERVICE_ACCOUNTS = 'system:serviceaccounts:';

/** Kinds whose objects are named after an API group: `v1.<group>`, `<plural>.<group>`. */
const NAMED_AFTER_GROUPS = new Set(['APIService', 'CustomResourceDefinition']);

function bothWays(pairs: readonly (readonly string[])[]): ReadonlyMap<string, string> {
  return new Map(pairs.flatMap(([a = '', b = '']) => [[a, b] as const, [b, a] as const]));
}

/** `storage.cluster.io` <-> `storage.k8s.io`; other groups stay. */
export function swapGroup(group: string): string {
  return GROUPS.get(group) ?? group;
}

/** `storage.cluster.io/v1` <-> `storage.k8s.io/v1`, whatever the version. */
export function swapGroupVersion(groupVersion: string): string {
  const slash = groupVersion.indexOf('/');
  if (slash < 0) return groupVersion;
  const group = GROUPS.get(groupVersion.slice(0, slash));
  return group === undefined ? groupVersion : group + groupVersion.slice(slash);
}

/** `cluster-system` <-> `kube-system`, and the two others. */
export function swapNamespace(name: string): string {
  return NAMESPACES.get(name) ?? name;
}

/** `client` <-> `kubectl`. */
export function swapManager(name: string): string {
  return MANAGERS.get(name) ?? name;
}

/** The finalizer of namespaces: `cluster` <-> `kubernetes`. */
export function swapNamespaceFinalizer(name: string): string {
  return NAMESPACE_FINALIZERS.get(name) ?? swapQualified(name);
}

/** The key of the annotation of approved definitions, the only one without a slash. */
export function swapApproval(key: string): string {
  return APPROVALS.get(key) ?? key;
}

/** `vnd.cluster.protobuf` <-> `vnd.kubernetes.protobuf`. */
export function swapMediaWord(word: string): string {
  return MEDIA_WORDS.get(word) ?? word;
}

/** The name of an object of a kind: of a namespace, or of an object named after an API group. */
export function swapObjectName(kind: string, name: string): string {
  if (kind === 'Namespace') return swapNamespace(name);
  if (kind === 'ClusterRole') return swapRole(name);
  if (kind === 'ServiceCIDR') return DEFAULT_RANGES.get(name) ?? name;
  if (kind === 'APIGroupDiscovery') return swapGroup(name);
  if (kind === 'StorageVersion') return swapGroupPrefix(name);
  return NAMED_AFTER_GROUPS.has(kind) ? swapGroupSuffix(name) : name;
}

/** `leases.coordination.cluster.io`: the part behind the first dot is an API group. */
export function swapGroupSuffix(name: string): string {
  const dot = name.indexOf('.');
  if (dot < 0) return name;
  const group = GROUPS.get(name.slice(dot + 1));
  return group === undefined ? name : name.slice(0, dot + 1) + group;
}

/** `storage.cluster.io.csinodes`: the part before the last dot is an API group. */
function swapGroupPrefix(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? name : swapGroup(name.slice(0, dot)) + name.slice(dot);
}

/** `system:serviceaccount:<namespace>:<name>` and `system:serviceaccounts:<namespace>`. */
export function swapUser(user: string): string {
  if (user.startsWith(SERVICE_ACCOUNTS)) {
    return SERVICE_ACCOUNTS + swapNamespace(user.slice(SERVICE_ACCOUNTS.length));
  }
  if (!user.startsWith(SERVICE_ACCOUNT)) return user;
  const colon = user.indexOf(':', SERVICE_ACCOUNT.length);
  if (colon < 0) return user;
  return (
    SERVICE_ACCOUNT + swapNamespace(user.slice(SERVICE_ACCOUNT.length, colon)) + user.slice(colon)
  );
}

/** A cluster role that is named after an API group: `system:<group>:…`. */
export function swapRole(role: string): string {
  if (!role.startsWith(SYSTEM)) return role;
  const colon = role.indexOf(':', SYSTEM.length);
  if (colon < 0) return role;
  return SYSTEM + swapGroup(role.slice(SYSTEM.length, colon)) + role.slice(colon);
}

/** The path of a request: `/apis/storage.cluster.io/…`. */
export function swapUrl(url: string): string {
  if (!url.startsWith(GROUP_URLS)) return url;
  const slash = url.indexOf('/', GROUP_URLS.length);
  const end = slash < 0 ? url.length : slash;
  return GROUP_URLS + swapGroup(url.slice(GROUP_URLS.length, end)) + url.slice(end);
}

/**
 * A key of labels or annotations, a finalizer, taint, type of secrets, signer: `<domain>/…`, or the
 * one finalizer of the server without a slash.
 */
export function swapQualified(name: string): string {
  const slash = name.indexOf('/');
  if (slash < 0) return FINALIZERS.get(name) ?? name;
  const other = otherQualified(name, slash);
  return other === name || otherQualified(other, other.indexOf('/')) !== name ? name : other;
}

function otherQualified(name: string, slash: number): string {
  const domain = name.slice(0, slash);
  if (domain === OBJECT_COUNT) {
    return name.slice(0, slash + 1) + swapGroupSuffix(name.slice(slash + 1));
  }
  if (!domain.endsWith('.io')) return name;
  const exact = EXACT_NAMES.get(name);
  if (exact !== undefined) return exact;
  const rest = name.slice(slash);
  const group = GROUPS.get(domain);
  if (group !== undefined) {
    const isAggregation = domain.startsWith(AGGREGATION) && rest.startsWith('/aggregate-to-');
    if (isAggregation || VERSION.test(rest.slice(1))) return group + rest;
  }
  for (const infix of CLASS_QUOTAS) {
    const quota = domain.lastIndexOf(infix);
    if (quota <= 0) continue;
    const head = quota + infix.length;
    const tail = domain.slice(head);
    if (tail === NEUTRAL) return domain.slice(0, head) + K8S + rest;
    if (tail === K8S) return domain.slice(0, head) + NEUTRAL + rest;
  }
  return otherDomain(domain, NEUTRAL, K8S_NAMES) + rest;
}

function otherDomain(domain: string, a: string, b: string): string {
  if (isOfDomain(domain, a)) return domain.slice(0, -a.length) + b;
  return isOfDomain(domain, b) ? domain.slice(0, -b.length) + a : domain;
}

function isOfDomain(domain: string, parent: string): boolean {
  if (!domain.endsWith(parent)) return false;
  return domain.length === parent.length || domain[domain.length - parent.length - 1] === '.';
}
