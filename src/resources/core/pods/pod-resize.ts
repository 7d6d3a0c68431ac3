/** The subresource `resize`: it changes what a pod asks for, while it runs. */
import type {
  Container,
  EmptyDirVolumeSource,
  Pod,
  PodSpec,
  ResourceRequirements,
  Volume,
} from '#messages/core.v1';
import { deepEqual } from '../../../base/deep-equal.ts';
import { compareQuantities, quantitySign } from '../../../codec/leaves/quantity.ts';
import type { FeatureGates } from '../../../release/feature-gates.ts';
import { ownRelease } from '../../../release/release.ts';
import { fieldForbidden, invalid, type FieldError } from '../../../semantics/errors/field-error.ts';
import type { KindPart } from '../../kind.ts';
import type { ResourceList } from '../resource-names.ts';
import { isSidecar } from './containers/restart-policy.ts';
import { MIRROR_ANNOTATION } from './pod-annotations.ts';
import {
  applyLateResourceDefaults,
  defaultsPodResourcesLate,
  keepPodResources,
} from './pod-resources.ts';
import { qosClass } from './pod-qos.ts';

const LISTS = ['containers', 'initContainers'] as const;
const RESIZED = ['cpu', 'memory'];
const OF_VOLUMES = 'InPlacePodVerticalScalingMemoryBackedVolumes';
const OF_WHOLE_PODS = 'InPlacePodLevelResourcesVerticalScaling';

export const RESIZE: KindPart<Pod> = {
  gate: 'InPlacePodVerticalScaling',
  readable: true,
  ...(ownRelease().has('ownersOfPodParts') && { ownsSent: true }),
  countsChanges: true,

  merge({ spec = {} }, stored, gates) {
    const { spec: before = {} } = stored;
    if (!ownRelease().has('resizesOfSidecars')) return withProposal(spec, stored);
    // Containers that come, go or have other names are refused later.
    if (LISTS.some((list) => (spec[list] ?? []).length !== (before[list] ?? []).length)) {
      stored.spec = spec;
      return stored;
    }
    const merged = { ...before };
    for (const list of LISTS) {
      if (spec[list] !== undefined) merged[list] = withResources(spec[list], before[list] ?? []);
    }
    if (gates.has(OF_WHOLE_PODS)) {
      if (spec.resources === undefined) delete merged.resources;
      else merged.resources = spec.resources;
      keepPodResources(merged, before, gates);
      if (merged.resources !== undefined && defaultsPodResourcesLate(gates)) {
        applyLateResourceDefaults(merged);
      }
    }
    if (gates.has(OF_VOLUMES)) {
      if (spec.volumes === undefined) delete merged.volumes;
      else merged.volumes = spec.volumes;
    }
    stored.spec = merged;
    return stored;
  },

  validateUpdate(object, stored, gates) {
    const { spec = {} } = object;
    const { spec: before = {}, metadata, status = {} } = stored;
    if (metadata.annotations?.[MIRROR_ANNOTATION] !== undefined) {
      return [fieldForbidden('', 'static pods cannot be resized')];
    }
    if (before.os?.name === 'windows') {
      return [fieldForbidden('', 'windows pods cannot be resized')];
    }
    const errors: FieldError[] = [];
    if ((status.qosClass ?? qosClass(before, gates)) !== qosClass(spec, gates)) {
      const detail = 'Pod QOS Class may not change as a result of resizing';
      errors.push(invalid('spec', status.qosClass ?? '', detail));
    }
    const running = status.containerStatuses?.find(({ state }) => state?.running !== undefined);
    if (running !== undefined && running.resources === undefined) {
      errors.push(fieldForbidden('spec', 'Pod running on node without support for resize'));
    }
    const { nodeAllocatableResourceClaimStatuses: taken = [] } = status;
    if (taken.length > 0 && !ownRelease().has('resizesBesideClaims')) {
      const detail = 'pods with node allocatable resource claims cannot be resized';
      errors.push(fieldForbidden('spec', detail));
    }
    if (hasResources(spec) || hasResources(before)) {
      if (!ownRelease().has('resizesOfWholePods')) {
        return [fieldForbidden('', 'pods with pod-level resources cannot be resized')];
      }
      if (!gates.has(OF_WHOLE_PODS)) {
        const detail =
          'resize of pods with pod-level resources is forbidden when ' +
          'InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled';
        errors.push(fieldForbidden('', detail));
        return errors;
      }
      checkWholePod(spec.resources, before.resources, errors);
    }
    if (!ownRelease().has('resizesOfSidecars')) {
      checkProposal(spec.containers, before.containers, errors);
      return errors;
    }
    if (!checkOrder(spec, before, errors)) return errors;
    checkContainers(spec, before, gates, errors);
    if (gates.has(OF_VOLUMES)) checkVolumes(spec.volumes, before.volumes, errors);
    return errors;
  },
};

