/** The containers of a pod (README.md#pods). */
import type { Container } from '#messages/core.v1';
import { duplicate, invalid, type FieldError } from '../../../semantics/errors/field-error.ts';
import { checkEnv, checkEnvFrom } from './container-environment.ts';
import { checkLifecycle, checkProbes } from './container-handlers.ts';
import { checkMounts } from './container-mounts.ts';
import { checkHostPorts, checkPortNames } from './container-ports.ts';
import { checkResources } from './container-resources.ts';
import { checkSecurityContext } from './pod-security-context.ts';
import type { Volumes } from '../volumes/volume.ts';

const MESSAGE_POLICIES = ['File', 'FallbackToLogsOnError'];
/** Members that init containers may not have: they end before anybody probes them. */
const NOT_FOR_INIT = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/**
 * Adds the problems of the containers at the path `field`; `volumes` are those that they may mount.
 */
export function checkContainers(
  containers: readonly Container[],
  volumes: Volumes,
  field: string,
  errors: FieldError[],
): void {
  const names = new Set<string>();
  containers.forEach((container, index) => {
    const { name = '' } = container;
    const at = `${field}[${index}]`;
    if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
    names.add(name);
    checkContainer(container, volumes, at, errors);
  });
  checkHostPorts(containers, field, errors);
}

/** Init containers run one by one: they may share ports, but no name with the others. */
export function checkInitContainers(
  initContainers: readonly Container[],
  containers: readonly Container[],
  volumes: Volumes,
  field: string,
  errors: FieldError[],
): void {
  const names = new Set(containers.map(({ name = '' }) => name));
  initContainers.forEach((container, index) => {
    const { name = '' } = container;
    const at = `${field}[${index}]`;
    checkContainer(container, volumes, at, errors);
    checkHostPorts([container], field, errors);
    if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
    names.add(name);
    for (const member of NOT_FOR_INIT) {
      if (container[member] === undefined) continue;
      const detail = 'must not be set for init containers';
      errors.push(invalid(`${at}.${member}`, container[member], detail));
    }
  });
}

/** One container on its own, at the path `field`. */
export function checkContainer(
  container: Container,
  volumes: Volumes,
  field: string,
  errors: FieldError[],
): void {
  const { terminationMessagePolicy: policy = '', securityContext } = container;
  if (container.lifecycle) checkLifecycle(container.lifecycle, `${field}.lifecycle`, errors);
  checkProbes(container, field, errors);
  if (!MESSAGE_POLICIES.includes(policy)) {
    const detail = "must be 'File' or 'FallbackToLogsOnError'";
    errors.push(invalid(`${field}.terminationMessagePolicy`, policy, detail));
  }
  if (container.ports) checkPortNames(container.ports, `${field}.ports`, errors);
  if (container.env) checkEnv(container.env, `${field}.env`, errors);
  if (container.envFrom) checkEnvFrom(container.envFrom, `${field}.envFrom`, errors);
  if (container.volumeMounts || container.volumeDevices) {
    checkMounts(container, volumes, field, errors);
  }
  if (container.resources) checkResources(container.resources, `${field}.resources`, errors);
  if (securityContext) checkSecurityContext(securityContext, `${field}.securityContext`, errors);
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
