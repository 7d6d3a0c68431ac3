/** Checks the security contexts of a pod and its containers (README.md#pods). */
import type {
  AppArmorProfile,
  PodSecurityContext,
  PodSpec,
  SeccompProfile,
  SecurityContext,
  WindowsSecurityContextOptions,
} from '#messages/core.v1';
import {
  addProblems,
  duplicate,
  invalid,
  notSupported,
  required,
  tooLong,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { dnsSubdomain } from '../../../semantics/metadata/names.ts';
import { ownRelease } from '../../../release/release.ts';
import { checkDescendingPath } from '../volumes/volume-paths.ts';
import { forEachContainer } from './containers/containers.ts';
import type { ContainerRules } from './containers/container-rules.ts';
import type { PodRules } from '../pod-rules.ts';

const SYSCTL_MAX = 253;
const SYSCTL_SEGMENT = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const SYSCTL_FORM = `(${SYSCTL_SEGMENT}\\.)*${SYSCTL_SEGMENT}`;
/** Names may have slashes too, as they once had. */
const SLASHED_FORM = `(${SYSCTL_SEGMENT}[\\./])*${SYSCTL_SEGMENT}`;
const SYSCTL = new RegExp(`^${SYSCTL_FORM}$`);
const SLASHED_SYSCTL = new RegExp(`^${SLASHED_FORM}$`);
const CREDENTIAL_KIBIBYTES_MAX = 64;
const USER_LENGTH_MAX = 104;
const DOMAIN_LENGTH_MAX = 256;
// oxlint-disable-next-line no-control-regex
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f]/;
const USER_FORBIDDEN = /["/\\:;|=,+*?<>@[\]]/;
const NETBIOS_NAME = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const DNS_NAME =
  /^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?)*$/;

/** Ids and policies are checked by the schema. */
export function checkPodSecurityContext(
  context: PodSecurityContext,
  spec: PodSpec,
  rules: PodRules,
  field: string,
  errors: FieldError[],
): void {
  const { sysctls, seccompProfile, windowsOptions, appArmorProfile } = context;
  if (sysctls) checkSysctls(sysctls, spec, rules, `${field}.sysctls`, errors);
  if (seccompProfile) checkSeccomp(seccompProfile, `${field}.seccompProfile`, errors);
  if (windowsOptions) checkWindowsOptions(windowsOptions, `${field}.windowsOptions`, errors);
  if (appArmorProfile) checkAppArmor(appArmorProfile, `${field}.appArmorProfile`, errors);
  const { seLinuxChangePolicy: policy } = context;
  if (policy !== undefined) {
    checkSeLinuxChange(policy, rules, `${field}.seLinuxChangePolicy`, errors);
  }
}

const SELINUX_CHANGES = ['MountOption', 'Recursive'];

/** Without the feature only what the stored pod has stays. */
function checkSeLinuxChange(
  policy: string,
  { gates, stored }: PodRules,
  field: string,
  errors: FieldError[],
): void {
  const isOff =
    !gates.has('SELinuxMount') &&
    !gates.has('SELinuxChangePolicy') &&
    stored?.securityContext?.seLinuxChangePolicy === undefined;
  const known = isOff ? ['Recursive'] : SELINUX_CHANGES;
  if (!known.includes(policy)) errors.push(notSupported(field, policy, known));
}

const APP_ARMOR_TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const APP_ARMOR_BYTES_MAX = 4095;

/** Adds the problems of a profile of AppArmor at the path `field`. */
export function checkAppArmor(
  { type = '', localhostProfile }: AppArmorProfile,
  field: string,
  errors: FieldError[],
): void {
  const at = `${field}.localhostProfile`;
  if (type === '') {
    errors.push(required(`${field}.type`, 'type is required when appArmorProfile is set'));
  } else if (!APP_ARMOR_TYPES.includes(type)) {
    errors.push(notSupported(`${field}.type`, type, APP_ARMOR_TYPES));
  } else if (type !== 'Localhost') {
    if (localhostProfile === undefined) return;
    errors.push(invalid(at, localhostProfile, 'can only be set when AppArmor type is Localhost'));
  } else if (localhostProfile === undefined) {
    errors.push(required(at, 'must be set when AppArmor type is Localhost'));
  } else {
    checkProfileName(localhostProfile, at, errors);
  }
}

