/** The members of a pod that may change after it was created (README.md#pods). */
import type {
  Container,
  NodeAffinity,
  NodeSelectorTerm,
  PodSchedulingGate,
  PodSpec,
} from '#messages/core.v1';
import { deepEqual } from '../../../base/deep-equal.ts';
import { ownRelease } from '../../../release/release.ts';
import {
  fieldForbidden,
  invalid,
  invalidPrinted,
  printTextMap,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { checkOnlyAddedTolerations } from './pod-scheduling.ts';

const DEADLINE_MAX = 2 ** 31 - 1;
const CHANGEABLE = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
] as const;
const GRACE =
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';
const IMMUTABLE = `pod updates may not change fields other than ${
  ownRelease().has('listedPodUpdates')
    ? [...CHANGEABLE, GRACE].join(',')
    : `${CHANGEABLE.join(', ')} or ${GRACE}`
}`;

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
  checkOnlyRemovedGates(spec.schedulingGates ?? [], stored.schedulingGates ?? [], errors);
  const munged = withChangeable(spec, stored);
  if ((stored.schedulingGates ?? []).length > 0) checkGatedUpdate(munged, stored, errors);
  if (deepEqual(munged, stored)) return;
  errors.push(fieldForbidden('spec', IMMUTABLE));
}

/** Nothing that a pod waits for may be added. */
function checkOnlyRemovedGates(
  gates: readonly PodSchedulingGate[],
  stored: readonly PodSchedulingGate[],
  errors: FieldError[],
): void {
  const known = new Set(stored.map(({ name }) => name));
  gates.forEach(({ name = '' }, index) => {
    const isLast = gates.findLastIndex((gate) => (gate.name ?? '') === name) === index;
    if (!isLast || known.has(name)) return;
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`;
    errors.push(fieldForbidden(`spec.schedulingGates[${index}].name`, detail));
  });
}

/**
 * A pod for which no node is looked for yet may get more that selects nodes: what is checked here
 * is taken back in `spec`.
 */
function checkGatedUpdate(spec: PodSpec, stored: PodSpec, errors: FieldError[]): void {
  if (!ownRelease().has('openNodesOfGatedPods')) return;
  const { nodeSelector = {} } = spec;
  const before = stored.nodeSelector ?? {};
  if (Object.keys(before).some((key) => nodeSelector[key] !== before[key])) {
    const detail = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
    errors.push(invalidPrinted('spec.nodeSelector', printTextMap(spec.nodeSelector), detail));
  }
  keep(spec, stored, 'nodeSelector');
  const now = spec.affinity?.nodeAffinity;
  const then = stored.affinity?.nodeAffinity;
  if (deepEqual(now, then)) return;
  checkNodeAffinityUpdate(now, then, errors);
  const { nodeAffinity: _now, ...others } = spec.affinity ?? {};
  if (then !== undefined) spec.affinity = { ...others, nodeAffinity: then };
  else if (stored.affinity === undefined && Object.keys(others).length === 0) delete spec.affinity;
  else spec.affinity = others;
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const TERMS = `spec.affinity.nodeAffinity.${REQUIRED}.nodeSelectorTerms`;

/** Terms stay as many as they are, and only get more requirements. */
function checkNodeAffinityUpdate(
  now: NodeAffinity | undefined,
  then: NodeAffinity | undefined,
  errors: FieldError[],
): void {
  const before = then?.[REQUIRED]?.nodeSelectorTerms ?? [];
  const terms = now?.[REQUIRED]?.nodeSelectorTerms ?? [];
  if (before.length === 0) return;
  if (before.length !== terms.length) {
    const detail = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    errors.push(invalid(TERMS, now?.[REQUIRED]?.nodeSelectorTerms, detail));
    return;
  }
  before.forEach((term, index) => {
    const next = terms[index] ?? {};
    if (onlyAdds(next, term)) return;
    const detail = 'only additions are allowed (no mutations or deletions)';
    errors.push(invalid(`${TERMS}[${index}]`, next, detail));
  });
}

function onlyAdds(now: NodeSelectorTerm, then: NodeSelectorTerm): boolean {
  const members = ['matchExpressions', 'matchFields'] as const;
  const wasEmpty = members.every((member) => (then[member] ?? []).length === 0);
  if (wasEmpty) return members.every((member) => (now[member] ?? []).length === 0);
  return members.every((member) => {
    const before = then[member] ?? [];
    return deepEqual((now[member] ?? []).slice(0, before.length), before);
  });
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
  keep(kept, stored, 'schedulingGates');
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
