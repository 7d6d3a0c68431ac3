/** Drops members of pods whose feature is off, unless the stored pod uses them already. */
import type { Container, PodSpec } from '#messages/core.v1';
import { dropDisabledMember } from '../../disabled-members.ts';
import { ownRelease } from '../../../release/release.ts';
import type { FeatureGates } from '../../../release/feature-gates.ts';
import { isSidecar } from './containers/restart-policy.ts';
import { forEachContainer } from './containers/containers.ts';

const DEFAULT_PROC_MOUNT = 'Default';
/** The probes that may have a grace period of their own. */
const PROBES = ['livenessProbe', 'startupProbe'] as const;

/** Drops them from the specification of a pod or a template, in place; `stored` is the old one. */
export function dropDisabledPodFields(
  spec: PodSpec | undefined,
  stored: PodSpec | undefined,
  gates: FeatureGates,
): void {
  if (spec === undefined) return;
  dropDisabledMember(gates, 'PodOverhead', spec, stored, 'overhead');
  if (!gates.has('NonPreemptingPriority') && !hasPriority(stored)) delete spec.preemptionPolicy;
  if (!gates.has('IdentifyPodOS') && stored?.os === undefined) delete spec.os;
  const mapsUsers =
    gates.has('UserNamespacesSupport') || gates.has('UserNamespacesStatelessPodsSupport');
  if (!mapsUsers && stored?.hostUsers === undefined) delete spec.hostUsers;
  if (!gates.has('SidecarContainers') && stored?.initContainers?.some(isSidecar) !== true) {
    for (const container of spec.initContainers ?? []) delete container.restartPolicy;
  }
  if (HAS_STOP_SIGNALS && !gates.has('ContainerStopSignals') && !uses(stored, hasStopSignal)) {
    forEachContainer(spec, '', dropStopSignal);
  }
  const dropsGrace = !gates.has('ProbeTerminationGracePeriod') && !uses(stored, hasProbeGrace);
  const dropsProcMount = !gates.has('ProcMountType') && !uses(stored, hasProcMount);
  if (!dropsGrace && !dropsProcMount) return;
  forEachContainer(spec, '', (container) => {
    if (dropsGrace) dropProbeGrace(container);
    const { securityContext } = container;
    // Objects of old servers have this member: it stays, with its value while the feature is off.
    if (dropsProcMount && securityContext?.procMount !== undefined) {
      securityContext.procMount = DEFAULT_PROC_MOUNT;
    }
  });
}

function hasPriority({ priority, priorityClassName = '' }: PodSpec = {}): boolean {
  return priority !== undefined || priorityClassName !== '';
}

function uses(spec: PodSpec | undefined, has: (container: Container) => boolean): boolean {
  let found = false;
  if (spec) forEachContainer(spec, '', (container) => (found ||= has(container)));
  return found;
}

function hasProbeGrace(container: Container): boolean {
  return PROBES.some((probe) => container[probe]?.terminationGracePeriodSeconds !== undefined);
}

function dropProbeGrace(container: Container): void {
  for (const probe of PROBES) delete container[probe]?.terminationGracePeriodSeconds;
}

function hasProcMount({ securityContext: { procMount } = {} }: Container): boolean {
  return procMount !== undefined && procMount !== DEFAULT_PROC_MOUNT;
}

const HAS_STOP_SIGNALS = ownRelease().has('stopSignals');

function hasStopSignal({ lifecycle }: Container): boolean {
  return lifecycle?.stopSignal !== undefined;
}

/** With the handlers of the container, where there are none. */
function dropStopSignal(container: Container): void {
  const { lifecycle } = container;
  if (lifecycle?.stopSignal === undefined) return;
  delete lifecycle.stopSignal;
  if (Object.keys(lifecycle).length === 0) delete container.lifecycle;
}