/** The first release that resizes pods looks at containers of the same names alone. */
function withProposal({ containers: sent = [] }: PodSpec, stored: Pod): Pod {
  const { containers: then = [] } = stored.spec ?? {};
  const containers = then.map((container) => {
    const { resources, resizePolicy } =
      sent.findLast(({ name }) => name === container.name) ?? container;
    const { resources: _resources, resizePolicy: _policy, ...rest } = container;
    return { ...rest, ...(resources && { resources }), ...(resizePolicy && { resizePolicy }) };
  });
  const isProposed = containers.some(
    ({ resources }, index) =>
      resources?.requests !== undefined && !deepEqual(resources, then[index]?.resources),
  );
  const status = { ...stored.status, ...(isProposed && { resize: 'Proposed' }) };
  return { ...stored, spec: { ...stored.spec, containers }, status };
}

/** Resources that a container had none of may come. */
function checkProposal(
  containers: readonly Container[] = [],
  stored: readonly Container[] = [],
  errors: FieldError[],
): void {
  containers.forEach(({ resources }, index) => {
    const { resources: then } = stored[index] ?? {};
    checkKept(resources, then, `spec.containers[${index}].resources`, 'resource', errors);
  });
  const isRefused = containers.some(({ resources: now = {} }, index) => {
    const { resources: then = {} } = stored[index] ?? {};
    if ((then.claims ?? []).length > 0) return true;
    return (['requests', 'limits'] as const).some(
      (kind) => then[kind] !== undefined && !deepEqual(others(now[kind]), others(then[kind])),
    );
  });
  // The reference goes on with the difference, in a text that it makes anew each time.
  if (isRefused) errors.push(fieldForbidden('spec', 'only cpu and memory resources are mutable'));
}

/** The stored containers with the resources of the new ones. */
function withResources(containers: Container[], stored: readonly Container[]): Container[] {
  if (containers.some(({ name }, index) => name !== stored[index]?.name)) return containers;
  return containers.map(({ resources, resizePolicy }, index) => {
    const { resources: _resources, resizePolicy: _policy, ...rest } = stored[index] ?? {};
    return {
      ...rest,
      ...(resources !== undefined && { resources }),
      ...(resizePolicy !== undefined && { resizePolicy }),
    };
  });
}

function hasResources({ resources: { requests = {}, limits = {} } = {} }: PodSpec): boolean {
  return Object.keys(requests).length + Object.keys(limits).length > 0;
}

function checkWholePod(
  now: ResourceRequirements | undefined,
  then: ResourceRequirements | undefined,
  errors: FieldError[],
): void {
  if (then !== undefined && now === undefined) {
    errors.push(fieldForbidden('spec.resources', 'pod-level resources cannot be removed'));
    return;
  }
  if (then !== undefined) checkKept(now, then, 'spec.resources', 'pod-level resource', errors);
  if (deepEqual(fixed(now), fixed(then))) return;
  const detail = 'only cpu and memory resources are mutable at pod-level';
  errors.push(fieldForbidden('spec', detail));
}

/** A resource may become more or less, but does not go. */
function checkKept(
  now: ResourceRequirements = {},
  then: ResourceRequirements = {},
  field: string,
  what: string,
  errors: FieldError[],
): void {
  for (const kind of ['requests', 'limits'] as const) {
    const names = Object.keys(then[kind] ?? {});
    if (names.every((name) => now[kind]?.[name] !== undefined)) continue;
    errors.push(fieldForbidden(`${field}.${kind}`, `${what} ${kind} cannot be removed`));
  }
}

/** No resize changes these. */
function fixed({ requests, limits, claims = [] }: ResourceRequirements = {}): object {
  return { requests: others(requests), limits: others(limits), claims };
}

function others(amounts: ResourceList = {}): object {
  return Object.fromEntries(Object.entries(amounts).filter(([name]) => !RESIZED.includes(name)));
}

/** False when containers came, went or have other names. */
function checkOrder(spec: PodSpec, stored: PodSpec, errors: FieldError[]): boolean {
  const before = errors.length;
  for (const list of LISTS) {
    const { [list]: now = [] } = spec;
    const { [list]: then = [] } = stored;
    if (now.length !== then.length) {
      const detail = `${list} may not be added or removed on resize`;
      errors.push(fieldForbidden(`spec.${list}`, detail));
      continue;
    }
    then.forEach(({ name }, index) => {
      if (now[index]?.name === name) return;
      const detail = `${list} may not be renamed or reordered on resize`;
      errors.push(fieldForbidden(`spec.${list}[${index}].name`, detail));
    });
  }
  return errors.length === before;
}

