/**
 * Whether somebody may write a role or a binding: nobody gives others more than they have
 * (README.md#grants).
 */
import type { ClusterRole, RoleRef } from '#messages/rbac.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { RBAC_GROUP } from '../../resources/rbac/policy-rules.ts';
import { aggregateText } from '../../semantics/errors/aggregate-text.ts';
import {
  badRequest,
  forbidden,
  groupResourceText,
  notFound,
  serverFailure,
} from '../../semantics/errors/status.ts';
import { userOfText, type User } from '../../semantics/user.ts';
import type { Authorizer } from '../authorizer.ts';
import { isPrivileged } from '../fixed-authorizers.ts';
import type { Binding } from './binding-table.ts';
import { describeRules, missingRules, quotedList } from './missing-rules.ts';
import type { RbacAuthorizer } from './rbac-authorizer.ts';
import type { Rules } from './role-table.ts';

const FULL_AUTHORITY: Rules = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];
const NO_AGGREGATION = 'must have cluster-admin privileges to use the aggregationRule';

/** A write of a role or binding. */
export interface GrantRequest {
  readonly namespace: string;
  /** The name in the path; '' for a create. */
  readonly name: string;
  /** As `userText` writes it; absent is the server itself. */
  readonly user?: string;
}

/** The new object, and the stored one that it replaces. */
export interface GrantChange {
  /** `roles`, `clusterrolebindings`. */
  readonly plural: string;
  /** The name that the client gave. */
  readonly sentName: string;
  readonly object: ApiObject;
  readonly stored: ApiObject | undefined;
}

/** The answers that were found for a request by now. */
interface Findings {
  /** All that was answered before the request is known. */
  isCurrent: boolean;
  readonly isAllowed: Map<string, boolean>;
}

/** A check that waits for what it yields. */
type Asking<T> = Generator<Promise<unknown>, T, void>;

export interface GrantFacts {
  readonly rbac: RbacAuthorizer;
  /** Decides about the verbs `escalate` and `bind`. */
  readonly authorizer: Authorizer;
}

export class GrantCheck {
  readonly #facts: () => GrantFacts;
  readonly #findings = new WeakMap<GrantRequest, Findings>();

  /** The facts are asked for with the first write that needs them. */
  constructor(facts: () => GrantFacts) {
    this.#facts = facts;
  }

  /**
   * Yields what has to be waited for. Throws StatusError 403 for what the user may not grant, and
   * 400, 404 or 500 for a role that cannot be looked up.
   */
  *check(request: GrantRequest, change: GrantChange): Asking<void> {
    if (request.user === undefined) return;
    const user = userOfText(request.user);
    if (isPrivileged(user)) return;
    if (change.plural.endsWith('bindings')) yield* this.#checkBinding(request, user, change);
    else yield* this.#checkRole(request, user, change);
  }

