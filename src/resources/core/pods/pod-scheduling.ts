/** Checks which nodes a pod asks for (README.md#pods). */
import type { LabelSelector } from '#messages/meta.v1';
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
  hasInvalidValue,
} from '../../../semantics/metadata/label-validation.ts';
import { ownRelease } from '../../../release/release.ts';
import type { PodRules } from '../pod-rules.ts';
import { dnsLabel, labelValue, qualifiedName } from '../../../semantics/metadata/names.ts';
import { checkNodeSelector, checkNodeSelectorTerm } from '../nodes/node-selector.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
const WEIGHT_MAX = 100;

/** Adds the problems of the affinity at the path `field`. */
export function checkAffinity(
  { nodeAffinity, podAffinity, podAntiAffinity }: Affinity,
  { stored }: PodRules,
  field: string,
  errors: FieldError[],
): void {
  const { [REQUIRED]: selector, [PREFERRED]: terms = [] } = nodeAffinity ?? {};
  const at = `${field}.nodeAffinity`;
  if (selector) {
    const before = stored?.affinity?.nodeAffinity?.[REQUIRED];
    checkNodeSelector(selector, `${at}.${REQUIRED}`, errors, before);
  }
  terms.forEach(({ weight, preference = {} }, index) => {
    const term = `${at}.${PREFERRED}[${index}]`;
    checkWeight(weight, term, errors);
    checkNodeSelectorTerm(preference, `${term}.preference`, errors);
  });
  const kept = storedInvalidSelector(stored?.affinity);
  if (podAffinity) checkPodAffinity(podAffinity, kept, `${field}.podAffinity`, errors);
  if (podAntiAffinity) checkPodAffinity(podAntiAffinity, kept, `${field}.podAntiAffinity`, errors);
}

/** A selector of the stored affinity with a value that no label can have, if there is one. */
function storedInvalidSelector(affinity: Affinity = {}): LabelSelector | undefined {
  const { podAffinity = {}, podAntiAffinity = {} } = affinity;
  const terms = [podAffinity, podAntiAffinity].flatMap(
    ({ [REQUIRED]: some = [], [PREFERRED]: weighted = [] }) => [
      ...some,
      ...weighted.map(({ podAffinityTerm = {} }) => podAffinityTerm),
    ],
  );
  return terms
    .flatMap(({ labelSelector, namespaceSelector }) => [labelSelector, namespaceSelector])
    .find(hasInvalidValue);
}

function checkWeight(weight = 0, field: string, errors: FieldError[]): void {
  if (weight > 0 && weight <= WEIGHT_MAX) return;
  errors.push(invalid(`${field}.weight`, weight, `must be in the range 1-${WEIGHT_MAX}`));
}

function checkPodAffinity(
  { [REQUIRED]: terms = [], [PREFERRED]: weighted = [] }: PodAffinity,
  kept: LabelSelector | undefined,
  field: string,
  errors: FieldError[],
): void {
  terms.forEach((term, index) => {
    checkPodAffinityTerm(term, kept, `${field}.${REQUIRED}[${index}]`, errors);
  });
  weighted.forEach(({ weight, podAffinityTerm = {} }, index) => {
    const at = `${field}.${PREFERRED}[${index}]`;
    checkWeight(weight, at, errors);
    checkPodAffinityTerm(podAffinityTerm, kept, `${at}.podAffinityTerm`, errors);
  });
}

function checkPodAffinityTerm(
  term: PodAffinityTerm,
  kept: LabelSelector | undefined,
  field: string,
  errors: FieldError[],
): void {
  const { labelSelector, namespaceSelector, namespaces = [], topologyKey = '' } = term;
  checkLabelSelector(labelSelector, `${field}.labelSelector`, errors, kept);
  checkLabelSelector(namespaceSelector, `${field}.namespaceSelector`, errors, kept);
  for (const name of namespaces) {
    addProblems(dnsLabel(name), `${field}.namespace`, name, errors);
  }
  checkMergedLabelKeys(term, field, errors);
  if (topologyKey === '') errors.push(required(`${field}.topologyKey`, 'can not be empty'));
  checkLabelName(topologyKey, `${field}.topologyKey`, errors);
}

