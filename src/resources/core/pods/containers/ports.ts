/** Ports of containers. */
import type { ContainerPort } from '#messages/core.v1';
import {
  addProblems,
  duplicate,
  invalid,
  type FieldError,
} from '../../../../semantics/errors/field-error.ts';
import { ownRelease } from '../../../../release/release.ts';
import { portName } from '../../../../semantics/metadata/names.ts';

/** Names of ports; numbers and protocols are checked by the schema. */
export function checkPortNames(
  ports: readonly ContainerPort[],
  field: string,
  errors: FieldError[],
): void {
  const names = new Set<string>();
  ports.forEach(({ name = '' }, index) => {
    if (name === '') return;
    const at = `${field}[${index}].name`;
    const problems = portName(name);
    addProblems(problems, at, name, errors);
    if (problems.length > 0) return;
    if (names.has(name)) errors.push(duplicate(at, name));
    names.add(name);
  });
}

/** No two containers of a pod may take the same port of their node. */
export function checkHostPorts(
  containers: readonly { readonly ports?: ContainerPort[] }[],
  field: string,
  errors: FieldError[],
): void {
  const taken = new Set<string>();
  containers.forEach(({ ports = [] }, container) => {
    ports.forEach(({ protocol = '', hostIP = '', hostPort = 0 }, index) => {
      if (hostPort === 0) return;
      const address = `${protocol}/${hostIP}/${hostPort}`;
      const at = `${field}[${container}].ports[${index}].hostPort`;
      if (taken.has(address)) errors.push(duplicate(at, address));
      taken.add(address);
    });
  });
}

/**
 * With the host's network a port of a container is the same port of the host. The ports of a
 * template may be left open.
 */
export function checkHostNetworkPorts(
  containers: readonly { readonly ports?: ContainerPort[] }[],
  isPod: boolean,
  field: string,
  errors: FieldError[],
): void {
  const isNewer = ownRelease().has('openHostPorts');
  containers.forEach(({ ports = [] }, container) => {
    ports.forEach(({ hostPort = 0, containerPort = 0 }, index) => {
      if (hostPort === containerPort) return;
      if (isNewer) {
        if (!isPod && hostPort === 0) return;
        const path = `${field}[${container}].ports[${index}].hostPort`;
        const what = 'must match `containerPort` when `hostNetwork` is true';
        errors.push(invalid(path, hostPort, what));
        return;
      }
      const at = `${field}[${container}].ports[${index}].containerPort`;
      const detail = 'must match `hostPort` when `hostNetwork` is true';
      errors.push(invalid(at, containerPort, detail));
    });
  });
}