  *#checkRole(request: GrantRequest, user: User, change: GrantChange): Asking<void> {
    const { plural, object, stored, sentName } = change;
    const escalated = { resource: plural, name: request.name };
    if (yield* this.#may(request, user, 'escalate', escalated)) return;
    if (isForCollectorOnly(object, stored)) return;
    const role = object as ClusterRole;
    const of = { group: RBAC_GROUP, resource: plural };
    const problem = this.#problem(request, user, role.rules ?? []);
    if (problem !== undefined) throw forbidden(of, sentName, problem);
    if (!isAggregated(role) && !isAggregated(stored)) return;
    if (this.#problem(request, user, FULL_AUTHORITY) === undefined) return;
    throw forbidden(of, sentName, NO_AGGREGATION);
  }

  *#checkBinding(request: GrantRequest, user: User, change: GrantChange): Asking<void> {
    const { plural, object, stored, sentName } = change;
    if (isForCollectorOnly(object, stored)) return;
    const { roleRef = {} } = object as { readonly roleRef?: RoleRef };
    const { kind = '', name = '' } = roleRef;
    const resource = ROLE_TYPES.get(kind);
    if (resource === undefined) {
      throw serverFailure(`unsupported role reference kind: ${quoteText(kind)}`);
    }
    if (yield* this.#may(request, user, 'bind', { resource, name })) return;
    if (kind === 'Role' && request.namespace === '') {
      throw badRequest('Namespace parameter required.');
    }
    if (name === '') throw badRequest('Name parameter required.');
    const rules = this.#facts().rbac.rulesOfRole(kind, request.namespace, name);
    if (rules === undefined) throw notFound({ group: RBAC_GROUP, resource }, name);
    const problem = this.#problem(request, user, rules);
    if (problem === undefined) return;
    throw forbidden({ group: RBAC_GROUP, resource: plural }, sentName, problem);
  }

  #findingsOf(request: GrantRequest): Findings {
    let findings = this.#findings.get(request);
    if (findings === undefined) {
      findings = { isCurrent: this.#facts().rbac.isCurrent, isAllowed: new Map() };
      this.#findings.set(request, findings);
    }
    return findings;
  }

  *#may(
    request: GrantRequest,
    user: User,
    verb: string,
    of: { readonly resource: string; readonly name: string },
  ): Asking<boolean> {
    const findings = this.#findingsOf(request);
    const { rbac, authorizer } = this.#facts();
    if (!findings.isCurrent) {
      yield rbac.whenCurrent();
      findings.isCurrent = true;
    }
    const key = `${of.resource} ${of.name}`;
    const known = findings.isAllowed.get(key);
    if (known !== undefined) return known;
    const decision = authorizer.authorize({
      user,
      verb,
      isResource: true,
      namespace: request.namespace,
      group: RBAC_GROUP,
      version: '*',
      ...of,
      subresource: '',
      path: '',
    });
    if (!(decision instanceof Promise)) return decision.verdict === 'allow';
    yield decision.then(({ verdict }) => findings.isAllowed.set(key, verdict === 'allow'));
    return findings.isAllowed.get(key) === true;
  }

  /** The rules that the user lacks to give them to somebody, as an error; undefined if none. */
  #problem({ namespace }: GrantRequest, user: User, rules: Rules): string | undefined {
    const { rules: held, unresolved } = this.#facts().rbac.rulesOf(user, namespace);
    const missing = missingRules(held, rules);
    if (missing.length === 0) return undefined;
    const problems = aggregateText(unresolved.map(problemOf));
    const errors = unresolved.length === 0 ? '' : `; resolution errors: [${problems}]`;
    return (
      `user ${quoteText(user.name)} (groups=${quotedList(user.groups)}) is attempting to grant ` +
      `RBAC permissions not currently held:\n${describeRules(missing)}${errors}`
    );
  }
}

/** Here the resource type is named, and not the kind as in decisions. */
function problemOf({ roleKind, roleName }: Binding): string {
  const resource = ROLE_TYPES.get(roleKind) ?? roleKind;
  return `${groupResourceText({ group: RBAC_GROUP, resource })} ${quoteText(roleName)} not found`;
}

const ROLE_TYPES = new Map([
  ['Role', 'roles'],
  ['ClusterRole', 'clusterroles'],
]);

function isAggregated(role: ApiObject | undefined): boolean {
  return (
    ((role as ClusterRole | undefined)?.aggregationRule?.clusterRoleSelectors?.length ?? 0) > 0
  );
}

/** Nothing changes but what the garbage collector needs to end the object. */
function isForCollectorOnly(object: ApiObject, stored: ApiObject | undefined): boolean {
  if (stored === undefined) return false;
  return deepEqual(withoutCollectors(object), withoutCollectors(stored));
}

function withoutCollectors({ metadata, ...rest }: ApiObject): object {
  const free = { ownerReferences: undefined, finalizers: undefined, managedFields: undefined };
  return { ...rest, metadata: { ...metadata, ...free, resourceVersion: undefined } };
}
