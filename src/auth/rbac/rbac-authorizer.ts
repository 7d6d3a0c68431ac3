/** Roles and bindings, and what they allow (README.md#decisions). */
import type { PolicyRule } from '#messages/rbac.v1';
import { appendAll } from '../../base/append-all.ts';
import { aggregateText } from '../../semantics/errors/aggregate-text.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import { RBAC_GROUP } from '../../resources/rbac/policy-rules.ts';
import { groupResourceText } from '../../semantics/errors/status.ts';
import type { User } from '../../semantics/user.ts';
import { NO_OPINION } from '../authorizer.ts';
import type { AccessAttributes, Authorizer, Decision, UserRules } from '../authorizer.ts';
import type { FollowedType, FollowType } from '../../replicas/follow-type.ts';
import { BindingTable } from './binding-table.ts';
import type { Binding, Grant } from './binding-table.ts';
import { RBAC_TYPES } from './rbac-types.ts';
import { RoleTable } from './role-table.ts';
import type { Rules } from './role-table.ts';
import { ruleAllows } from './rule-allows.ts';

/** The rules that somebody has, and the bindings that would give more if their roles were there. */
export interface FoundRules {
  readonly rules: readonly PolicyRule[];
  readonly unresolved: readonly Binding[];
}

export class RbacAuthorizer implements Authorizer {
  readonly #roles = new RoleTable();
  readonly #clusterRoles = new RoleTable();
  readonly #bindings = new BindingTable(false);
  readonly #clusterBindings = new BindingTable(true);
  readonly #followed: readonly FollowedType[];

  constructor(follow: FollowType) {
    this.#followed = [
      follow(RBAC_TYPES.roles, this.#roles),
      follow(RBAC_TYPES.clusterRoles, this.#clusterRoles),
      follow(RBAC_TYPES.bindings, this.#bindings),
      follow(RBAC_TYPES.clusterBindings, this.#clusterBindings),
    ];
  }

  authorize(asked: AccessAttributes): Decision | Promise<Decision> {
    return this.isCurrent ? this.#decide(asked) : this.#decideLater(asked);
  }

  rulesFor(user: User, namespace: string): UserRules | Promise<UserRules> {
    return this.isCurrent ? this.#list(user, namespace) : this.#listLater(user, namespace);
  }

  /** Whether every change of roles and bindings that was answered by now counts. */
  get isCurrent(): boolean {
    for (const followed of this.#followed) if (!followed.isCurrent) return false;
    return true;
  }

  /** Resolves when it does. */
  async whenCurrent(): Promise<void> {
    await Promise.all(this.#followed.map((followed) => followed.whenCurrent()));
  }

  /** The rules for the user in a namespace, or in the cluster for '': as far as they are known. */
  rulesOf(user: User, namespace: string): FoundRules {
    const rules: PolicyRule[] = [];
    const unresolved: Binding[] = [];
    for (const binding of this.#bindingsOf(user, namespace)) {
      const found = this.#rulesOf(binding);
      if (found === undefined) unresolved.push(binding);
      else appendAll(rules, found);
    }
    return { rules, unresolved };
  }

  /** The rules of the role of a binding; undefined when there is no such role. */
  rulesOfRole(kind: string, namespace: string, name: string): Rules | undefined {
    if (kind === 'Role') return this.#roles.get(`${namespace}/${name}`);
    return this.#clusterRoles.get(`/${name}`);
  }

  async #decideLater(asked: AccessAttributes): Promise<Decision> {
    await this.whenCurrent();
    return this.#decide(asked);
  }

  async #listLater(user: User, namespace: string): Promise<UserRules> {
    await this.whenCurrent();
    return this.#list(user, namespace);
  }

  #decide(asked: AccessAttributes): Decision {
    const { user, namespace } = asked;
    const inCluster = this.#allowing(this.#clusterBindings.grantsOf(user, ''), asked);
    if (inCluster !== undefined) return inCluster;
    if (namespace !== '') {
      const inNamespace = this.#allowing(this.#bindings.grantsOf(user, namespace), asked);
      if (inNamespace !== undefined) return inNamespace;
    }
    const bindings = [...this.#bindingsOf(user, namespace)];
    const problems = bindings.filter((one) => this.#rulesOf(one) === undefined).map(problemOf);
    if (problems.length === 0) return NO_OPINION;
    return { verdict: 'noOpinion', reason: `RBAC: ${aggregateText(problems)}` };
  }

  #allowing(lists: readonly (readonly Grant[])[], asked: AccessAttributes): Decision | undefined {
    for (const grants of lists) {
      for (const { binding } of grants) {
        for (const rule of this.#rulesOf(binding) ?? []) {
          // The reason names the first subject of the binding that is the user.
          if (ruleAllows(rule, asked)) {
            return binding.grants.find((grant) => grant.isFor(asked.user))?.allowed;
          }
        }
      }
    }
    return undefined;
  }

  #bindingsOf(user: User, namespace: string): ReadonlySet<Binding> {
    const bindings = new Set<Binding>();
    const add = (lists: readonly (readonly Grant[])[]): void => {
      for (const grants of lists) for (const { binding } of grants) bindings.add(binding);
    };
    add(this.#clusterBindings.grantsOf(user, ''));
    if (namespace !== '') add(this.#bindings.grantsOf(user, namespace));
    return bindings;
  }

  #rulesOf({ roleKind, roleKey }: Binding): Rules | undefined {
    return (roleKind === 'Role' ? this.#roles : this.#clusterRoles).get(roleKey);
  }

  #list(user: User, namespace: string): UserRules {
    const { rules, unresolved } = this.rulesOf(user, namespace);
    const resourceRules = rules.filter(({ resources = [] }) => resources.length > 0);
    const urlRules = rules.filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0);
    return {
      resourceRules: resourceRules.map(
        ({ verbs = [], apiGroups = [], resources = [], resourceNames }) => ({
          verbs,
          apiGroups,
          resources,
          ...(resourceNames !== undefined && { resourceNames }),
        }),
      ),
      nonResourceRules: urlRules.map(({ verbs = [], nonResourceURLs = [] }) => {
        return { verbs, nonResourceURLs };
      }),
      incomplete: false,
      evaluationError: unresolved.length === 0 ? '' : aggregateText(unresolved.map(problemOf)),
    };
  }
}

/** The reference names the kind where the resource type belongs. */
function problemOf({ roleKind, roleName }: Binding): string {
  const what = groupResourceText({ group: RBAC_GROUP, resource: roleKind.toLowerCase() });
  return `${what} ${quoteText(roleName)} not found`;
}