function checkProfileName(name: string, field: string, errors: FieldError[]): void {
  if (name.trim() !== name) {
    errors.push(invalid(field, name, 'must not be padded with whitespace'));
  } else if (name === '') {
    errors.push(required(field, 'must be set when AppArmor type is Localhost'));
  }
  if (Buffer.byteLength(name) > APP_ARMOR_BYTES_MAX) {
    errors.push(tooLong(field, APP_ARMOR_BYTES_MAX));
  }
}

const SYS_ADMIN = 'CAP_SYS_ADMIN';

function addsSysAdmin({ allowPrivilegeEscalation, capabilities }: SecurityContext): boolean {
  return allowPrivilegeEscalation !== true && capabilities?.add?.includes(SYS_ADMIN) === true;
}

/** A pod that has it without escalation keeps it. */
function keepsSysAdmin({ stored }: PodRules): boolean {
  if (stored === undefined || !ownRelease().has('keptSysAdmins')) return false;
  let found = false;
  forEachContainer(stored, '', ({ securityContext }) => {
    found ||= securityContext !== undefined && addsSysAdmin(securityContext);
  });
  return found;
}

/** Adds the problems of the context of a container at the path `field`. */
export function checkSecurityContext(
  context: SecurityContext,
  rules: ContainerRules,
  field: string,
  errors: FieldError[],
): void {
  const { seccompProfile, windowsOptions, privileged, capabilities } = context;
  const { procMount, appArmorProfile } = context;
  const isUnmasked = procMount === 'Unmasked' && rules.spec.hostUsers !== false;
  if (isUnmasked && ownRelease().has('unmaskedUserNamespaces')) {
    const detail = '`hostUsers` must be false to use `Unmasked`';
    errors.push(invalid(`${field}.procMount`, procMount, detail));
  }
  if (seccompProfile) checkSeccomp(seccompProfile, `${field}.seccompProfile`, errors);
  if (context.allowPrivilegeEscalation === false) {
    const rule = 'cannot set `allowPrivilegeEscalation` to false and ';
    if (privileged === true) {
      errors.push(invalid(field, context, `${rule}\`privileged\` to true`));
    }
    if (capabilities?.add?.includes(SYS_ADMIN) === true && !keepsSysAdmin(rules)) {
      errors.push(invalid(field, context, `${rule}\`capabilities.Add\` CAP_SYS_ADMIN`));
    }
  }
  if (windowsOptions) checkWindowsOptions(windowsOptions, `${field}.windowsOptions`, errors);
  if (appArmorProfile) checkAppArmor(appArmorProfile, `${field}.appArmorProfile`, errors);
}

function checkSeccomp(profile: SeccompProfile, field: string, errors: FieldError[]): void {
  const { type = '', localhostProfile } = profile;
  const at = `${field}.localhostProfile`;
  if (type === '') {
    errors.push(required(`${field}.type`, 'type is required when seccompProfile is set'));
  }
  if (type !== 'Localhost') {
    if (localhostProfile === undefined) return;
    errors.push(invalid(at, profile, 'can only be set when seccomp type is Localhost'));
  } else if (localhostProfile === undefined) {
    errors.push(required(at, 'must be set when seccomp type is Localhost'));
  } else {
    checkDescendingPath(localhostProfile, at, errors);
  }
}

