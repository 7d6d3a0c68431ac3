/** Defaults of a pod spec that depend on its other fields (README.md#pods). */
import type { Container, PodSpec, Volume } from '#messages/core.v1';
import { textMap } from '../../../base/text/text-map.ts';
import type { FeatureGates } from '../../../release/feature-gates.ts';
import { ownRelease } from '../../../release/release.ts';
import { forEachContainer } from './containers/containers.ts';
import { applyPodResourceDefaults, defaultsPodResourcesLate } from './pod-resources.ts';
import { isLatestImage } from './containers/image-reference.ts';
import { applyVolumeDefaults } from '../volumes/volume.ts';

const SETS_RESIZE_POLICIES = ownRelease().has('defaultResizePolicies');

/** Sets the defaults in place; schema defaults are already set. */
export function applyPodSpecDefaults(spec: PodSpec, gates: FeatureGates): void {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec;
  for (const list of [initContainers, containers, ephemeralContainers]) {
    for (const container of list) setPullPolicy(container);
  }
  if (spec.hostNetwork === true && setsHostPortsOfTemplates(gates)) setAllHostPorts(spec);
  for (const volume of spec.volumes ?? []) {
    setVolumePullPolicy(volume);
    applyVolumeDefaults(volume);
  }
  nameServiceAccountTwice(spec);
}

/** Defaults that pods have and templates of pods have not. */
export function applyPodOnlyDefaults(spec: PodSpec, gates: FeatureGates): void {
  const { terminationGracePeriodSeconds: seconds = 0 } = spec;
  if (seconds < 0 && ownRelease().has('gracePeriodsAtLeastZero')) {
    spec.terminationGracePeriodSeconds = 1;
  }
  const setsPolicies = SETS_RESIZE_POLICIES && gates.has('InPlacePodVerticalScaling');
  for (const container of spec.containers ?? []) {
    setRequests(container);
    if (setsPolicies) setResizePolicies(container);
  }
  for (const container of spec.initContainers ?? []) setRequests(container);
  if (gates.has('PodLevelResources') && !defaultsPodResourcesLate(gates)) {
    applyPodResourceDefaults(spec);
  }
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork === true && !setsHostPortsOfTemplates(gates)) setAllHostPorts(spec);
  if (gates.has('H2CContainerProbe')) setProbeProtocols(spec);
}

function setPullPolicy(container: Container): void {
  if ((container.imagePullPolicy ?? '') !== '') return;
  container.imagePullPolicy = isLatestImage(container.image ?? '') ? 'Always' : 'IfNotPresent';
}

function setVolumePullPolicy({ image }: Volume): void {
  if (image === undefined || (image.pullPolicy ?? '') !== '') return;
  image.pullPolicy = isLatestImage(image.reference ?? '') ? 'Always' : 'IfNotPresent';
}

/** Whether templates get ports of the host, as older releases give them. */
function setsHostPortsOfTemplates(gates: FeatureGates): boolean {
  if (!ownRelease().has('openHostPorts')) return true;
  return gates.has('DefaultHostNetworkHostPortsInPodTemplates');
}

function setAllHostPorts({ containers = [], initContainers = [] }: PodSpec): void {
  for (const container of initContainers) setHostPorts(container);
  for (const container of containers) setHostPorts(container);
}

/** The protocol is said where it can be another one. */
function setProbeProtocols(spec: PodSpec): void {
  forEachContainer(spec, '', ({ livenessProbe, readinessProbe, startupProbe, lifecycle }) => {
    const handlers = [
      livenessProbe,
      readinessProbe,
      startupProbe,
      lifecycle?.postStart,
      lifecycle?.preStop,
    ];
    for (const handler of handlers) {
      if (handler?.httpGet !== undefined) handler.httpGet.protocol ??= 'HTTP1';
    }
  });
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

/** CPU and memory that a container asks for are resized without a restart. */
function setResizePolicies(container: Container): void {
  const { resources, resizePolicy = [] } = container;
  const unsaid = ['cpu', 'memory'].filter(
    (name) =>
      resources?.requests?.[name] !== undefined &&
      !resizePolicy.some(({ resourceName }) => resourceName === name),
  );
  if (unsaid.length === 0) return;
  const added = unsaid.map((resourceName) => ({ resourceName, restartPolicy: 'NotRequired' }));
  container.resizePolicy = [...resizePolicy, ...added];
}

/** `serviceAccount` is the old name of `serviceAccountName`, which wins. */
function nameServiceAccountTwice(spec: PodSpec): void {
  const account = spec.serviceAccountName || spec.serviceAccount;
  if (!account) return;
  spec.serviceAccountName = account;
  spec.serviceAccount = account;
}
