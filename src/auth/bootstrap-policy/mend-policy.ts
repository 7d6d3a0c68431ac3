/**
 * Adds to stored roles and bindings what they lack of the bootstrap policy, at each start.
 * Additions by others stay, and objects that opt out are left alone.
 */
import type { ClusterRole, RoleRef } from '#messages/rbac.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import type { Binding } from '../../resources/rbac/role-binding-rules.ts';
import { ownName } from '../../semantics/dialect/own-names.ts';
import { missingRules } from '../rbac/missing-rules.ts';

export const AUTO_UPDATE = ownName('rbac.authorization.cluster.io/autoupdate');

type Metadata = ClusterRole['metadata'];

/** Undefined when nothing is missing. */
export function mendedRole(stored: ClusterRole, wanted: ClusterRole): ClusterRole | undefined {
  if (isProtected(stored)) return undefined;
  const { aggregationRule: _, ...others } = stored;
  const rules = stored.rules ?? [];
  const missing = missingRules(rules, wanted.rules ?? []);
  const aggregationRule = mendedAggregation(stored.aggregationRule, wanted.aggregationRule);
  const mended = {
    ...others,
    metadata: mendedMetadata(stored.metadata, wanted.metadata),
    ...(missing.length > 0 && { rules: [...rules, ...missing] }),
    ...(aggregationRule && { aggregationRule }),
  };
  return deepEqual(mended, stored) ? undefined : mended;
}

/** Undefined when nothing is missing; `'replace'` where it binds another role. */
export function mendedBinding(stored: Binding, wanted: Binding): Binding | 'replace' | undefined {
  if (isProtected(stored)) return undefined;
  if (!isSameRole(stored.roleRef, wanted.roleRef)) return 'replace';
  const subjects = stored.subjects ?? [];
  const missing = (wanted.subjects ?? []).filter(
    (subject) => !subjects.some((there) => deepEqual(there, subject)),
  );
  const mended = {
    ...stored,
    metadata: mendedMetadata(stored.metadata, wanted.metadata),
    ...(missing.length > 0 && { subjects: [...subjects, ...missing] }),
  };
  return deepEqual(mended, stored) ? undefined : mended;
}

function isProtected({ metadata }: { readonly metadata: Metadata }): boolean {
  return metadata.annotations?.[AUTO_UPDATE] === 'false';
}

/** Labels and annotations that are there keep their values. */
function mendedMetadata(stored: Metadata, wanted: Metadata): Metadata {
  return {
    ...stored,
    labels: { ...wanted.labels, ...stored.labels },
    annotations: { ...wanted.annotations, ...stored.annotations },
  };
}

function mendedAggregation(
  stored: ClusterRole['aggregationRule'],
  wanted: ClusterRole['aggregationRule'],
): ClusterRole['aggregationRule'] {
  if (wanted === undefined) return undefined;
  const selectors = stored?.clusterRoleSelectors ?? [];
  const missing = (wanted.clusterRoleSelectors ?? []).filter(
    (selector) => !selectors.some((there) => deepEqual(there, selector)),
  );
  if (missing.length === 0) return stored;
  return { clusterRoleSelectors: [...selectors, ...missing] };
}

function isSameRole(a: RoleRef = {}, b: RoleRef = {}): boolean {
  return a.apiGroup === b.apiGroup && a.kind === b.kind && a.name === b.name;
}
