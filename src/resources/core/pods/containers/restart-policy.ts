/** When a container of its own is restarted, and what it needs to be resized. */
import type {
  Container,
  ContainerResizePolicy,
  ContainerRestartRule,
  PodSpec,
} from '#messages/core.v1';
import { ownRelease } from '../../../../release/release.ts';
import {
  duplicate,
  fieldForbidden,
  invalid,
  notSupported,
  required,
  tooMany,
  type FieldError,
} from '../../../../semantics/errors/field-error.ts';
import type { ContainerRules } from './container-rules.ts';
import type { PodRules } from '../../pod-rules.ts';
import { forEachContainer } from './containers.ts';

const ALWAYS = 'Always';
const POLICIES = ['Always', 'Never', 'OnFailure'];
const OPERATORS = ['In', 'NotIn'];
const RESTART = 'Restart';
const RESTART_ALL = 'RestartAllContainers';
const RULES_MAX = 20;
const EXIT_CODES_MAX = 255;
const NEEDS_POLICY = 'must specify restartPolicy when restart rules are used';

/** Whether an init container runs beside the containers of its pod. */
export function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === ALWAYS;
}

/** Whether the end of some container may restart the whole pod. */
export function restartsAll({ containers = [], initContainers = [] }: PodSpec): boolean {
  return [...initContainers, ...containers].some(({ restartPolicyRules = [] }) =>
    restartPolicyRules.some(({ action }) => action === RESTART_ALL),
  );
}

/**
 * Whether a container that ended so is restarted, in a pod of that policy; `ofAll` says whether
 * rules that restart the whole pod count.
 */
export function isRestarted(
  { restartPolicy, restartPolicyRules = [] }: Container,
  policyOfPod: string | undefined,
  exitCode: number,
  ofAll: boolean,
): boolean {
  if (restartPolicy !== undefined) {
    const rule = restartPolicyRules.find((one) => fitsExit(one, exitCode));
    if (rule?.action === RESTART || (ofAll && rule?.action === RESTART_ALL)) return true;
  }
  const policy = restartPolicy ?? policyOfPod;
  if (policy === 'OnFailure') return exitCode !== 0;
  return policy !== 'Never';
}

function fitsExit({ exitCodes }: ContainerRestartRule, exitCode: number): boolean {
  if (exitCodes === undefined) return false;
  const isIn = (exitCodes.values ?? []).includes(exitCode);
  return exitCodes.operator === 'In' ? isIn : exitCodes.operator === 'NotIn' && !isIn;
}

/** Adds the problems of the policy of a container that is no init container. */
export function checkRestartPolicy(
  container: Container,
  rules: PodRules,
  field: string,
  errors: FieldError[],
): void {
  const { restartPolicy, restartPolicyRules = [] } = container;
  if (restartPolicy === undefined && restartPolicyRules.length === 0) return;
  if (allowsRules(rules)) checkPolicy(container, rules, field, errors);
  else if (restartPolicy !== undefined) {
    const detail = 'may not be set for non-init containers';
    errors.push(fieldForbidden(`${field}.restartPolicy`, detail));
  }
}

/** Adds the problems of the policy of an init container. */
export function checkInitRestartPolicy(
  container: Container,
  rules: PodRules,
  field: string,
  errors: FieldError[],
): void {
  const { restartPolicy, restartPolicyRules = [] } = container;
  const hasRules = restartPolicyRules.length > 0;
  if (restartPolicy === undefined) {
    const isTold = hasRules && ownRelease().has('restartRulesNeedPolicy');
    if (isTold) errors.push(required(`${field}.restartPolicy`, NEEDS_POLICY));
  } else if (!allowsRules(rules)) {
    if (restartPolicy === ALWAYS) return;
    errors.push(notSupported(`${field}.restartPolicy`, restartPolicy, [ALWAYS]));
  } else if (restartPolicy !== ALWAYS || allowsRestartOfAll(rules)) {
    checkPolicy(container, rules, field, errors);
  } else if (hasRules) {
    const detail =
      'restartPolicyRules are not allowed for init containers with restart policy Always';
    errors.push(fieldForbidden(`${field}.restartPolicyRules`, detail));
  }
}

function checkPolicy(
  { restartPolicy, restartPolicyRules = [] }: Container,
  rules: PodRules,
  field: string,
  errors: FieldError[],
): void {
  const at = `${field}.restartPolicy`;
  if (restartPolicy === undefined) errors.push(required(at, NEEDS_POLICY));
  else if (!POLICIES.includes(restartPolicy)) {
    errors.push(notSupported(at, restartPolicy, POLICIES));
  }
  const count = restartPolicyRules.length;
  if (count > RULES_MAX) errors.push(tooMany(`${field}.restartPolicyRules`, count, RULES_MAX));
  const actions = allowsRestartOfAll(rules) ? [RESTART, RESTART_ALL] : [RESTART];
  restartPolicyRules.forEach((rule, index) => {
    checkRule(rule, actions, `${field}.restartPolicyRules[${index}]`, errors);
  });
}