function checkContainers(
  spec: PodSpec,
  stored: PodSpec,
  gates: FeatureGates,
  errors: FieldError[],
): void {
  const resizesAll = gates.has('InPlacePodVerticalScalingInitContainers');
  const resizes = (container: Container): boolean => resizesAll || isSidecar(container);
  for (const list of ['initContainers', 'containers'] as const) {
    stored[list]?.forEach((then, index) => {
      if (list === 'initContainers' && !resizes(then)) return;
      const now = spec[list]?.[index] ?? {};
      const field = `spec.${list}[${index}].resources`;
      checkKept(now.resources, then.resources, field, 'resource', errors);
      if (ownRelease().has('fixedMemoryLimits')) checkMemoryLimit(now, then, field, errors);
    });
  }
  spec.containers?.forEach((now, index) => {
    if (isSameButResized(now, stored.containers?.[index])) return;
    errors.push(fieldForbidden('spec', 'only cpu and memory resources are mutable'));
  });
  spec.initContainers?.forEach((now, index) => {
    const then = stored.initContainers?.[index] ?? {};
    const at = `spec.initContainers[${index}]`;
    const isChanged = !deepEqual(now, then);
    if (!resizes(now)) {
      const detail = 'resources for non-sidecar init containers are immutable';
      if (isChanged) errors.push(fieldForbidden('spec', detail));
      return;
    }
    if (!isSameButResized(now, then)) {
      const of = resizesAll ? 'init or sidecar' : 'sidecar';
      const detail = `only cpu and memory resources for ${of} containers are mutable`;
      errors.push(fieldForbidden(at, detail));
    }
    if (!isChanged || isSidecar(now)) return;
    for (const { restartPolicy } of now.resizePolicy ?? []) {
      if (restartPolicy !== 'RestartContainer') continue;
      const detail =
        'non-sidecar init containers with a resize policy of RestartContainer cannot be resized';
      errors.push(fieldForbidden(at, detail));
    }
  });
}

/** A limit of memory becomes less, or comes, only where the container is restarted for it. */
function checkMemoryLimit(
  { resources: now, resizePolicy = [] }: Container,
  { resources: then }: Container,
  field: string,
  errors: FieldError[],
): void {
  const policy = resizePolicy.find(({ resourceName }) => resourceName === 'memory');
  const limit = now?.limits?.['memory'];
  if (policy?.restartPolicy === 'RestartContainer' || limit === undefined) return;
  const before = then?.limits?.['memory'];
  if (before !== undefined && compareQuantities(limit, before) >= 0) return;
  const what = before === undefined ? 'added' : 'decreased';
  const detail = `memory limits cannot be ${what} unless resizePolicy is RestartContainer`;
  errors.push(fieldForbidden(`${field}.limits[memory]`, detail));
}

/** Only the size of a volume in memory changes. */
function checkVolumes(
  volumes: readonly Volume[] = [],
  stored: readonly Volume[] = [],
  errors: FieldError[],
): void {
  const list = 'spec.volumes';
  if (volumes.length !== stored.length) {
    errors.push(fieldForbidden(list, 'volumes may not be added or removed on resize'));
    return;
  }
  stored.forEach((then, index) => {
    const now = volumes[index] ?? {};
    const field = `${list}[${index}]`;
    if (now.name !== then.name) {
      const detail = 'volumes may not be renamed or reordered on resize';
      errors.push(fieldForbidden(`${field}.name`, detail));
    } else if (!deepEqual(withoutSize(now), withoutSize(then))) {
      const detail = 'only sizeLimit of memory-backed emptyDir volumes is mutable on resize';
      errors.push(fieldForbidden(field, detail));
    } else if (now.emptyDir && then.emptyDir) {
      checkSize(now.emptyDir, then.emptyDir, `${field}.emptyDir.sizeLimit`, errors);
    }
  });
}

function withoutSize(volume: Volume): Volume {
  if (volume.emptyDir === undefined) return volume;
  const { sizeLimit: _size, ...emptyDir } = volume.emptyDir;
  return { ...volume, emptyDir };
}

function checkSize(
  { sizeLimit: now = '0', medium }: EmptyDirVolumeSource,
  { sizeLimit: then = '0' }: EmptyDirVolumeSource,
  field: string,
  errors: FieldError[],
): void {
  if ((quantitySign(now) === 0) !== (quantitySign(then) === 0)) {
    const detail = 'adding or removing sizeLimit on an existing volume is not allowed';
    errors.push(fieldForbidden(field, detail));
  } else if (compareQuantities(now, then) !== 0 && medium !== 'Memory') {
    const detail = 'sizeLimit is only mutable for memory-backed emptyDir volumes';
    errors.push(fieldForbidden(field, detail));
  }
}

function isSameButResized(now: Container, then: Container = {}): boolean {
  const { resources, ...rest } = now;
  const { resources: before, ...restBefore } = then;
  return deepEqual(rest, restBefore) && deepEqual(fixed(resources), fixed(before));
}
