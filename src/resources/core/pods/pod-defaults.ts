/** Defaults of a pod spec that depend on its other fields (README.md#pods). */
import type { Container, PodSpec } from '#messages/core.v1';
import { textMap } from '../../../base/text/text-map.ts';
import { isLatestImage } from './image-reference.ts';
import { applyVolumeDefaults } from '../volumes/volume.ts';

/** Sets the defaults in place; schema defaults are already set. */
export function applyPodSpecDefaults(spec: PodSpec): void {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec;
  for (const list of [initContainers, containers, ephemeralContainers]) {
    for (const container of list) setPullPolicy(container);
  }
  if (spec.hostNetwork === true) {
    for (const container of initContainers) setHostPorts(container);
    for (const container of containers) setHostPorts(container);
  }
  for (const volume of spec.volumes ?? []) applyVolumeDefaults(volume);
  nameServiceAccountTwice(spec);
}

/** Defaults that pods have and templates of pods have not. */
export function applyPodOnlyDefaults(spec: PodSpec): void {
  for (const container of spec.containers ?? []) setRequests(container);
  for (const container of spec.initContainers ?? []) setRequests(container);
  spec.enableServiceLinks ??= true;
}

function setPullPolicy(container: Container): void {
  if ((container.imagePullPolicy ?? '') !== '') return;
  container.imagePullPolicy = isLatestImage(container.image ?? '') ? 'Always' : 'IfNotPresent';
}

function setHostPorts({ ports = [] }: Container): void {
  for (const port of ports) {
    if ((port.hostPort ?? 0) === 0 && port.containerPort !== undefined) {
      port.hostPort = port.containerPort;
    }
  }
}

/** Requests default to the limits. */
function setRequests({ resources }: Container): void {
  if (resources?.limits === undefined) return;
  resources.requests ??= textMap();
  for (const resource in resources.limits) {
    resources.requests[resource] ??= resources.limits[resource] ?? '0';
  }
}

/** `serviceAccount` is the old name of `serviceAccountName`, which wins. */
function nameServiceAccountTwice(spec: PodSpec): void {
  const account = spec.serviceAccountName || spec.serviceAccount;
  if (!account) return;
  spec.serviceAccountName = account;
  spec.serviceAccount = account;
}
