/** Checks the statuses that groups of pods and groups of groups share. */
import type { FeatureGates } from '../../release/feature-gates.ts';
import { invalid, type FieldError } from '../../semantics/errors/field-error.ts';

interface Claims {
  readonly resourceClaims?: readonly { readonly name?: string }[];
}

interface Status {
  resourceClaimStatuses?: readonly { readonly name?: string }[];
}

interface Group {
  readonly spec?: { disruptionMode?: object; preemptionPolicy?: string };
}

/** Each member is disrupted apart, and others may be driven out, where nothing is said. */
export function applyGroupDefaults(group: Group & object, gates: FeatureGates): void {
  const { spec } = group;
  if (spec === undefined) return;
  spec.disruptionMode ??= { single: {} };
  if (gates.has('PodGroupPreemptionPolicy')) spec.preemptionPolicy ??= 'PreemptLowerPriority';
}

/** Claims are told where the stored group has some. */
export function dropClaimStatuses(
  status: Status | undefined,
  stored: Claims | undefined,
  gates: FeatureGates,
): void {
  const isUsed = (stored?.resourceClaims ?? []).length > 0;
  if (status === undefined || isUsed || gates.has('DRAWorkloadResourceClaims')) return;
  delete status.resourceClaimStatuses;
}

/** The errors of what writers of the status say of claims. */
export function claimStatusErrors(spec: Claims = {}, status: Status = {}): FieldError[] {
  const errors: FieldError[] = [];
  const claims = new Set(spec.resourceClaims?.map(({ name = '' }) => name));
  status.resourceClaimStatuses?.forEach(({ name = '' }, index) => {
    if (claims.has(name)) return;
    const field = `status.resourceClaimStatuses[${index}].name`;
    errors.push(invalid(field, name, 'must match the name of an entry in `spec.resourceClaims`'));
  });
  return errors;
}
