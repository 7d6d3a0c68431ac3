/** Warnings about variables and ports that are in the way of each other. */
import type { ContainerPort, EnvVar, PodSpec } from '#messages/core.v1';
import { ownRelease } from '../../../../release/release.ts';
import { forEachContainer } from './containers.ts';

/** With more than these no port is compared: answers have room for few warnings. */
const OTHERS_MAX = 100;
const HIDDEN_END = ownRelease().has('appliedVariables')
  ? ', which may be dropped when using apply'
  : '';

/** About variables that hide an earlier one without referring to it. */
export function warnOfHidden(env: readonly EnvVar[], field: string, warnings: string[]): void {
  const names = new Set<string>();
  env.forEach(({ name = '', value = '', valueFrom }, index) => {
    const reference = `$(${name})`;
    const refers = valueFrom === undefined && value !== reference && value.includes(reference);
    if (names.has(name) && !refers) {
      const what = `hides previous definition of ${JSON.stringify(name)}${HIDDEN_END}`;
      warnings.push(`${field}.env[${index}]: ${what}`);
    }
    names.add(name);
  });
}

/** About ports of the containers of a pod that others have too. */
export function warnOfPorts(spec: PodSpec, field: string, warnings: string[]): void {
  const known = new Map<string, { readonly at: string; readonly port: ContainerPort }[]>();
  forEachContainer(spec, field, ({ ports = [] }, path) => {
    ports.forEach((port, index) => {
      const at = `${path}.ports[${index}]`;
      const { hostIP = '', hostPort = 0, containerPort = 0, protocol = '' } = port;
      if (hostIP !== '' && hostPort === 0) {
        warnings.push(`${at}: hostIP set without hostPort: ${printPort(port)}`);
      }
      const key = `${containerPort}/${protocol}`;
      const others = known.get(key) ?? [];
      for (const other of others) {
        const how = overlap(port, other.port);
        if (how !== '') warnings.push(`${at}: ${how} port definition with ${other.at}`);
      }
      if (others.length < OTHERS_MAX) others.push({ at, port });
      known.set(key, others);
    });
  });
}

function overlap(
  { hostIP = '', hostPort = 0 }: ContainerPort,
  { hostIP: otherIP = '', hostPort: otherPort = 0 }: ContainerPort,
): string {
  if (hostIP === otherIP && hostPort === otherPort) return 'duplicate';
  if (hostPort === 0 || otherPort === 0) return 'overlapping';
  const isOneOpen = (hostIP === '') !== (otherIP === '');
  return hostPort === otherPort && isOneOpen ? 'dangerously ambiguous' : '';
}

/** As the reference prints it: its members by name. */
function printPort(port: ContainerPort): string {
  const { name = '', hostPort = 0, containerPort = 0, protocol = '', hostIP = '' } = port;
  const host = `Name:${name} HostPort:${hostPort}`;
  return `{${host} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
}

/** About names of ports that two containers of a pod have. */
export function warnOfPortNames(spec: PodSpec, field: string, warnings: string[]): void {
  const known = new Map<string, string>();
  forEachContainer(spec, field, ({ ports = [] }, path) => {
    ports.forEach(({ name = '' }, index) => {
      if (name === '') return;
      const at = `${path}.ports[${index}]`;
      const first = known.get(name);
      if (first === undefined) {
        known.set(name, at);
        return;
      }
      const rest = `services and probes that select ports by name will use ${first}`;
      warnings.push(`${at}: duplicate port name ${JSON.stringify(name)} with ${first}, ${rest}`);
    });
  });
}
