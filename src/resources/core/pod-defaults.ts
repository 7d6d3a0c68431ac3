/** Defaults of a pod spec that depend on its other fields (API-FACTS 13.3). */
import { textMap } from '../../base/text-map.ts';
import type { Container } from './container.ts';
import type { PodSpec } from './pod-spec.ts';
import { applyVolumeDefaults } from './volume.ts';

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

/** What pods get and templates of pods do not. */
export function applyPodOnlyDefaults(spec: PodSpec): void {
  for (const container of spec.containers ?? []) setRequests(container);
  for (const container of spec.initContainers ?? []) setRequests(container);
  spec.enableServiceLinks ??= true;
}

function setPullPolicy(container: Container): void {
  if ((container.imagePullPolicy ?? '') !== '') return;
  container.imagePullPolicy = isLatest(container.image ?? '') ? 'Always' : 'IfNotPresent';
}

function setHostPorts({ ports = [] }: Container): void {
  for (const port of ports) {
    if ((port.hostPort ?? 0) === 0 && port.containerPort !== undefined) {
      port.hostPort = port.containerPort;
    }
  }
}

/** What may be used at most is what is asked for, unless that is said. */
function setRequests({ resources }: Container): void {
  if (resources?.limits === undefined) return;
  resources.requests ??= textMap();
  for (const resource in resources.limits) {
    resources.requests[resource] ??= resources.limits[resource] ?? '0';
  }
}

/** The account has an old name and a new one, which say the same; the new one counts. */
function nameServiceAccountTwice(spec: PodSpec): void {
  const account = spec.serviceAccountName || spec.serviceAccount;
  if (!account) return;
  spec.serviceAccountName = account;
  spec.serviceAccount = account;
}

/** Whether an image names no fixed content: the tag `latest`, or neither a tag nor a digest. */
function isLatest(image: string): boolean {
  const at = image.indexOf('@');
  const name = at < 0 ? image : image.slice(0, at);
  const lastPart = name.slice(name.lastIndexOf('/') + 1);
  const colon = lastPart.indexOf(':');
  return colon < 0 ? at < 0 : lastPart.slice(colon + 1) === 'latest';
}
