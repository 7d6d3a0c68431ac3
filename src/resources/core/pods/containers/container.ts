/** The containers of a pod. */
import type { Container } from '#messages/core.v1';
import { ownRelease } from '../../../../release/release.ts';
import {
  duplicate,
  fieldForbidden,
  invalid,
  notSupported,
  type FieldError,
} from '../../../../semantics/errors/field-error.ts';
import { claimNames } from '../pod-claims.ts';
import type { ContainerRules } from './container-rules.ts';
import { checkSecurityContext } from '../pod-security-context.ts';
import { checkEnv, checkEnvFrom } from './environment.ts';
import { checkLifecycle, checkProbes } from './handlers.ts';
import { checkMounts } from './mounts.ts';
import { checkHostPorts, checkPortNames } from './ports.ts';
import { checkResources } from './resources.ts';
import {
  checkInitResizePolicy,
  checkInitRestartPolicy,
  checkResizePolicy,
  checkRestartPolicy,
  isSidecar,
} from './restart-policy.ts';

const MESSAGE_POLICIES = ['File', 'FallbackToLogsOnError'];
/** Members that init containers may not have: they end before anybody probes them. */
const NOT_FOR_INIT = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;
const NOT_FOR_INIT_TEXT = ownRelease().has('sidecars')
  ? 'may not be set for init containers without restartPolicy=Always'
  : 'may not be set for init containers';

/** Whether what all containers have is checked before what only some have. */
const CHECKS_COMMON_FIRST = ownRelease().has('commonMembersFirst');

/** Adds the problems of the containers at the path `field`. */
export function checkContainers(
  containers: readonly Container[],
  rules: ContainerRules,
  field: string,
  errors: FieldError[],
): void {
  const names = new Set<string>();
  containers.forEach((container, index) => {
    const { name = '' } = container;
    const at = `${field}[${index}]`;
    if (CHECKS_COMMON_FIRST) checkContainer(container, rules, at, errors);
    if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
    names.add(name);
    if (CHECKS_COMMON_FIRST) {
      checkRunning(container, rules, at, errors);
      checkRestartPolicy(container, rules, at, errors);
    } else {
      checkOldContainer(container, rules, at, errors);
    }
  });
  checkHostPorts(containers, field, errors);
}

/** Init containers run one by one: they may share ports, but no name with the others. */
export function checkInitContainers(
  initContainers: readonly Container[],
  containers: readonly Container[],
  rules: ContainerRules,
  field: string,
  errors: FieldError[],
): void {
  const names = new Set(containers.map(({ name = '' }) => name));
  initContainers.forEach((container, index) => {
    const { name = '' } = container;
    const at = `${field}[${index}]`;
    if (!CHECKS_COMMON_FIRST) {
      checkOldContainer(container, rules, at, errors);
      checkHostPorts([container], field, errors);
    } else {
      checkContainer(container, rules, at, errors);
      checkInitRestartPolicy(container, rules, at, errors);
    }
    if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
    if (name !== '') names.add(name);
    if (CHECKS_COMMON_FIRST) checkHostPorts([container], field, errors);
    if (isSidecar(container)) checkRunning(container, rules, at, errors);
    else refuseRunning(container, at, errors);
    checkInitResizePolicy(container, rules, at, errors);
  });
}

/** An init container that ends has none of these. */
function refuseRunning(container: Container, field: string, errors: FieldError[]): void {
  for (const member of NOT_FOR_INIT) {
    const value = container[member];
    if (value === undefined) continue;
    const at = `${field}.${member}`;
    const isOld = !CHECKS_COMMON_FIRST;
    errors.push(
      isOld
        ? invalid(at, value, 'must not be set for init containers')
        : fieldForbidden(at, NOT_FOR_INIT_TEXT),
    );
  }
}

/** One container of any list, as older releases check it. */
export function checkOldContainer(
  container: Container,
  rules: ContainerRules,
  field: string,
  errors: FieldError[],
): void {
  checkRunning(container, rules, field, errors);
  checkContainer(container, rules, field, errors);
}

/** Checks members of a container that goes on to run. */
function checkRunning(
  container: Container,
  rules: ContainerRules,
  field: string,
  errors: FieldError[],
): void {
  const { lifecycle } = container;
  if (lifecycle) checkLifecycle(lifecycle, rules, `${field}.lifecycle`, errors);
  checkProbes(container, rules, field, errors);
}

/** Checks members that containers of all lists have, at the path `field`. */
export function checkContainer(
  container: Container,
  rules: ContainerRules,
  field: string,
  errors: FieldError[],
): void {
  const { resizePolicy, resources, securityContext } = container;
  checkMessagePolicy(container, `${field}.terminationMessagePolicy`, errors);
  if (container.ports) checkPortNames(container.ports, `${field}.ports`, errors);
  if (container.env) checkEnv(container.env, rules, `${field}.env`, errors);
  if (container.envFrom) checkEnvFrom(container.envFrom, rules, `${field}.envFrom`, errors);
  if (container.volumeMounts || container.volumeDevices) {
    checkMounts(container, rules.volumes, field, errors);
  }
  if (resources) {
    checkResources(resources, `${field}.resources`, errors, {
      claims: () => claimNames(rules.spec),
    });
  }
  if (resizePolicy) checkResizePolicy(resizePolicy, rules, `${field}.resizePolicy`, errors);
  if (securityContext) {
    checkSecurityContext(securityContext, rules, `${field}.securityContext`, errors);
  }
}

function checkMessagePolicy(
  { terminationMessagePolicy: policy = '' }: Container,
  field: string,
  errors: FieldError[],
): void {
  if (MESSAGE_POLICIES.includes(policy)) return;
  errors.push(
    CHECKS_COMMON_FIRST
      ? notSupported(field, policy, MESSAGE_POLICIES)
      : invalid(field, policy, "must be 'File' or 'FallbackToLogsOnError'"),
  );
}

/** Only pods are checked: templates with such an image are older than the rule. */
export function checkImageSpace(
  { image = '' }: Container,
  field: string,
  errors: FieldError[],
): void {
  if (image.trim() === image) return;
  const detail = 'must not have leading or trailing whitespace';
  errors.push(invalid(`${field}.image`, image, detail));
}
