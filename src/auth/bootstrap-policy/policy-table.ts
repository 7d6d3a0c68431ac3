/** Reads the tables of the bootstrap policy (README.md#tables). */
import type { PolicyRule, Subject } from '#messages/rbac.v1';
import { RBAC_GROUP } from '../../resources/rbac/policy-rules.ts';
import { ownGroup, ownName, ownNamespace, ownRole } from '../../semantics/dialect/own-names.ts';
import { cellIn, wordsIn, type PolicyRelease } from './policy-release.ts';

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

/** The roles that a release has of a table. */
export function readRoles(table: string, release: PolicyRelease): RoleRow[] {
  const roles: RoleRow[] = [];
  // Undefined below a role that the release does not have.
  let role: RoleRow | undefined;
  for (const line of table.trim().replaceAll('\n    ', ' ').split('\n')) {
    if (!line.startsWith(' ')) {
      role = roleOf(line, release);
      if (role !== undefined) roles.push(role);
      continue;
    }
    const row = cellIn(line.trim(), release);
    if (row !== undefined) role?.rules.push(ruleOf(row.split(' | '), release));
  }
  return roles;
}

function roleOf(line: string, release: PolicyRelease): RoleRow | undefined {
  const [cell = '', bound] = line.split(' | ');
  const head = cellIn(cell, release);
  if (head === undefined) return undefined;
  const [path = '', word, other = ''] = head.split(' ');
  const slash = path.indexOf('/');
  return {
    namespace: slash < 0 ? '' : ownNamespace(path.slice(0, slash)),
    name: slash < 0 ? ownRole(path) : path.slice(slash + 1),
    ...(word === 'in' && { partOf: other }),
    ...(word === 'as' && { boundAs: other }),
    ...(bound !== undefined && { subjects: subjectsOf(bound, release) }),
    rules: [],
  };
}

function subjectsOf(bound: string, release: PolicyRelease): readonly Subject[] {
  if (bound === 'nobody') return [];
  return bound.split(', ').flatMap((cell) => {
    const subject = cellIn(cell, release);
    return subject === undefined ? [] : [subjectOf(subject)];
  });
}

/** An account is one of the namespace of the system. */
export function subjectOf(text: string): Subject {
  const [kind = '', name = ''] = text.split(' ');
  if (kind === 'ServiceAccount') return { kind, name, namespace: ownNamespace('cluster-system') };
  return { kind, apiGroup: RBAC_GROUP, name };
}

function ruleOf(cells: readonly string[], release: PolicyRelease): PolicyRule {
  const [verbs = '', groups = '', resources, names] = cells;
  if (resources === undefined)
    return { verbs: verbs.split(' '), nonResourceURLs: wordsIn(groups, release) };
  return {
    verbs: verbs.split(' '),
    apiGroups: groups.split(' ').map((group) => (group === 'core' ? '' : ownGroup(group))),
    resources: resources.split(' '),
    ...(names !== undefined && { resourceNames: names.split(' ').map(ownName) }),
  };
}
