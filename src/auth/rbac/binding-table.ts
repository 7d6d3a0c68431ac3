/** Bindings of one type by whom they name, and where they count (README.md#bindings). */
import type { Subject } from '#messages/rbac.v1';
import { compareTexts } from '../../base/text/compare-texts.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import type { ApiObject } from '../../resources/kind.ts';
import type { Binding as StoredBinding } from '../../resources/rbac/role-binding-rules.ts';
import type { User } from '../../semantics/user.ts';
import type { Decision } from '../authorizer.ts';
import { indexKey } from '../../replicas/follow-type.ts';
import type { TypeIndex } from '../../replicas/follow-type.ts';

const ACCOUNT_USER_PREFIX = 'system:serviceaccount:';

export interface Binding {
  readonly isCluster: boolean;
  /** '' of a binding for the cluster. */
  readonly namespace: string;
  readonly name: string;
  readonly roleKind: string;
  readonly roleName: string;
  /** Where the role is kept: `namespace/name`, `/name` of a cluster role. */
  readonly roleKey: string;
  /** In the order of its subjects. */
  readonly grants: readonly Grant[];
}

/** A binding and one of its subjects. */
export class Grant {
  readonly binding: Binding;
  readonly #subject: Subject;
  readonly isGroup: boolean;
  /** The name of the group, or of the user; that of accounts is made of where and who they are. */
  readonly grantee: string;
  /** The decision of this grant, made once so that an allowed request makes no text. */
  #allowed: Decision | undefined;

  constructor(binding: Binding, subject: Subject, grantee: string) {
    this.binding = binding;
    this.#subject = subject;
    this.isGroup = subject.kind === 'Group';
    this.grantee = grantee;
  }

  get allowed(): Decision {
    const reason = (): string => `RBAC: allowed by ${this.#describe()}`;
    return (this.#allowed ??= Object.freeze({ verdict: 'allow', reason: reason() }));
  }

  isFor(user: User): boolean {
    return this.isGroup ? user.groups.includes(this.grantee) : user.name === this.grantee;
  }

  #describe(): string {
    const { isCluster, name, namespace, roleKind, roleName } = this.binding;
    const binding = isCluster
      ? `ClusterRoleBinding ${quoteText(name)}`
      : `RoleBinding ${quoteText(`${name}/${namespace}`)}`;
    const { kind = '', name: called = '', namespace: of = '' } = this.#subject;
    const who = kind === 'ServiceAccount' ? `${called}/${of === '' ? namespace : of}` : called;
    return `${binding} of ${roleKind} ${quoteText(roleName)} to ${kind} ${quoteText(who)}`;
  }
}

/** Grants of one namespace, or of the whole cluster; those of each grantee by name of binding. */
interface Scope {
  readonly users: Map<string, Grant[]>;
  readonly groups: Map<string, Grant[]>;
}

export class BindingTable implements TypeIndex {
  readonly #isCluster: boolean;
  readonly #bindings = new Map<string, Binding>();
  readonly #scopes = new Map<string, Scope>();

  constructor(isCluster: boolean) {
    this.#isCluster = isCluster;
  }

  put(object: ApiObject): void {
    const key = indexKey(object);
    this.#takeGrants(this.#bindings.get(key));
    const binding = bindingOf(object, this.#isCluster);
    this.#bindings.set(key, binding);
    if (binding.grants.length === 0) return;
    let scope = this.#scopes.get(binding.namespace);
    if (scope === undefined) {
      scope = { users: new Map(), groups: new Map() };
      this.#scopes.set(binding.namespace, scope);
    }
    for (const grant of binding.grants) addGrant(mapOf(scope, grant), grant);
  }

  remove(object: ApiObject): void {
    const key = indexKey(object);
    this.#takeGrants(this.#bindings.get(key));
    this.#bindings.delete(key);
  }

  #takeGrants(binding: Binding | undefined): void {
    if (binding === undefined) return;
    const scope = this.#scopes.get(binding.namespace);
    if (scope === undefined) return;
    for (const grant of binding.grants) removeGrant(mapOf(scope, grant), grant);
    if (scope.users.size + scope.groups.size === 0) this.#scopes.delete(binding.namespace);
  }

  /**
   * The grants for the user in a namespace, or in the cluster for '': for each of their names that
   * bindings use. A binding that names the user and a group of theirs is told for each.
   */
  grantsOf(user: User, namespace: string): readonly (readonly Grant[])[] {
    const scope = this.#scopes.get(namespace);
    if (scope === undefined) return [];
    const lists: (readonly Grant[])[] = [];
    const ofUser = scope.users.get(user.name);
    if (ofUser !== undefined) lists.push(ofUser);
    for (const group of user.groups) {
      const ofGroup = scope.groups.get(group);
      if (ofGroup !== undefined) lists.push(ofGroup);
    }
    return lists;
  }
}

function bindingOf(object: ApiObject, isCluster: boolean): Binding {
  const { metadata, roleRef = {}, subjects } = object as StoredBinding;
  const { name = '', namespace = '' } = metadata;
  const { kind: roleKind = '', name: roleName = '' } = roleRef;
  const grants: Grant[] = [];
  const roleKey = `${roleKind === 'Role' ? namespace : ''}/${roleName}`;
  const binding = { isCluster, namespace, name, roleKind, roleName, roleKey, grants };
  for (const subject of subjects ?? []) {
    const grantee = granteeOf(subject, namespace);
    if (grantee !== undefined) grants.push(new Grant(binding, subject, grantee));
  }
  return binding;
}

/** Undefined for who cannot be meant. */
function granteeOf(
  { kind, name = '', namespace = '' }: Subject,
  bindingNamespace: string,
): string | undefined {
  switch (kind) {
    case 'User':
    case 'Group':
      return name;
    case 'ServiceAccount': {
      const home = namespace === '' ? bindingNamespace : namespace;
      return home === '' ? undefined : `${ACCOUNT_USER_PREFIX}${home}:${name}`;
    }
    default:
      return undefined;
  }
}

function mapOf(scope: Scope, { isGroup }: Grant): Map<string, Grant[]> {
  return isGroup ? scope.groups : scope.users;
}

/** Sorted, so that what is told does not depend on the order of events. */
function addGrant(grants: Map<string, Grant[]>, grant: Grant): void {
  const list = grants.get(grant.grantee);
  if (list === undefined) {
    grants.set(grant.grantee, [grant]);
    return;
  }
  let at = list.length;
  while (at > 0 && isBefore(grant, list[at - 1])) at--;
  list.splice(at, 0, grant);
}

function isBefore({ binding }: Grant, other: Grant | undefined): boolean {
  return other !== undefined && compareTexts(binding.name, other.binding.name) < 0;
}

function removeGrant(grants: Map<string, Grant[]>, grant: Grant): void {
  const list = grants.get(grant.grantee) ?? [];
  if (list.length === 1) grants.delete(grant.grantee);
  else list.splice(list.indexOf(grant), 1);
}
