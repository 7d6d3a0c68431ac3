/** Rights of a node to objects of types about which nodes are not all alike (README.md). */
import { quoteText } from '../../codec/json/strict-quote.ts';
import type { FeatureGate, FeatureGates } from '../../release/feature-gates.ts';
import { gatesOf } from '../../release/feature-gates.ts';
import { ownRelease } from '../../release/release.ts';
import { ownGroup, ownNamespace } from '../../semantics/dialect/own-names.ts';
import { groupResourceText } from '../../semantics/errors/status.ts';
import { fieldTerms } from '../asked-selectors.ts';
import { NO_OPINION } from '../authorizer.ts';
import type { AccessAttributes, Decision } from '../authorizer.ts';
import type { NodeGraph } from './node-graph.ts';

const LEASE_NAMESPACE = ownNamespace('cluster-node-lease');
/** Any of these lets a node get the accounts of its pods. */
const READ_ACCOUNTS = [
  'KubeletServiceAccountTokenForCredentialProviders',
  'PodCertificateRequest',
] as const satisfies readonly FeatureGate[];
const KNOWS_READS = READ_ACCOUNTS.some((gate) => gatesOf(ownRelease()).includes(gate));

const RESOURCE_GROUP = ownGroup('resource.cluster.io');
/** Slices of devices belong to nodes. */
export const KNOWS_SLICES = ownRelease().has('nodeSlices');
const DELETES_SLICES = ownRelease().has('nodesDeleteTheirSlices');
/** Agents ask for certificates of their pods. */
export const KNOWS_CERTIFICATES = ownRelease().has('nodeCertificateRequests');
const DECIDES_WITHOUT_GATE = ownRelease().has('nodeCertificatesNeedGate');

export const ALLOWED: Decision = Object.freeze({ verdict: 'allow', reason: '' });

/** Decides, or says that it takes the graph: whether the object has to do with the node. */
export type Way = (asked: AccessAttributes, node: string) => Decision | IsRelated;
export type IsRelated = (graph: NodeGraph) => boolean;

export function noOpinion(reason: string): Decision {
  return { verdict: 'noOpinion', reason };
}

export function typeOf(group: string, resource: string): string {
  return groupResourceText({ group, resource });
}

/** Decisions by type, for types about which nodes are not all alike while these features are on. */
export function nodeWays(gates: FeatureGates): ReadonlyMap<string, Way> {
  const ways = new Map<string, Way>([
    ['secrets', (asked, node) => readReferred('secrets', asked, node)],
    ['configmaps', (asked, node) => readReferred('configmaps', asked, node)],
    ['persistentvolumeclaims', readClaim],
    [
      'persistentvolumes',
      (asked, node) => getOnly(asked, (graph) => graph.hasVolume(node, asked.name)),
    ],
    [
      typeOf(ownGroup('storage.cluster.io'), 'volumeattachments'),
      (asked, node) => getOnly(asked, (graph) => graph.isAttached(node, asked.name)),
    ],
    ['serviceaccounts', (asked, node) => useAccount(asked, node, gates)],
    [typeOf(ownGroup('coordination.cluster.io'), 'leases'), useLease],
    [
      typeOf(ownGroup('storage.cluster.io'), 'csinodes'),
      (asked, node) => useCsiNode(asked, node, gates),
    ],
  ]);
  if (ownRelease().has('nodeClaimsRelated')) {
    ways.set(typeOf(RESOURCE_GROUP, 'resourceclaims'), (asked, node) =>
      getOnly(asked, (graph) => graph.refers(node, 'resourceclaims', asked.namespace, asked.name)),
    );
  }
  const looksAtSelectors = gates.has('AuthorizeNodeWithSelectors');
  if (looksAtSelectors) ways.set('nodes', useNode).set('pods', usePod);
  if (KNOWS_SLICES) {
    ways.set(typeOf(RESOURCE_GROUP, 'resourceslices'), (asked, node) =>
      useSlice(asked, node, looksAtSelectors),
    );
  }
  if (KNOWS_CERTIFICATES) {
    const isOn = looksAtSelectors && gates.has('PodCertificateRequest');
    const type = typeOf(ownGroup('certificates.cluster.io'), 'podcertificaterequests');
    if (isOn) ways.set(type, useCertificateRequest);
    else if (DECIDES_WITHOUT_GATE) ways.set(type, () => NO_OPINION);
  }
  return ways;
}

