/** Members of a pod that its operating system does not have (README.md#pods). */
import type { PodSecurityContext, PodSpec, SecurityContext } from '#messages/core.v1';
import {
  fieldForbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { ownRelease } from '../../../release/release.ts';
import { forEachContainer } from './containers/containers.ts';

const SYSTEMS = ['linux', 'windows'];

const NOT_ON_WINDOWS_SPEC = ['hostPID', 'hostIPC', 'shareProcessNamespace'] as const;
const NOT_ON_WINDOWS_POD: readonly (keyof PodSecurityContext)[] = [
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'appArmorProfile',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy',
];
const NOT_ON_WINDOWS_CONTAINER: readonly (keyof SecurityContext)[] = [
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
  'appArmorProfile',
];

/** Adds the problems of a specification with an operating system. */
export function checkOs(spec: PodSpec, field: string, errors: FieldError[]): void {
  if (spec.os === undefined) return;
  const { name = '' } = spec.os;
  if (name === '') {
    const detail = ownRelease().has('devicesOfUserNamespaces') ? '' : 'cannot be empty';
    errors.push(required(`${field}.os.name`, detail));
  } else if (!SYSTEMS.includes(name)) {
    errors.push(notSupported(`${field}.os`, name, SYSTEMS));
  } else if (name === 'linux') {
    checkLinux(spec, field, errors);
  } else {
    checkWindows(spec, field, errors);
  }
}

function checkLinux(spec: PodSpec, field: string, errors: FieldError[]): void {
  const detail = 'windows options cannot be set for a linux pod';
  if (spec.securityContext?.windowsOptions !== undefined) {
    errors.push(fieldForbidden(`${field}.securityContext.windowsOptions`, detail));
  }
  forEachContainer(spec, field, ({ securityContext }, at) => {
    if (securityContext?.windowsOptions === undefined) return;
    errors.push(fieldForbidden(`${at}.securityContext.windowsOptions`, detail));
  });
}

function checkWindows(spec: PodSpec, field: string, errors: FieldError[]): void {
  const { securityContext: context = {} } = spec;
  const refuse = (members: readonly string[], at: string): void => {
    for (const member of members) {
      errors.push(fieldForbidden(`${at}.${member}`, 'cannot be set for a windows pod'));
    }
  };
  const set = NOT_ON_WINDOWS_POD.filter((member) => context[member] !== undefined);
  refuse(set, `${field}.securityContext`);
  if (spec.hostUsers !== undefined) refuse(['hostUsers'], field);
  refuse(
    NOT_ON_WINDOWS_SPEC.filter((member) => spec[member] === true),
    field,
  );
  forEachContainer(spec, field, ({ securityContext = {} }, at) => {
    const members = NOT_ON_WINDOWS_CONTAINER;
    refuse(
      members.filter((member) => securityContext[member] !== undefined),
      `${at}.securityContext`,
    );
  });
}

/** Containers with the rights of the node itself: all of a pod or none, in the node's network. */
export function checkHostProcess(spec: PodSpec, field: string, errors: FieldError[]): void {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  if (ofPod === undefined && !hasWindowsOptions(spec)) return;
  let total = 0;
  let ofHost = 0;
  forEachContainer(spec, field, ({ securityContext }, at) => {
    const own = securityContext?.windowsOptions?.hostProcess;
    total += 1;
    if (own ?? ofPod) ofHost += 1;
    if (own === undefined || ofPod === undefined || own === ofPod) return;
    const detail = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
    errors.push(invalid(`${at}.securityContext.windowsOptions.hostProcess`, own, detail));
  });
  if (ofHost === 0) return;
  if (ofHost !== total) {
    const detail =
      'If pod contains any hostProcess containers then all containers must be ' +
      'HostProcess containers';
    errors.push(invalid(field, '', detail));
  }
  if (spec.hostNetwork === true) return;
  const detail = 'hostNetwork must be true if pod contains any hostProcess containers';
  errors.push(invalid(`${field}.hostNetwork`, false, detail));
}

function hasWindowsOptions(spec: PodSpec): boolean {
  let found = false;
  forEachContainer(spec, '', ({ securityContext }) => {
    found ||= securityContext?.windowsOptions !== undefined;
  });
  return found;
}
