/** The types that say who may do what, by the names of their shards. */
import { RBAC_GROUP } from '../../resources/rbac/policy-rules.ts';
import { resourceKey } from '../../resources/registry.ts';

function named(plural: string): string {
  return resourceKey({ group: RBAC_GROUP, plural });
}

export const RBAC_TYPES = {
  roles: named('roles'),
  clusterRoles: named('clusterroles'),
  bindings: named('rolebindings'),
  clusterBindings: named('clusterrolebindings'),
} as const;