function checkSysctls(
  sysctls: readonly { readonly name?: string }[],
  spec: PodSpec,
  { stored }: PodRules,
  field: string,
  errors: FieldError[],
): void {
  const before = stored?.securityContext?.sysctls ?? [];
  const allowSlash =
    ownRelease().has('slashesInSysctls') || before.some(({ name = '' }) => name.includes('/'));
  const shown = ownRelease().has('slashesInSysctls') ? `^${SLASHED_FORM}$` : SLASHED_FORM;
  const checksHost =
    ownRelease().has('sysctlsOfHost') &&
    !before.some(({ name = '' }) => hostSysctlProblem(name, stored ?? {}) !== '');
  const names = new Set<string>();
  sysctls.forEach(({ name = '' }, index) => {
    const at = `${field}[${index}].name`;
    if (name === '') {
      errors.push(required(at));
    } else if (name.length > SYSCTL_MAX || !(allowSlash ? SLASHED_SYSCTL : SYSCTL).test(name)) {
      const form = allowSlash ? shown : SYSCTL_FORM;
      const detail = `must have at most ${SYSCTL_MAX} characters and match regex ${form}`;
      errors.push(invalid(at, name, detail));
    } else if (names.has(name)) {
      errors.push(duplicate(at, name));
    }
    const problem = checksHost ? hostSysctlProblem(name, spec) : '';
    if (problem !== '') errors.push(invalid(at, name, problem));
    names.add(name);
  });
}

const IPC_SYSCTL = /^(?:kernel\.(?:shm|msg)|fs\.mqueue\.|kernel\.sem$)/;

/** A pod in a namespace of its node cannot set what belongs to that namespace. */
function hostSysctlProblem(name: string, { hostNetwork, hostIPC }: PodSpec): string {
  const dotted = dottedSysctl(name);
  if (hostNetwork === true && dotted.startsWith('net.')) {
    return "may not be specified when 'hostNetwork' is true";
  }
  const isIpc = IPC_SYSCTL.test(dotted);
  return hostIPC === true && isIpc ? "may not be specified when 'hostIPC' is true" : '';
}

/** Where a slash comes first, slashes separate parts and dots belong to them. */
function dottedSysctl(name: string): string {
  const first = /[./]/.exec(name)?.[0];
  if (first !== '/') return name;
  return name.replace(/[./]/g, (separator) => (separator === '/' ? '.' : '/'));
}

function checkWindowsOptions(
  {
    gmsaCredentialSpecName: specName,
    gmsaCredentialSpec: spec,
    runAsUserName,
  }: WindowsSecurityContextOptions,
  field: string,
  errors: FieldError[],
): void {
  if (specName !== undefined) {
    addProblems(dnsSubdomain(specName), `${field}.gmsaCredentialSpecName`, specName, errors);
  }
  if (spec === '') {
    const detail = 'gmsaCredentialSpec cannot be an empty string';
    errors.push(invalid(`${field}.gmsaCredentialSpec`, spec, detail));
  } else if (Buffer.byteLength(spec ?? '') > CREDENTIAL_KIBIBYTES_MAX * 1024) {
    const detail = `gmsaCredentialSpec size must be under ${CREDENTIAL_KIBIBYTES_MAX} KiB`;
    errors.push(invalid(`${field}.gmsaCredentialSpec`, spec, detail));
  }
  const problems = runAsUserName === undefined ? [] : userNameProblems(runAsUserName);
  for (const problem of problems) {
    errors.push(invalid(`${field}.runAsUserName`, runAsUserName, `runAsUserName${problem}`));
  }
}

/** Either `user` or `domain\user`. */
function userNameProblems(name: string): readonly string[] {
  if (name === '') return [' cannot be an empty string'];
  if (CONTROL_CHARACTER.test(name)) return [' cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return [' cannot contain more than one backslash'];
  const [user = '', domain] = parts.reverse();
  const problems = domain === undefined ? [] : domainProblems(domain);
  if (user === '') problems.push("'s User cannot be empty");
  if (Buffer.byteLength(user) > USER_LENGTH_MAX) {
    problems.push(`'s User length must not be longer than ${USER_LENGTH_MAX} characters`);
  }
  if (/^[. ]+$/.test(user)) problems.push("'s User cannot contain only periods or spaces");
  if (USER_FORBIDDEN.test(user)) {
    problems.push(`'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]`);
  }
  return problems;
}

function domainProblems(domain: string): string[] {
  const problems: string[] = [];
  if (Buffer.byteLength(domain) >= DOMAIN_LENGTH_MAX) {
    problems.push(`'s Domain length must be under ${DOMAIN_LENGTH_MAX} characters`);
  }
  if (!NETBIOS_NAME.test(domain) && !DNS_NAME.test(domain)) {
    problems.push("'s Domain doesn't match the NetBios nor the DNS format");
  }
  return problems;
}
