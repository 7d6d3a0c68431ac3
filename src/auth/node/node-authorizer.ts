/** Decides about node agents: each sees what its own pods need (README.md). */
import { quoteText } from '../../codec/json/strict-quote.ts';
import { ownGroup, ownNamespace } from '../../semantics/dialect/own-names.ts';
import { groupResourceText } from '../../semantics/errors/status.ts';
import type { User } from '../../semantics/user.ts';
import { NO_OPINION } from '../authorizer.ts';
import type { AccessAttributes, Authorizer, Decision, UserRules } from '../authorizer.ts';
import { NO_RULES } from '../fixed-authorizers.ts';
import type { FollowedType, FollowType } from '../../replicas/follow-type.ts';
import { CLUSTER_ROLES } from '../bootstrap-policy/cluster-roles.ts';
import { readRoles } from '../bootstrap-policy/policy-table.ts';
import { ruleAllows } from '../rbac/rule-allows.ts';
import { NodeGraph } from './node-graph.ts';
import { nodeOf } from './node-user.ts';

const LEASE_NAMESPACE = ownNamespace('cluster-node-lease');

/** The rules for every node, besides what is decided for each. */
const NODE_RULES = readRoles(CLUSTER_ROLES).find(({ name }) => name === 'system:node')?.rules ?? [];

const ALLOWED: Decision = Object.freeze({ verdict: 'allow', reason: '' });
const RULES_OF_NODE: UserRules = {
  ...NO_RULES,
  incomplete: true,
  evaluationError: 'node authorizer does not support user rule resolution',
};

interface Facts {
  readonly graph: NodeGraph;
  readonly followed: readonly FollowedType[];
}

/** Decides, or says that it takes the graph: whether the object has to do with the node. */
type Way = (asked: AccessAttributes, node: string) => Decision | IsRelated;
type IsRelated = (graph: NodeGraph) => boolean;

export class NodeAuthorizer implements Authorizer {
  readonly #follow: FollowType;
  /** Pods are many: they are followed from when the first node asks. */
  #facts: Facts | undefined;

  constructor(follow: FollowType) {
    this.#follow = follow;
  }

  authorize(asked: AccessAttributes): Decision | Promise<Decision> {
    const { user } = asked;
    const node = nodeOf(user);
    if (node === undefined) return NO_OPINION;
    if (node === '') return noOpinion(`unknown node for user ${quoteText(user.name)}`);
    const way = asked.isResource ? WAYS.get(typeOf(asked.group, asked.resource)) : undefined;
    if (way === undefined) {
      return NODE_RULES.some((rule) => ruleAllows(rule, asked)) ? ALLOWED : NO_OPINION;
    }
    const decision = way(asked, node);
    return typeof decision === 'function' ? this.#lookUp(decision, node) : decision;
  }

  rulesFor(user: User): UserRules {
    return nodeOf(user) === undefined ? NO_RULES : RULES_OF_NODE;
  }

  #lookUp(isRelated: IsRelated, node: string): Decision | Promise<Decision> {
    const { graph, followed } = (this.#facts ??= this.#start());
    const decide = (): Decision =>
      isRelated(graph)
        ? ALLOWED
        : noOpinion(`no relationship found between node '${node}' and this object`);
    if (followed.every(({ isCurrent }) => isCurrent)) return decide();
    return Promise.all(followed.map((one) => one.whenCurrent())).then(decide);
  }

  #start(): Facts {
    const graph = new NodeGraph();
    const followed = [
      this.#follow('pods', graph.pods),
      this.#follow('persistentvolumes', graph.volumes),
      this.#follow('volumeattachments.storage.cluster.io', graph.attachments),
    ];
    return { graph, followed };
  }
}

function noOpinion(reason: string): Decision {
  return { verdict: 'noOpinion', reason };
}

function typeOf(group: string, resource: string): string {
  return groupResourceText({ group, resource });
}

/** Decisions by type, for types about which nodes are not all alike. */
const WAYS: ReadonlyMap<string, Way> = new Map<string, Way>([
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
  ['serviceaccounts', createToken],
  [typeOf(ownGroup('coordination.cluster.io'), 'leases'), useLease],
  [typeOf(ownGroup('storage.cluster.io'), 'csinodes'), useCsiNode],
]);

function readReferred(
  type: 'secrets' | 'configmaps',
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

function createToken(
  { verb, name, subresource, namespace }: AccessAttributes,
  node: string,
): Decision | IsRelated {
  if (verb !== 'create' || name === '') {
    return noOpinion('can only create tokens for individual service accounts');
  }
  if (subresource !== 'token') {
    return noOpinion('can only create token subresource of serviceaccount');
  }
  return (graph) => graph.refers(node, 'serviceaccounts', namespace, name);
}

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

function useCsiNode({ verb, subresource, name }: AccessAttributes, node: string): Decision {
  if (!OWN_VERBS.includes(verb)) {
    return noOpinion('can only get, create, update, patch, or delete a CSINode');
  }
  if (subresource !== '') return noOpinion('cannot authorize CSINode subresources');
  if (verb === 'create' || name === node) return ALLOWED;
  return noOpinion('can only access CSINode with the same name as the requesting node');
}
