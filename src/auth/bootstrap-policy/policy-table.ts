/** Reads the tables of the bootstrap policy (README.md#tables). */
import type { PolicyRule, Subject } from '#messages/rbac.v1';
import { RBAC_GROUP } from '../../resources/rbac/policy-rules.ts';
import { ownGroup, ownName, ownNamespace, ownRole } from '../../semantics/dialect/own-names.ts';

/** A role and its binding, in the server's own dialect. */
export interface RoleRow {
  /** '' for one of the cluster. */
  readonly namespace: string;
  readonly name: string;
  /** The role that it is a part of. */
  readonly partOf?: string;
  /** The name of the binding, where it is not that of the role. */
  readonly boundAs?: string;
  /** Absent where it is not bound. */
  readonly subjects?: readonly Subject[];
  readonly rules: PolicyRule[];
}

export function readRoles(table: string): RoleRow[] {
  const roles: RoleRow[] = [];
  for (const line of table.trim().replaceAll('\n    ', ' ').split('\n')) {
    const cells = line.split('|').map((cell) => cell.trim());
    if (line.startsWith(' ')) roles.at(-1)?.rules.push(ruleOf(cells));
    else roles.push(roleOf(cells));
  }
  return roles;
}

function roleOf([head = '', bound]: readonly string[]): RoleRow {
  const [path = '', word, other = ''] = head.split(' ');
  const slash = path.indexOf('/');
  return {
    namespace: slash < 0 ? '' : ownNamespace(path.slice(0, slash)),
    name: slash < 0 ? ownRole(path) : path.slice(slash + 1),
    ...(word === 'in' && { partOf: other }),
    ...(word === 'as' && { boundAs: other }),
    ...(bound && { subjects: bound === 'nobody' ? [] : bound.split(', ').map(subjectOf) }),
    rules: [],
  };
}

/** An account is one of the namespace of the system. */
export function subjectOf(text: string): Subject {
  const [kind = '', name = ''] = text.split(' ');
  if (kind === 'ServiceAccount') return { kind, name, namespace: ownNamespace('cluster-system') };
  return { kind, apiGroup: RBAC_GROUP, name };
}

function ruleOf([verbs = '', groups = '', resources, names]: readonly string[]): PolicyRule {
  if (resources === undefined)
    return { verbs: verbs.split(' '), nonResourceURLs: groups.split(' ') };
  return {
    verbs: verbs.split(' '),
    apiGroups: groups.split(' ').map((group) => (group === 'core' ? '' : ownGroup(group))),
    resources: resources.split(' '),
    ...(names !== undefined && { resourceNames: names.split(' ').map(ownName) }),
  };
}
