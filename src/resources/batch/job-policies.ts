/** Rules for what a Job does with pods that fail, and for its success (README.md#rules). */
import type {
  JobSpec,
  PodFailurePolicy,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
  SuccessPolicy,
  SuccessPolicyRule,
} from '#messages/batch.v1';
import {
  duplicate,
  invalid,
  invalidOmitted,
  invalidPrinted,
  NOT_NEGATIVE,
  notSupported,
  printNumbers,
  required,
  tooLong,
  tooMany,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { checkLabelName } from '../../semantics/metadata/label-validation.ts';
import { ownRelease } from '../../release/release.ts';
import { countIndexes } from './job-indexes.ts';

const RULES_MAX = 20;
const EXIT_CODES_MAX = 255;
const CONDITIONS_MAX = 20;
const INDEXES_BYTES_MAX = 64 * 1024;
const EXIT_CODE_OPERATORS = ['In', 'NotIn'] as const;
const CONDITION_STATUSES = ['False', 'True', 'Unknown'] as const;

/** As the reference lists them in an error. */
function validValues(values: readonly string[]): string {
  return `valid values: [${values.map((value) => JSON.stringify(value)).join(' ')}]`;
}

function failureActions(): readonly string[] {
  const failIndex = ownRelease().has('failedIndexes') ? ['FailIndex'] : [];
  return ['Count', ...failIndex, 'FailJob', 'Ignore'];
}

/** Sets the status that a condition without one means. */
export function applyFailurePolicyDefaults(policy: PodFailurePolicy | undefined): void {
  for (const { onPodConditions = [] } of policy?.rules ?? []) {
    for (const pattern of onPodConditions) pattern.status ||= 'True';
  }
}

/** Adds the problems of `spec.podFailurePolicy`. */
export function checkFailurePolicy(spec: JobSpec, field: string, errors: FieldError[]): void {
  const { rules = [] } = spec.podFailurePolicy ?? {};
  const path = `${field}.rules`;
  if (rules.length > RULES_MAX) errors.push(tooMany(path, rules.length, RULES_MAX));
  const { containers = [], initContainers = [] } = spec.template?.spec ?? {};
  const names = new Set([...containers, ...initContainers].map(({ name = '' }) => name));
  rules.forEach((rule, index) => {
    checkFailureRule({ rule, spec, names }, `${path}[${index}]`, errors);
  });
}

interface FailureRule {
  readonly rule: PodFailurePolicyRule;
  readonly spec: JobSpec;
  /** The names of all containers. */
  readonly names: ReadonlySet<string>;
}

function checkFailureRule(
  { rule, spec, names }: FailureRule,
  field: string,
  errors: FieldError[],
): void {
  const { action = '', onExitCodes, onPodConditions = [] } = rule;
  const actions = failureActions();
  if (action === '') errors.push(required(`${field}.action`, validValues(actions)));
  else if (!actions.includes(action)) {
    errors.push(notSupported(`${field}.action`, action, actions));
  } else if (action === 'FailIndex' && spec.backoffLimitPerIndex === undefined) {
    const detail = 'requires the backoffLimitPerIndex to be set';
    errors.push(invalid(`${field}.action`, action, detail));
  }
  if (onExitCodes !== undefined) {
    checkExitCodes(onExitCodes, `${field}.onExitCodes`, names, errors);
  }
  checkPodConditions(onPodConditions, `${field}.onPodConditions`, errors);
  const hasConditions = onPodConditions.length > 0;
  if ((onExitCodes !== undefined) !== hasConditions) return;
  const detail = hasConditions
    ? 'specifying both OnExitCodes and OnPodConditions is not supported'
    : 'specifying one of OnExitCodes and OnPodConditions is required';
  errors.push(invalidOmitted(field, detail));
}

function checkExitCodes(
  { operator = '', containerName, values = [] }: PodFailurePolicyOnExitCodesRequirement,
  field: string,
  names: ReadonlySet<string>,
  errors: FieldError[],
): void {
  if (operator === '') {
    errors.push(required(`${field}.operator`, validValues(EXIT_CODE_OPERATORS)));
  } else if (!EXIT_CODE_OPERATORS.some((one) => one === operator)) {
    errors.push(notSupported(`${field}.operator`, operator, EXIT_CODE_OPERATORS));
  }
  if (containerName !== undefined && !names.has(containerName)) {
    const detail = 'must be one of the container or initContainer names in the pod template';
    errors.push(invalid(`${field}.containerName`, containerName, detail));
  }
  const path = `${field}.values`;
  const wrong = (detail: string): FieldError =>
    invalidPrinted(path, printNumbers(values, 'int32'), detail);
  if (values.length === 0) errors.push(wrong('at least one value is required'));
  else if (values.length > EXIT_CODES_MAX) {
    errors.push(tooMany(path, values.length, EXIT_CODES_MAX));
  }
  const seen = new Set<number>();
  values.forEach((value, index) => {
    if (operator === 'In' && value === 0) {
      errors.push(invalid(`${path}[${index}]`, value, 'must not be 0 for the In operator'));
    }
    if (seen.has(value)) errors.push(duplicate(`${path}[${index}]`, value));
    seen.add(value);
  });
  const isOrdered = values.every(
    (value, index) => index === 0 || (values[index - 1] ?? 0) <= value,
  );
  if (!isOrdered) errors.push(wrong('must be ordered'));
}

function checkPodConditions(
  patterns: readonly PodFailurePolicyOnPodConditionsPattern[],
  field: string,
  errors: FieldError[],
): void {
  if (patterns.length > CONDITIONS_MAX) {
    errors.push(tooMany(field, patterns.length, CONDITIONS_MAX));
  }
  patterns.forEach(({ type = '', status = '' }, index) => {
    checkLabelName(type, `${field}[${index}].type`, errors);
    const path = `${field}[${index}].status`;
    if (status === '') errors.push(required(path, validValues(CONDITION_STATUSES)));
    else if (!CONDITION_STATUSES.some((one) => one === status)) {
      errors.push(notSupported(path, status, CONDITION_STATUSES));
    }
  });
}

/** Adds the problems of `spec.successPolicy`. */
export function checkSuccessPolicy(spec: JobSpec, field: string, errors: FieldError[]): void {
  const { successPolicy = {}, completionMode, completions = 0 } = spec;
  if (completionMode !== 'Indexed') {
    const detail = 'requires indexed completion mode';
    errors.push(invalidPrinted(field, printSuccessPolicy(successPolicy), detail));
    return;
  }
  const { rules = [] } = successPolicy;
  const path = `${field}.rules`;
  if (rules.length === 0) {
    const detail = 'at least one rules must be specified when the successPolicy is specified';
    errors.push(required(path, detail));
  }
  if (rules.length > RULES_MAX) errors.push(tooMany(path, rules.length, RULES_MAX));
  rules.forEach((rule, index) => {
    checkSuccessRule(rule, completions, `${path}[${index}]`, errors);
  });
}

function checkSuccessRule(
  { succeededIndexes, succeededCount }: SuccessPolicyRule,
  completions: number,
  field: string,
  errors: FieldError[],
): void {
  if (succeededCount === undefined && succeededIndexes === undefined) {
    const detail = 'at least one of succeededCount or succeededIndexes must be specified';
    errors.push(required(field, detail));
  }
  const indexes = `${field}.succeededIndexes`;
  const { count, problem } = countIndexes(succeededIndexes ?? '', completions);
  if (Buffer.byteLength(succeededIndexes ?? '') > INDEXES_BYTES_MAX) {
    errors.push(tooLong(indexes, INDEXES_BYTES_MAX));
  }
  if (problem !== '') {
    const detail = `error parsing succeededIndexes: ${problem}`;
    errors.push(invalid(indexes, succeededIndexes, detail));
  }
  if (succeededCount === undefined) return;
  const path = `${field}.succeededCount`;
  if (succeededCount < 0) errors.push(invalid(path, succeededCount, NOT_NEGATIVE));
  if (succeededCount > completions) {
    const most = `less than or equal to ${completions} (the number of specified completions)`;
    const detail = `must be ${most}`;
    errors.push(invalid(path, succeededCount, detail));
  }
  if (succeededIndexes !== undefined && succeededCount > count) {
    const detail =
      `must be less than or equal to ${count} ` +
      '(the number of indexes in the specified succeededIndexes field)';
    errors.push(invalid(path, succeededCount, detail));
  }
}

/** By the names that its members have in the reference. */
function printSuccessPolicy({ rules = [] }: SuccessPolicy): string {
  const printed = rules.map(({ succeededIndexes = null, succeededCount = null }) => ({
    SucceededIndexes: succeededIndexes,
    SucceededCount: succeededCount,
  }));
  return JSON.stringify({ Rules: rules.length === 0 ? null : printed });
}