const READS = ['get', 'list', 'watch'];
const CHANGES = ['update', 'patch'];

function useNode({ verb, subresource, name }: AccessAttributes, node: string): Decision {
  if (subresource === '' && READS.includes(verb)) {
    if (name === node) return ALLOWED;
    const what = name === '' ? 'all nodes' : `'${name}'`;
    return noOpinion(`node '${node}' cannot read ${what}, only its own Node object`);
  }
  // Admission looks at which node it is.
  const isOwn =
    subresource === ''
      ? verb === 'create' || CHANGES.includes(verb)
      : subresource === 'status' && CHANGES.includes(verb);
  return isOwn ? ALLOWED : NO_OPINION;
}

function usePod(asked: AccessAttributes, node: string): Decision | IsRelated {
  const { verb, subresource, namespace, name } = asked;
  const isRelated: IsRelated = (graph) => graph.hasPod(node, namespace, name);
  if (subresource === '') {
    if (verb === 'get') return related(name, isRelated);
    if (verb === 'create' || verb === 'delete') return ALLOWED;
    if (verb !== 'list' && verb !== 'watch') return NO_OPINION;
    if (isOfNode(asked, node)) return ALLOWED;
    if (name !== '') return isRelated;
    return noOpinion('can only list/watch pods with spec.nodeName field selector');
  }
  const isOwn =
    (subresource === 'status' && CHANGES.includes(verb)) ||
    (subresource === 'eviction' && verb === 'create');
  return isOwn ? ALLOWED : NO_OPINION;
}

/** Whether it is asked for what is on the node alone. */
function isOfNode(asked: AccessAttributes, node: string): boolean {
  return fieldTerms(asked).some(({ field, operator, value }) => {
    return field === 'spec.nodeName' && operator === '=' && value === node;
  });
}

function readReferred(
  type: 'secrets' | 'configmaps' | 'serviceaccounts',
  { verb, subresource, namespace, name }: AccessAttributes,
  node: string,
): Decision | IsRelated {
  if (!['get', 'list', 'watch'].includes(verb)) {
    return noOpinion('can only read resources of this type');
  }
  if (subresource !== '') return noOpinion('cannot read subresource');
  if (namespace === '') return noOpinion('can only read namespaced object of this type');
  return related(name, (graph) => graph.refers(node, type, namespace, name));
}

function readClaim(asked: AccessAttributes, node: string): Decision | IsRelated {
  const { namespace, name, subresource, verb } = asked;
  const isRelated: IsRelated = (graph) =>
    graph.refers(node, 'persistentvolumeclaims', namespace, name);
  if (subresource !== 'status') return getOnly(asked, isRelated);
  if (verb === 'update' || verb === 'patch') return related(name, isRelated);
  return noOpinion('can only get/update/patch this type');
}

function getOnly(
  { verb, subresource, name }: AccessAttributes,
  isRelated: IsRelated,
): Decision | IsRelated {
  if (verb !== 'get') return noOpinion('can only get individual resources of this type');
  if (subresource !== '') return noOpinion('cannot get subresource');
  return related(name, isRelated);
}

function related(name: string, isRelated: IsRelated): Decision | IsRelated {
  return name === '' ? noOpinion('No Object name found') : isRelated;
}

function useAccount(
  asked: AccessAttributes,
  node: string,
  gates: FeatureGates,
): Decision | IsRelated {
  const { verb, name, subresource, namespace } = asked;
  if (verb === 'get' && subresource === '' && KNOWS_READS) {
    const mayRead = READ_ACCOUNTS.some((gate) => gates.has(gate));
    if (mayRead) return readReferred('serviceaccounts', asked, node);
    return noOpinion('not allowed to get service accounts');
  }
  if (verb !== 'create' || name === '') {
    return noOpinion('can only create tokens for individual service accounts');
  }
  if (subresource !== 'token') {
    return noOpinion('can only create token subresource of serviceaccount');
  }
  return (graph) => graph.refers(node, 'serviceaccounts', namespace, name);
}

