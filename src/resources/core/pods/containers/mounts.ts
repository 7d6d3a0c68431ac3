/** Where a container sees the volumes of its pod: as files, or as devices. */
import type { Container, VolumeDevice, VolumeMount } from '#messages/core.v1';
import {
  duplicate,
  fieldForbidden,
  invalid,
  notFound,
  notSupported,
  type FieldError,
} from '../../../../semantics/errors/field-error.ts';
import { checkDescendingPath } from '../../volumes/volume-paths.ts';
import { isClaim, type Volumes } from '../../volumes/volume.ts';

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];
const RECURSIONS = ['Disabled', 'Enabled', 'IfPossible'];
const BIND_OPTIONS = ['nodev', 'noexec', 'nosuid'];

/** `volumes` are the valid volumes of the pod. */
export function checkMounts(
  container: Container,
  volumes: Volumes,
  field: string,
  errors: FieldError[],
): void {
  const { volumeMounts = [], volumeDevices = [] } = container;
  const paths = new Set<string>();
  volumeMounts.forEach((mount, index) => {
    const { name = '', mountPath = '' } = mount;
    const at = `${field}.volumeMounts[${index}]`;
    if (!volumes.has(name)) errors.push(notFound(`${at}.name`, name));
    if (paths.has(mountPath)) errors.push(invalid(`${at}.mountPath`, mountPath, 'must be unique'));
    paths.add(mountPath);
    if (volumeDevices.some(({ name: other = '' }) => other === name)) {
      errors.push(invalid(`${at}.name`, name, 'must not already exist in volumeDevices'));
    }
    if (volumeDevices.some(({ devicePath = '' }) => devicePath === mountPath)) {
      const detail = 'must not already exist as a path in volumeDevices';
      errors.push(invalid(`${at}.mountPath`, mountPath, detail));
    }
    checkMountOptions(mount, container, `${field}.volumeMounts`, index, errors);
    checkRecursion(mount, `${field}.volumeMounts.recursiveReadOnly`, errors);
    checkBindOptions(mount, volumes, `${at}.bindMountOptions`, errors);
  });
  checkDevices(volumeDevices, volumeMounts, volumes, `${field}.volumeDevices`, errors);
}

/** Some of these errors name the whole list, as in the reference. */
function checkMountOptions(
  { subPath = '', subPathExpr = '', mountPropagation }: VolumeMount,
  container: Container,
  field: string,
  index: number,
  errors: FieldError[],
): void {
  if (subPath !== '') checkDescendingPath(subPath, `${field}.subPath`, errors);
  if (subPathExpr !== '') {
    if (subPath !== '') {
      const detail = 'subPathExpr and subPath are mutually exclusive';
      errors.push(invalid(`${field}[${index}].subPathExpr`, subPathExpr, detail));
    }
    checkDescendingPath(subPathExpr, `${field}.subPathExpr`, errors);
  }
  if (mountPropagation === undefined) return;
  const at = `${field}.mountPropagation`;
  if (!PROPAGATIONS.includes(mountPropagation)) {
    errors.push(notSupported(at, mountPropagation, PROPAGATIONS));
  }
  if (mountPropagation === 'Bidirectional' && container.securityContext?.privileged !== true) {
    const detail = 'Bidirectional mount propagation is available only to privileged containers';
    errors.push(fieldForbidden(at, detail));
  }
}

/** Mounts below one are read-only only where it is, and is not passed on. */
function checkRecursion(
  { recursiveReadOnly: mode, readOnly, mountPropagation = 'None' }: VolumeMount,
  field: string,
  errors: FieldError[],
): void {
  if (mode === undefined || mode === 'Disabled') return;
  if (!RECURSIONS.includes(mode)) {
    errors.push(notSupported(field, mode, RECURSIONS));
    return;
  }
  if (readOnly !== true) {
    errors.push(fieldForbidden(field, 'may only be specified when readOnly is true'));
  }
  if (mountPropagation === 'None') return;
  const detail = 'may only be specified when mountPropagation is None or not specified';
  errors.push(fieldForbidden(field, detail));
}

function checkBindOptions(
  { name = '', bindMountOptions = [] }: VolumeMount,
  volumes: Volumes,
  field: string,
  errors: FieldError[],
): void {
  bindMountOptions.forEach((option, index) => {
    const at = `${field}[${index}]`;
    if (!BIND_OPTIONS.includes(option)) errors.push(notSupported(at, option, BIND_OPTIONS));
    if (bindMountOptions.indexOf(option) < index) errors.push(duplicate(at, option));
  });
  if (bindMountOptions.length === 0 || volumes.get(name)?.image === undefined) return;
  const detail = 'bindMountOptions may not be used with image volumes';
  errors.push(invalid(field, bindMountOptions, detail));
}

function checkDevices(
  devices: readonly VolumeDevice[],
  mounts: readonly VolumeMount[],
  volumes: Volumes,
  field: string,
  errors: FieldError[],
): void {
  const names = new Set<string>();
  const paths = new Set<string>();
  devices.forEach(({ name = '', devicePath = '' }, index) => {
    const at = `${field}[${index}]`;
    const volume = volumes.get(name);
    if (names.has(name)) errors.push(invalid(`${at}.name`, name, 'must be unique'));
    if (name !== '') names.add(name);
    if (volume === undefined) {
      errors.push(notFound(`${at}.name`, name));
    } else if (!isClaim(volume)) {
      const detail =
        'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
      errors.push(invalid(`${at}.name`, name, detail));
    }
    const pathProblem = devicePathProblem(devicePath, paths);
    if (pathProblem !== '') errors.push(invalid(`${at}.devicePath`, devicePath, pathProblem));
    paths.add(devicePath);
    if (mounts.some(({ name: other = '' }) => other === name)) {
      errors.push(invalid(`${at}.name`, name, 'must not already exist in volumeMounts'));
    }
    if (mounts.some(({ mountPath = '' }) => mountPath === devicePath)) {
      const detail = 'must not already exist as a path in volumeMounts';
      errors.push(invalid(`${at}.devicePath`, devicePath, detail));
    }
  });
}

function devicePathProblem(path: string, taken: ReadonlySet<string>): string {
  if (taken.has(path)) return 'must be unique';
  return path.split('/').includes('..') ? "can not contain backsteps ('..')" : '';
}
