/** Decides about node agents: each sees what its own pods need (README.md). */
import type { PolicyRule } from '#messages/rbac.v1';
import { quoteText } from '../../codec/json/strict-quote.ts';
import type { User } from '../../semantics/user.ts';
import { NO_OPINION } from '../authorizer.ts';
import type { AccessAttributes, Authorizer, Decision, UserRules } from '../authorizer.ts';
import { NO_RULES } from '../fixed-authorizers.ts';
import type { FollowedType, FollowType } from '../../replicas/follow-type.ts';
import { CLUSTER_ROLES } from '../../release/data/cluster-roles.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';
import { ownRelease } from '../../release/release.ts';
import { readRoles } from '../bootstrap-policy/policy-table.ts';
import { ruleAllows } from '../rbac/rule-allows.ts';
import { NodeGraph } from './node-graph.ts';
import { nodeOf } from './node-user.ts';
import {
  ALLOWED,
  KNOWS_CERTIFICATES,
  KNOWS_SLICES,
  nodeWays,
  noOpinion,
  typeOf,
} from './node-ways.ts';
import type { IsRelated, Way } from './node-ways.ts';

const RULES_OF_NODE: UserRules = {
  ...NO_RULES,
  incomplete: true,
  evaluationError: 'node authorizer does not support user rule resolution',
};

interface Facts {
  readonly graph: NodeGraph;
  readonly followed: readonly FollowedType[];
}

export class NodeAuthorizer implements Authorizer {
  readonly #follow: FollowType;
  readonly #gates: FeatureGates;
  /** The rules for every node, besides what is decided for each. */
  readonly #rules: readonly PolicyRule[];
  readonly #ways: ReadonlyMap<string, Way>;
  /** Pods are many: they are followed from when the first node asks. */
  #facts: Facts | undefined;

  constructor(follow: FollowType, gates: FeatureGates) {
    this.#follow = follow;
    this.#gates = gates;
    this.#ways = nodeWays(gates);
    const roles = readRoles(CLUSTER_ROLES, { minor: ownRelease().minor, gates });
    this.#rules = roles.find(({ name }) => name === 'system:node')?.rules ?? [];
  }

  authorize(asked: AccessAttributes): Decision | Promise<Decision> {
    const { user } = asked;
    const node = nodeOf(user);
    if (node === undefined) return NO_OPINION;
    if (node === '') return noOpinion(`unknown node for user ${quoteText(user.name)}`);
    const way = asked.isResource ? this.#ways.get(typeOf(asked.group, asked.resource)) : undefined;
    if (way === undefined) {
      return this.#rules.some((rule) => ruleAllows(rule, asked)) ? ALLOWED : NO_OPINION;
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
    if (KNOWS_SLICES && this.#gates.has('DynamicResourceAllocation')) {
      followed.push(this.#follow('resourceslices.resource.cluster.io', graph.slices));
    }
    if (KNOWS_CERTIFICATES && this.#gates.has('PodCertificateRequest')) {
      const type = 'podcertificaterequests.certificates.cluster.io';
      followed.push(this.#follow(type, graph.certificateRequests));
    }
    return { graph, followed };
  }
}