type KeyedTerm = Pick<PodAffinityTerm, 'labelSelector' | 'matchLabelKeys' | 'mismatchLabelKeys'>;

const WITHOUT_SELECTOR = 'must not be specified when labelSelector is not set';
const IN_BOTH = 'exists in both matchLabelKeys and labelSelector';

/**
 * Keys of labels of the pod itself. Those to match are in the selector already: a second
 * requirement with such a key is one that the client sent.
 */
function checkMergedLabelKeys(
  { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] }: KeyedTerm,
  field: string,
  errors: FieldError[],
): void {
  const lists = { matchLabelKeys, mismatchLabelKeys };
  for (const [list, keys] of Object.entries(lists)) {
    if (keys.length > 0 && labelSelector === undefined) {
      errors.push(fieldForbidden(`${field}.${list}`, WITHOUT_SELECTOR));
    } else {
      keys.forEach((key, index) => checkLabelName(key, `${field}.${list}[${index}]`, errors));
    }
  }
  const seen = new Set(Object.keys(labelSelector?.matchLabels ?? {}));
  for (const { key = '' } of labelSelector?.matchExpressions ?? []) {
    const index = matchLabelKeys.lastIndexOf(key);
    if (index >= 0 && seen.has(key)) errors.push(invalid(`${field}[${index}]`, key, IN_BOTH));
    seen.add(key);
  }
  matchLabelKeys.forEach((key, index) => {
    if (!mismatchLabelKeys.includes(key)) return;
    const detail = 'exists in both matchLabelKeys and mismatchLabelKeys';
    errors.push(invalid(`${field}.matchLabelKeys[${index}]`, key, detail));
  });
}

/** Keys that are not merged: the selector has none of them. */
function checkLabelKeys(
  { labelSelector, matchLabelKeys = [] }: TopologySpreadConstraint,
  field: string,
  errors: FieldError[],
): void {
  if (matchLabelKeys.length === 0) return;
  const { matchLabels = {}, matchExpressions = [] } = labelSelector ?? {};
  const selected = new Set([
    ...Object.keys(matchLabels),
    ...matchExpressions.map(({ key = '' }) => key),
  ]);
  if (labelSelector === undefined && ownRelease().has('keysNeedSelectors')) {
    errors.push(fieldForbidden(field, WITHOUT_SELECTOR));
  }
  matchLabelKeys.forEach((key, index) => {
    checkLabelName(key, `${field}[${index}]`, errors);
    if (selected.has(key)) errors.push(invalid(`${field}[${index}]`, key, IN_BOTH));
  });
}

const TOLERATION_OPERATORS = ['Equal', 'Exists'];
const ALL_TOLERATION_OPERATORS = ['Equal', 'Exists', 'Lt', 'Gt'];
const CANONICAL_INTEGER = /^(?:0|-?[1-9][0-9]*)$/;
const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
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
  comparesNumbers = false,
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
    checkToleratedValue(toleration, comparesNumbers, at, errors);
    if (effect === '' || TAINT_EFFECTS.includes(effect)) return;
    errors.push(notSupported(`${at}.effect`, effect, TAINT_EFFECTS));
  });
}

/** As in the reference, the error about a value is on the operator. */
function checkToleratedValue(
  toleration: Toleration,
  comparesNumbers: boolean,
  at: string,
  errors: FieldError[],
): void {
  const { operator = '', value = '' } = toleration;
  const field = `${at}.operator`;
  if (operator === 'Exists') {
    if (value === '') return;
    const shown = ownRelease().has('toleratedValuesShown') ? value : toleration;
    errors.push(invalid(field, shown, "value must be empty when `operator` is 'Exists'"));
  } else if (operator === '' || operator === 'Equal') {
    addJoinedProblems(labelValue(value), field, value, errors, ';');
  } else if (comparesNumbers && isComparison(operator)) {
    checkComparedNumber(value, `${at}.value`, errors);
  } else {
    const isKnown = isComparison(operator) && ownRelease().has('comparingTolerations');
    const known = isKnown ? ALL_TOLERATION_OPERATORS : TOLERATION_OPERATORS;
    errors.push(notSupported(field, operator, known));
  }
}

const isComparison = (operator: string): boolean => operator === 'Lt' || operator === 'Gt';

