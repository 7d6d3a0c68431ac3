/**
 * How rules and subjects of the bootstrap policy are written down: words of one sort in one text,
 * names in the neutral dialect, the core group as `core`.
 */
import type { PolicyRule, Subject } from '#messages/rbac.v1';
import { RBAC_GROUP } from '../../resources/rbac/policy-rules.ts';
import { ownGroup, ownName, ownNamespace } from '../../semantics/dialect/own-names.ts';

/** Words with spaces between; several texts where one would be too long. */
type Words = string | readonly string[];

export type RuleRow =
  | readonly [verbs: string, groups: string, resources: Words, names?: Words]
  | { readonly verbs: string; readonly paths: Words };

/** An account is one of the namespace of the system. */
export type SubjectRow = readonly [kind: 'User' | 'Group' | 'ServiceAccount', name: string];

export const READ = 'get list watch';
export const CHANGE = 'create delete deletecollection patch update';
export const WRITE_EVENTS: RuleRow = ['create patch update', 'core events.cluster.io', 'events'];

export function policyRule(row: RuleRow): PolicyRule {
  if ('paths' in row) return { verbs: words(row.verbs), nonResourceURLs: words(row.paths) };
  const [verbs, groups, resources, names] = row;
  return {
    verbs: words(verbs),
    apiGroups: words(groups).map((group) => (group === 'core' ? '' : ownGroup(group))),
    resources: words(resources),
    ...(names !== undefined && { resourceNames: words(names).map(ownName) }),
  };
}

export function policySubject([kind, name]: SubjectRow): Subject {
  if (kind === 'ServiceAccount') return { kind, name, namespace: ownNamespace('cluster-system') };
  return { kind, apiGroup: RBAC_GROUP, name };
}

function words(texts: Words): string[] {
  return [texts].flat().flatMap((text) => text.split(' '));
}
