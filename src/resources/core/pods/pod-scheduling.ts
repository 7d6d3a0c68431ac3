/** Checks which nodes a pod asks for (README.md#pods). */
import type {
  Affinity,
  PodAffinity,
  PodAffinityTerm,
  Toleration,
  TopologySpreadConstraint,
} from '#messages/core.v1';
import {
  addJoinedProblems,
  addProblems,
  duplicate,
  fieldForbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import {
  checkLabelName,
  checkLabelSelector,
} from '../../../semantics/metadata/label-validation.ts';
import { dnsLabel, labelValue } from '../../../semantics/metadata/names.ts';
import { checkNodeSelector, checkNodeSelectorTerm } from '../nodes/node-selector.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
const WEIGHT_MAX = 100;

/** Adds the problems of the affinity at the path `field`. */
export function checkAffinity(
  { nodeAffinity, podAffinity, podAntiAffinity }: Affinity,
  field: string,
  errors: FieldError[],
): void {
  const { [REQUIRED]: selector, [PREFERRED]: terms = [] } = nodeAffinity ?? {};
  const at = `${field}.nodeAffinity`;
  if (selector) checkNodeSelector(selector, `${at}.${REQUIRED}`, errors);
  terms.forEach(({ weight, preference = {} }, index) => {
    const term = `${at}.${PREFERRED}[${index}]`;
    checkWeight(weight, term, errors);
    checkNodeSelectorTerm(preference, `${term}.preference`, errors);
  });
  if (podAffinity) checkPodAffinity(podAffinity, `${field}.podAffinity`, errors);
  if (podAntiAffinity) checkPodAffinity(podAntiAffinity, `${field}.podAntiAffinity`, errors);
}

function checkWeight(weight = 0, field: string, errors: FieldError[]): void {
  if (weight > 0 && weight <= WEIGHT_MAX) return;
  errors.push(invalid(`${field}.weight`, weight, `must be in the range 1-${WEIGHT_MAX}`));
}

function checkPodAffinity(
  { [REQUIRED]: terms = [], [PREFERRED]: weighted = [] }: PodAffinity,
  field: string,
  errors: FieldError[],
): void {
  terms.forEach((term, index) => {
    checkPodAffinityTerm(term, `${field}.${REQUIRED}[${index}]`, errors);
  });
  weighted.forEach(({ weight, podAffinityTerm = {} }, index) => {
    const at = `${field}.${PREFERRED}[${index}]`;
    checkWeight(weight, at, errors);
    checkPodAffinityTerm(podAffinityTerm, `${at}.podAffinityTerm`, errors);
  });
}

function checkPodAffinityTerm(
  { labelSelector, namespaceSelector, namespaces = [], topologyKey = '' }: PodAffinityTerm,
  field: string,
  errors: FieldError[],
): void {
  checkLabelSelector(labelSelector, `${field}.labelSelector`, errors);
  checkLabelSelector(namespaceSelector, `${field}.namespaceSelector`, errors);
  for (const name of namespaces) {
    addProblems(dnsLabel(name), `${field}.namespace`, name, errors);
  }
  if (topologyKey === '') errors.push(required(`${field}.topologyKey`, 'can not be empty'));
  checkLabelName(topologyKey, `${field}.topologyKey`, errors);
}

const TOLERATION_OPERATORS = ['Equal', 'Exists'];
const TAINT_EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

const PREEMPTION_POLICIES = ['PreemptLowerPriority', 'Never'];

/** Adds an error unless the policy is valid or absent. */
export function checkPreemptionPolicy(
  policy: string | undefined,
  field: string,
  errors: FieldError[],
): void {
  if (policy === undefined || PREEMPTION_POLICIES.includes(policy)) return;
  const isSaid = policy !== '';
  errors.push(isSaid ? notSupported(field, policy, PREEMPTION_POLICIES) : required(field));
}

/** Adds the problems of the tolerations at the path `field`. */
export function checkTolerations(
  tolerations: readonly Toleration[],
  field: string,
  errors: FieldError[],
): void {
  tolerations.forEach((toleration, index) => {
    const { key = '', operator = '', effect = '', tolerationSeconds } = toleration;
    const at = `${field}[${index}]`;
    if (key !== '') checkLabelName(key, `${at}.key`, errors);
    if (key === '' && operator !== 'Exists') {
      const detail =
        'operator must be Exists when `key` is empty, which means ' +
        '"match all values and all keys"';
      errors.push(invalid(`${at}.operator`, operator, detail));
    }
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
      const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      errors.push(invalid(`${at}.effect`, effect, detail));
    }
    checkToleratedValue(toleration, `${at}.operator`, errors);
    if (effect === '' || TAINT_EFFECTS.includes(effect)) return;
    errors.push(notSupported(`${at}.effect`, effect, TAINT_EFFECTS));
  });
}

/** As in the reference, the error about a value is on the operator. */
function checkToleratedValue(toleration: Toleration, field: string, errors: FieldError[]): void {
  const { operator = '', value = '' } = toleration;
  if (operator === 'Exists') {
    if (value === '') return;
    errors.push(invalid(field, toleration, "value must be empty when `operator` is 'Exists'"));
  } else if (operator === '' || operator === 'Equal') {
    addJoinedProblems(labelValue(value), field, value, errors, ';');
  } else {
    errors.push(notSupported(field, operator, TOLERATION_OPERATORS));
  }
}

/** An update may add tolerations and change their seconds; it may not remove any. */
export function checkOnlyAddedTolerations(
  tolerations: readonly Toleration[],
  stored: readonly Toleration[],
  field: string,
  errors: FieldError[],
): void {
  const kept = new Set(tolerations.map(tolerationText));
  if (stored.every((toleration) => kept.has(tolerationText(toleration)))) return;
  const detail = 'existing toleration can not be modified except its tolerationSeconds';
  errors.push(fieldForbidden(field, detail));
}

/** The text of a toleration without its seconds: equal for tolerations that differ only in them. */
export function tolerationText({ key, operator, value, effect }: Toleration): string {
  return JSON.stringify([key, operator, value, effect]);
}

const SPREAD_ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];

/** Adds the problems of the constraints at the path `field`, among them repeated ones. */
export function checkTopologySpread(
  constraints: readonly TopologySpreadConstraint[],
  field: string,
  errors: FieldError[],
): void {
  constraints.forEach(({ maxSkew = 0, topologyKey = '', whenUnsatisfiable = '' }, index) => {
    const at = `${field}[${index}]`;
    if (maxSkew <= 0) {
      errors.push(invalid(`${at}.maxSkew`, maxSkew, 'must be greater than zero'));
    }
    if (topologyKey === '') errors.push(required(`${at}.topologyKey`, 'can not be empty'));
    if (!SPREAD_ACTIONS.includes(whenUnsatisfiable)) {
      errors.push(notSupported(`${at}.whenUnsatisfiable`, whenUnsatisfiable, SPREAD_ACTIONS));
    }
    const isRepeated = constraints
      .slice(index + 1)
      .some(
        (other) =>
          (other.topologyKey ?? '') === topologyKey &&
          (other.whenUnsatisfiable ?? '') === whenUnsatisfiable,
      );
    if (!isRepeated) return;
    const pair = `{${topologyKey}, ${whenUnsatisfiable}}`;
    errors.push(duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, pair));
  });
}
