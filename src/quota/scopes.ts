/** Which objects a quota is about: its scopes (README.md#scopes). */
import type { ResourceQuotaSpec, ScopedResourceSelectorRequirement } from '#messages/core.v1';
import type { PodScopes } from './pod-usage.ts';

/** All that must hold for an object that a quota is about. */
export function scopeRequirements({
  scopes = [],
  scopeSelector,
}: ResourceQuotaSpec): ScopedResourceSelectorRequirement[] {
  return [
    ...scopes.map((scopeName) => ({ scopeName, operator: 'Exists' })),
    ...(scopeSelector?.matchExpressions ?? []),
  ];
}

/** Scopes choose among pods: an object of another type, which has none, is in no scope. */
export function isInScope(
  requirement: ScopedResourceSelectorRequirement,
  pod: PodScopes | undefined,
): boolean {
  if (pod === undefined) return false;
  switch (requirement.scopeName) {
    case 'Terminating':
      return pod.isTerminating;
    case 'NotTerminating':
      return !pod.isTerminating;
    case 'BestEffort':
      return pod.isBestEffort;
    case 'NotBestEffort':
      return !pod.isBestEffort;
    case 'PriorityClass':
      return hasPriorityClass(pod.priorityClass, requirement);
    case 'CrossNamespacePodAffinity':
      return pod.reachesOtherNamespaces;
    default:
      return false;
  }
}

/** '' is none. */
function hasPriorityClass(
  name: string,
  { operator = '', values = [] }: ScopedResourceSelectorRequirement,
): boolean {
  switch (operator) {
    case 'In':
      return name !== '' && values.includes(name);
    case 'NotIn':
      return name === '' || !values.includes(name);
    case 'Exists':
      return name !== '';
    case 'DoesNotExist':
      return name === '';
    default:
      return false;
  }
}