function checkRule(
  { action = '', exitCodes }: ContainerRestartRule,
  actions: readonly string[],
  field: string,
  errors: FieldError[],
): void {
  if (!actions.includes(action)) errors.push(notSupported(`${field}.action`, action, actions));
  const at = `${field}.exitCodes`;
  if (exitCodes === undefined) {
    errors.push(required(at, 'must be specified'));
    return;
  }
  const { operator = '', values = [] } = exitCodes;
  if (!OPERATORS.includes(operator)) {
    errors.push(notSupported(`${at}.operator`, operator, OPERATORS));
  }
  if (values.length > EXIT_CODES_MAX) {
    errors.push(tooMany(`${at}.values`, values.length, EXIT_CODES_MAX));
  }
}

/** Whether containers have policies and rules of their own; a pod that has them keeps them. */
export function allowsRules({ gates, stored }: PodRules): boolean {
  if (gates.has('ContainerRestartRules')) return true;
  return isUsed(stored, hasOwnPolicy);
}

/** Whether the end of a container may restart the whole pod. */
export function allowsRestartOfAll({ gates, stored }: PodRules): boolean {
  if (gates.has('RestartAllContainersOnContainerExits')) return true;
  return isUsed(stored, ({ restartPolicyRules = [] }) =>
    restartPolicyRules.some(({ action }) => action === RESTART_ALL),
  );
}

function hasOwnPolicy({ restartPolicyRules = [] }: Container): boolean {
  return restartPolicyRules.length > 0;
}

function isUsed(
  spec: PodRules['stored'],
  uses: (container: Container, field: string) => boolean,
): boolean {
  let found = false;
  if (spec) forEachContainer(spec, '', (container, field) => (found ||= uses(container, field)));
  return found;
}

const RESIZED = ['cpu', 'memory'];
const RESIZE_POLICIES = ['NotRequired', 'RestartContainer'];

/** Adds the problems of what a container needs when a resource of it is resized. */
export function checkResizePolicy(
  policies: readonly ContainerResizePolicy[],
  { spec }: ContainerRules,
  field: string,
  errors: FieldError[],
): void {
  const seen = new Set<string>();
  const refusesRestart = spec.restartPolicy === 'Never';
  policies.forEach(({ resourceName = '', restartPolicy = '' }, index) => {
    if (seen.has(resourceName)) errors.push(duplicate(`${field}[${index}]`, resourceName));
    seen.add(resourceName);
    // These errors are those of the list itself.
    checkWord(resourceName, RESIZED, field, errors);
    checkWord(restartPolicy, RESIZE_POLICIES, field, errors);
    if (!refusesRestart || restartPolicy === 'NotRequired') return;
    if (!ownRelease().has('resizesOfPodsThatEnd')) return;
    const of = ownRelease().has('initContainersResizeInPlace') ? 'pod ' : '';
    const detail = `must be 'NotRequired' when ${of}\`restartPolicy\` is 'Never'`;
    errors.push(invalid(field, restartPolicy, detail));
  });
}

function checkWord(
  value: string,
  known: readonly string[],
  field: string,
  errors: FieldError[],
): void {
  if (value === '') errors.push(required(field));
  else if (!known.includes(value)) errors.push(notSupported(field, value, known));
}

/** Adds the problems of the resize policies that an init container alone has. */
export function checkInitResizePolicy(
  container: Container,
  rules: PodRules,
  field: string,
  errors: FieldError[],
): void {
  const { resizePolicy = [] } = container;
  if (resizePolicy.length === 0) return;
  if (!allowsInitResize(rules)) {
    const detail = 'must not be set for init containers';
    errors.push(invalid(`${field}.resizePolicy`, resizePolicy, detail));
  }
  if (isSidecar(container) || !ownRelease().has('initContainersResizeInPlace')) return;
  if (rules.stored?.initContainers?.some(restartsToResize) === true) return;
  resizePolicy.forEach(({ restartPolicy }, index) => {
    if (restartPolicy !== 'RestartContainer') return;
    const detail = "must not be set to 'RestartContainer' for non-sidecar initContainers";
    const at = `${field}.resizePolicy[${index}].restartPolicy`;
    errors.push(invalid(at, restartPolicy, detail));
  });
}

function restartsToResize(container: Container): boolean {
  if (isSidecar(container)) return false;
  return container.resizePolicy?.some((one) => one.restartPolicy === 'RestartContainer') === true;
}

function allowsInitResize({ gates, stored }: PodRules): boolean {
  if (!ownRelease().has('sidecarsMayResize')) return false;
  if (gates.has('InPlacePodVerticalScaling')) return true;
  return (
    stored?.initContainers?.some((one) => isSidecar(one) && (one.resizePolicy ?? []).length > 0) ===
    true
  );
}
