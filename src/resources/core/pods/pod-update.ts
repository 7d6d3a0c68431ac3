/** The members of a pod that may change after it was created (README.md#pods). */
import type { Container, PodSpec } from '#messages/core.v1';
import { deepEqual } from '../../../base/deep-equal.ts';
import { fieldForbidden, invalid, type FieldError } from '../../../semantics/errors/field-error.ts';
import { checkOnlyAddedTolerations } from './pod-scheduling.ts';

const DEADLINE_MAX = 2 ** 31 - 1;
const IMMUTABLE =
  'pod updates may not change fields other than `spec.containers[*].image`, ' +
  '`spec.initContainers[*].image`, `spec.activeDeadlineSeconds`, ' +
  '`spec.tolerations` (only additions to existing tolerations) or ' +
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** Adds what is wrong with the new specification `spec` of a pod to `errors`. */
export function checkPodUpdate(spec: PodSpec, stored: PodSpec, errors: FieldError[]): void {
  for (const list of ['containers', 'initContainers'] as const) {
    if ((spec[list] ?? []).length === (stored[list] ?? []).length) continue;
    errors.push(fieldForbidden(`spec.${list}`, 'pod updates may not add or remove containers'));
    return;
  }
  if (!checkDeadline(spec, stored, errors)) return;
  const { tolerations = [] } = stored;
  checkOnlyAddedTolerations(spec.tolerations ?? [], tolerations, 'spec.tolerations', errors);
  if (deepEqual(withChangeable(spec, stored), stored)) return;
  errors.push(fieldForbidden('spec', IMMUTABLE));
}

/** The deadline may be set, and later only be reduced. False when no other error should follow. */
function checkDeadline(spec: PodSpec, stored: PodSpec, errors: FieldError[]): boolean {
  const field = 'spec.activeDeadlineSeconds';
  const { activeDeadlineSeconds: now } = spec;
  const { activeDeadlineSeconds: before } = stored;
  if (now === undefined) {
    if (before !== undefined) {
      const detail = 'must not update from a positive integer to nil value';
      errors.push(invalid(field, now, detail));
    }
    return true;
  }
  if (now < 0 || now > DEADLINE_MAX) {
    errors.push(invalid(field, now, `must be between 0 and ${DEADLINE_MAX}, inclusive`));
    return false;
  }
  if (before === undefined || now <= before) return true;
  errors.push(invalid(field, now, 'must be less than or equal to previous value'));
  return false;
}

/** The new specification with the stored values of all that may change. */
function withChangeable(spec: PodSpec, stored: PodSpec): PodSpec {
  const kept: PodSpec = { ...spec };
  keep(kept, stored, 'activeDeadlineSeconds');
  keep(kept, stored, 'tolerations');
  const { terminationGracePeriodSeconds: before = 0 } = stored;
  if (before < 0 && Number(spec.terminationGracePeriodSeconds ?? 0) === 1) {
    keep(kept, stored, 'terminationGracePeriodSeconds');
  }
  if (spec.containers) kept.containers = withImages(spec.containers, stored.containers);
  if (spec.initContainers) {
    kept.initContainers = withImages(spec.initContainers, stored.initContainers);
  }
  return kept;
}

function keep<Member extends keyof PodSpec>(spec: PodSpec, stored: PodSpec, member: Member): void {
  const value = stored[member];
  if (value === undefined) delete spec[member];
  else spec[member] = value;
}

function withImages(
  containers: readonly Container[],
  stored: readonly Container[] = [],
): Container[] {
  return containers.map((container, index) => {
    const { image = '' } = stored[index] ?? {};
    return { ...container, image };
  });
}