function checkComparedNumber(value: string, field: string, errors: FieldError[]): void {
  if (value === '') errors.push(invalid(field, value, 'must be non-empty'));
  else if (!CANONICAL_INTEGER.test(value)) {
    const detail = 'must be a valid decimal integer in canonical form';
    errors.push(invalid(field, value, detail));
  }
  const problem = !/^[+-]?[0-9]+$/.test(value)
    ? 'invalid syntax'
    : BigInt(value) < INT64.min || BigInt(value) > INT64.max
      ? 'value out of range'
      : '';
  if (problem === '') return;
  const detail = `strconv.ParseInt: parsing ${JSON.stringify(value)}: ${problem}`;
  errors.push(invalid(field, value, detail));
}

/** Whether tolerations compare numbers; a pod that has such a one may do so. */
export function comparesNumbers({ gates, stored }: PodRules): boolean {
  if (gates.has('TaintTolerationComparisonOperators')) return true;
  return stored?.tolerations?.some(({ operator = '' }) => isComparison(operator)) === true;
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
  rules: PodRules,
  field: string,
  errors: FieldError[],
): void {
  constraints.forEach((constraint, index) => {
    const { maxSkew = 0, topologyKey = '', whenUnsatisfiable = '' } = constraint;
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
    if (isRepeated) {
      const pair = `{${topologyKey}, ${whenUnsatisfiable}}`;
      errors.push(duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, pair));
    }
    checkSpreadNodes(constraint, at, errors);
    checkSpreadSelector(constraint, rules, at, errors);
  });
}

const INCLUSIONS = ['Honor', 'Ignore'];

/** Which domains and nodes count. */
function checkSpreadNodes(
  constraint: TopologySpreadConstraint,
  field: string,
  errors: FieldError[],
): void {
  const { minDomains, whenUnsatisfiable = '' } = constraint;
  if (minDomains !== undefined) {
    const at = `${field}.minDomains`;
    if (minDomains <= 0) errors.push(invalid(at, minDomains, 'must be greater than zero'));
    if (whenUnsatisfiable !== 'DoNotSchedule') {
      const detail =
        'can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ' + whenUnsatisfiable;
      errors.push(invalid(at, minDomains, detail));
    }
  }
  for (const member of ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const) {
    const policy = constraint[member];
    if (policy === undefined || INCLUSIONS.includes(policy)) continue;
    errors.push(notSupported(`${field}.${member}`, policy, INCLUSIONS));
  }
}

/** Which pods count. What is wrong in the stored pod may stay so. */
function checkSpreadSelector(
  constraint: TopologySpreadConstraint,
  { gates, stored }: PodRules,
  field: string,
  errors: FieldError[],
): void {
  const before = stored?.topologySpreadConstraints ?? [];
  if (constraint.matchLabelKeys !== undefined) {
    const merges =
      gates.has('MatchLabelKeysInPodTopologySpread') &&
      gates.has('MatchLabelKeysInPodTopologySpreadSelectorMerge');
    const check = merges ? checkMergedLabelKeys : checkLabelKeys;
    if (merges === before.some((one) => hasErrors((found) => check(one, '', found)))) {
      checkLabelKeys(constraint, `${field}.matchLabelKeys`, errors);
    } else {
      checkMergedLabelKeys(constraint, field, errors);
    }
  }
  if (!ownRelease().has('checkedSpreadSelectors')) return;
  const isKept = before.some(({ labelSelector }) =>
    hasErrors((found) => checkLabelSelector(labelSelector, '', found)),
  );
  if (!isKept) checkLabelSelector(constraint.labelSelector, `${field}.labelSelector`, errors);
}

function hasErrors(check: (errors: FieldError[]) => void): boolean {
  const errors: FieldError[] = [];
  check(errors);
  return errors.length > 0;
}

/** Adds the problems of what a pod waits for before a node is looked for. */
export function checkSchedulingGates(
  gates: readonly { readonly name?: string }[],
  field: string,
  errors: FieldError[],
): void {
  const seen = new Set<string>();
  gates.forEach(({ name = '' }, index) => {
    const at = `${field}[${index}]`;
    addProblems(qualifiedName(name), at, name, errors);
    if (seen.has(name)) errors.push(duplicate(at, name));
    seen.add(name);
  });
}