const HEALTH = 'CSIVolumeHealth';
const TELLS_HEALTH = ownRelease().has('csiNodeStatus');
const OTHER_CSI_NODE = 'can only access CSINode with the same name as the requesting node';
const OWN_VERBS = ['get', 'create', 'update', 'patch', 'delete'];

// A create has no name yet: admission can look at it, and authorization cannot.
function useLease({ verb, namespace, name }: AccessAttributes, node: string): Decision {
  if (!OWN_VERBS.includes(verb)) {
    return noOpinion('can only get, create, update, patch, or delete a node lease');
  }
  if (namespace !== LEASE_NAMESPACE) {
    const where = quoteText(LEASE_NAMESPACE);
    return noOpinion(`can only access leases in the ${where} system namespace`);
  }
  if (verb === 'create' || name === node) return ALLOWED;
  return noOpinion('can only access node lease with the same name as the requesting node');
}

function useCsiNode(
  { verb, subresource, name }: AccessAttributes,
  node: string,
  gates: FeatureGates,
): Decision {
  const isOwn = verb === 'create' || name === node;
  if (subresource === 'status' && TELLS_HEALTH) {
    if (!gates.has(HEALTH)) return noOpinion(`CSINode status access requires ${HEALTH} feature`);
    if (verb !== 'get' && !CHANGES.includes(verb)) {
      return noOpinion('can only get, update, or patch CSINode status');
    }
    return isOwn ? ALLOWED : noOpinion(OTHER_CSI_NODE);
  }
  const other = subresource === '' ? undefined : 'cannot authorize CSINode subresources';
  if (other !== undefined && TELLS_HEALTH) return noOpinion(other);
  if (!OWN_VERBS.includes(verb)) {
    return noOpinion('can only get, create, update, patch, or delete a CSINode');
  }
  if (other !== undefined) return noOpinion(other);
  return isOwn ? ALLOWED : noOpinion(OTHER_CSI_NODE);
}

function useSlice(
  asked: AccessAttributes,
  node: string,
  looksAtSelectors: boolean,
): Decision | IsRelated {
  const { verb, subresource, name } = asked;
  if (subresource !== '') return noOpinion('cannot authorize ResourceSlice subresources');
  // Admission looks at whose it is that is made.
  if (verb === 'create') return ALLOWED;
  if (verb === 'get' || verb === 'delete' || CHANGES.includes(verb)) {
    return related(name, (graph) => graph.hasSlice(node, name));
  }
  if (verb === 'list' || verb === 'watch' || (DELETES_SLICES && verb === 'deletecollection')) {
    if (!looksAtSelectors || isOfNode(asked, node)) return ALLOWED;
    return noOpinion(`can only ${SLICES_BY_NODE}`);
  }
  return noOpinion(DELETES_SLICES ? SLICE_VERBS : OLDER_SLICE_VERBS);
}

const SLICES_BY_NODE = 'list/watch/deletecollection resourceslices with nodeName field selector';
const SLICE_VERBS =
  'only the following verbs are allowed for a ResourceSlice: ' +
  'get, watch, list, create, update, patch, delete, deletecollection';
const OLDER_SLICE_VERBS = 'can only get, create, update, patch, or delete a ResourceSlice';

function useCertificateRequest(asked: AccessAttributes, node: string): Decision | IsRelated {
  const { verb, subresource, namespace, name } = asked;
  if (subresource !== '') {
    return noOpinion('nodes may not access the status subresource of PodCertificateRequests');
  }
  switch (verb) {
    case 'create':
      return ALLOWED;
    case 'get':
      return related(name, (graph) => graph.hasCertificateRequest(node, namespace, name));
    case 'list':
    case 'watch':
      if (isOfNode(asked, node)) return ALLOWED;
      return noOpinion('can only list/watch podcertificaterequests with nodeName field selector');
    default:
      return noOpinion(`nodes may not ${verb} podcertificaterequests`);
  }
}
