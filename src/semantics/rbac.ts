/**
 * Role-based access control as a pure decision over stored roles and bindings
 * (README.md#role-based-access-control): any rule of any binding that names the subject allows;
 * nothing denies.
 */
import { ownGroup } from './dialect/own-names.ts';
import { groupResourceText } from './status.ts';
import type { User } from './user.ts';

export interface PolicyRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** A Role or a ClusterRole. */
export interface Role {
  readonly metadata: { readonly name?: string; readonly namespace?: string };
  readonly rules?: readonly PolicyRule[] | null;
}

export interface RoleSubject {
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** A RoleBinding or a ClusterRoleBinding. */
export interface RoleBinding {
  readonly metadata: { readonly name?: string; readonly namespace?: string };
  readonly subjects?: readonly RoleSubject[] | null;
  readonly roleRef?: { readonly kind?: string; readonly name?: string };
}

export interface RbacObjects {
  /** Of the namespace that is asked about, as the role bindings are. */
  readonly roles: readonly Role[];
  readonly roleBindings: readonly RoleBinding[];
  readonly clusterRoles: readonly Role[];
  readonly clusterRoleBindings: readonly RoleBinding[];
}

export interface ResourceAccess {
  /** '' asks about all namespaces, or a type without them. */
  readonly namespace: string;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
}

export interface PathAccess {
  readonly path: string;
  readonly verb: string;
}

export type Access = ResourceAccess | PathAccess;

export interface AccessDecision {
  readonly allowed: boolean;
  /** Which binding allows it, or what is wrong with bindings that might. */
  readonly reason: string;
}

export const RBAC_GROUP = ownGroup('rbac.authorization.cluster.io');
/** Members may do everything, whatever roles there are. */
export const PRIVILEGED_GROUP = 'system:masters';
export const SERVICE_ACCOUNT_PREFIX = 'system:serviceaccount:';

/** Whether roles and bindings let `user` do what `access` says. */
export function decideAccess(user: User, access: Access, objects: RbacObjects): AccessDecision {
  if (user.groups.includes(PRIVILEGED_GROUP)) return { allowed: true, reason: '' };
  const problems: string[] = [];
  const inNamespace = 'resource' in access && access.namespace !== '';
  const bindings = [
    ...objects.clusterRoleBindings.map((binding) => ({ binding, isCluster: true })),
    ...(inNamespace ? objects.roleBindings.map((binding) => ({ binding, isCluster: false })) : []),
  ];
  for (const { binding, isCluster } of bindings) {
    const namespace = isCluster ? '' : (binding.metadata.namespace ?? '');
    const named = binding.subjects?.find((one) => isSubject(one, user, namespace));
    if (named === undefined) continue;
    const rules = rulesOf(binding, isCluster, objects);
    if (typeof rules === 'string') problems.push(rules);
    else if (rules.some((rule) => ruleAllows(rule, access))) {
      return { allowed: true, reason: `RBAC: allowed by ${describe(binding, isCluster, named)}` };
    }
  }
  if (problems.length === 0) return { allowed: false, reason: '' };
  const texts = [...new Set(problems)];
  const text = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return { allowed: false, reason: `RBAC: ${text}` };
}

/** `bindingNamespace` is that of accounts whose subject names none; '' for cluster bindings. */
function isSubject(
  { kind, name = '', namespace = '' }: RoleSubject,
  user: User,
  bindingNamespace: string,
): boolean {
  switch (kind) {
    case 'User':
      return user.name === name;
    case 'Group':
      return user.groups.includes(name);
    case 'ServiceAccount': {
      const accountNamespace = namespace === '' ? bindingNamespace : namespace;
      if (accountNamespace === '') return false;
      return user.name === `${SERVICE_ACCOUNT_PREFIX}${accountNamespace}:${name}`;
    }
    default:
      return false;
  }
}

/** The rules that a binding grants, or why it grants none. */
function rulesOf(
  { metadata, roleRef = {} }: RoleBinding,
  isCluster: boolean,
  { roles, clusterRoles }: RbacObjects,
): readonly PolicyRule[] | string {
  const { kind = '', name = '' } = roleRef;
  if (kind !== 'ClusterRole' && (kind !== 'Role' || isCluster)) {
    return `unsupported role reference kind: ${JSON.stringify(kind)}`;
  }
  const found =
    kind === 'Role'
      ? roles.find((role) => isNamed(role, name) && sameNamespace(role.metadata, metadata))
      : clusterRoles.find((role) => isNamed(role, name));
  if (found !== undefined) return found.rules ?? [];
  // The reference names the kind where the resource type belongs.
  const what = groupResourceText({ group: RBAC_GROUP, resource: kind.toLowerCase() });
  return `${what} ${JSON.stringify(name)} not found`;
}

function isNamed({ metadata }: Role, name: string): boolean {
  return metadata.name === name;
}

function sameNamespace(a: Role['metadata'], b: RoleBinding['metadata']): boolean {
  return (a.namespace ?? '') === (b.namespace ?? '');
}

/** Whether one rule covers what is asked for. `pods` does not cover `pods/log`. */
export function ruleAllows(rule: PolicyRule, access: Access): boolean {
  if (!covers(rule.verbs, access.verb)) return false;
  if (!('resource' in access)) {
    return (rule.nonResourceURLs ?? []).some((url) => urlCovers(url, access.path));
  }
  return (
    covers(rule.apiGroups, access.group) &&
    (rule.resources ?? []).some((resource) => resourceCovers(resource, access)) &&
    namesCover(rule.resourceNames ?? [], access.name)
  );
}

function covers(values: readonly string[] | undefined, asked: string): boolean {
  return (values ?? []).some((value) => value === '*' || value === asked);
}

function resourceCovers(covered: string, { resource, subresource }: ResourceAccess): boolean {
  if (covered === '*') return true;
  if (subresource === '') return covered === resource;
  return covered === `${resource}/${subresource}` || covered === `*/${subresource}`;
}

/** No names are all names; a request without a name is then never covered. */
function namesCover(names: readonly string[], name: string): boolean {
  return names.length === 0 || names.includes(name);
}

function urlCovers(url: string, path: string): boolean {
  if (url === '*' || url === path) return true;
  return url.endsWith('*') && path.startsWith(url.replace(/\*+$/, ''));
}

function describe(
  { metadata, roleRef = {} }: RoleBinding,
  isCluster: boolean,
  subject: RoleSubject,
): string {
  const { name = '', namespace = '' } = metadata;
  const kind = isCluster ? 'ClusterRoleBinding' : 'RoleBinding';
  const binding = JSON.stringify(isCluster ? name : `${name}/${namespace}`);
  const isAccount = subject.kind === 'ServiceAccount';
  const account = `${subject.name}/${subject.namespace || namespace}`;
  const who = JSON.stringify(isAccount ? account : subject.name);
  const role = `${roleRef.kind} ${JSON.stringify(roleRef.name)}`;
  return `${kind} ${binding} of ${role} to ${subject.kind} ${who}`;
}
