/** Which objects a quota is about: its scopes (README.md#scopes). */
import type {
  PersistentVolumeClaim,
  ResourceQuotaSpec,
  ScopedResourceSelectorRequirement,
} from '#messages/core.v1';
import { ATTRIBUTES_CLASS } from '../resources/core/resource-quota-scopes.ts';
import type { PodScopes } from './pod-usage.ts';

/** The facts of an object that scopes look at. */
export type ScopeFacts = PodScopes | ClaimScopes;

/** The classes that the volume of a claim has, is to have, or gets. */
export interface ClaimScopes {
  readonly attributesClasses: readonly string[];
}

export function claimScopes({ spec = {}, status = {} }: PersistentVolumeClaim): ClaimScopes {
  const { currentVolumeAttributesClassName: current = '', modifyVolumeStatus = {} } = status;
  const { targetVolumeAttributesClassName: target = '' } = modifyVolumeStatus;
  const classes = [spec.volumeAttributesClassName ?? '', current, target];
  return { attributesClasses: classes.filter((name) => name !== '') };
}

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

/** An object of a type that no scopes choose among is in no scope. */
export function isInScope(
  requirement: ScopedResourceSelectorRequirement,
  facts: ScopeFacts | undefined,
): boolean {
  if (facts === undefined) return false;
  if ('attributesClasses' in facts) return isClaimInScope(requirement, facts);
  const pod = facts;
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
      return isOfClass(pod.priorityClass, requirement);
    case 'CrossNamespacePodAffinity':
      return pod.reachesOtherNamespaces;
    default:
      return false;
  }
}

function isClaimInScope(
  requirement: ScopedResourceSelectorRequirement,
  { attributesClasses: [first = '', ...others] }: ClaimScopes,
): boolean {
  if (requirement.scopeName !== ATTRIBUTES_CLASS) return false;
  return [first, ...others].some((name) => isOfClass(name, requirement));
}

/** '' is none. */
function isOfClass(
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
