/** Checks the security contexts of a pod and its containers (README.md#pods). */
import type {
  PodSecurityContext,
  SeccompProfile,
  SecurityContext,
  WindowsSecurityContextOptions,
} from '#messages/core.v1';
import {
  addProblems,
  duplicate,
  invalid,
  required,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { dnsSubdomain } from '../../../semantics/metadata/names.ts';
import { checkDescendingPath } from '../volumes/volume-paths.ts';

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
  field: string,
  errors: FieldError[],
  stored?: PodSecurityContext,
): void {
  const { sysctls, seccompProfile, windowsOptions } = context;
  const allowSlash = stored?.sysctls?.some(({ name = '' }) => name.includes('/')) === true;
  if (sysctls) checkSysctls(sysctls, allowSlash, `${field}.sysctls`, errors);
  if (seccompProfile) checkSeccomp(seccompProfile, `${field}.seccompProfile`, errors);
  if (windowsOptions) checkWindowsOptions(windowsOptions, `${field}.windowsOptions`, errors);
}

/** Adds the problems of the context of a container at the path `field`. */
export function checkSecurityContext(
  context: SecurityContext,
  field: string,
  errors: FieldError[],
): void {
  const { seccompProfile, windowsOptions, privileged, capabilities } = context;
  if (seccompProfile) checkSeccomp(seccompProfile, `${field}.seccompProfile`, errors);
  if (context.allowPrivilegeEscalation === false) {
    const rule = 'cannot set `allowPrivilegeEscalation` to false and ';
    if (privileged === true) {
      errors.push(invalid(field, context, `${rule}\`privileged\` to true`));
    }
    if (capabilities?.add?.includes('CAP_SYS_ADMIN') === true) {
      errors.push(invalid(field, context, `${rule}\`capabilities.Add\` CAP_SYS_ADMIN`));
    }
  }
  if (windowsOptions) checkWindowsOptions(windowsOptions, `${field}.windowsOptions`, errors);
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
  allowSlash: boolean,
  field: string,
  errors: FieldError[],
): void {
  const names = new Set<string>();
  sysctls.forEach(({ name = '' }, index) => {
    const at = `${field}[${index}].name`;
    if (name === '') {
      errors.push(required(at));
    } else if (name.length > SYSCTL_MAX || !(allowSlash ? SLASHED_SYSCTL : SYSCTL).test(name)) {
      const form = allowSlash ? SLASHED_FORM : SYSCTL_FORM;
      const detail = `must have at most ${SYSCTL_MAX} characters and match regex ${form}`;
      errors.push(invalid(at, name, detail));
    } else if (names.has(name)) {
      errors.push(duplicate(at, name));
    }
    names.add(name);
  });
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
  const problem = runAsUserName === undefined ? '' : userNameProblem(runAsUserName);
  if (problem === '') return;
  errors.push(invalid(`${field}.runAsUserName`, runAsUserName, `runAsUserName${problem}`));
}

/** Either `user` or `domain\user`. */
function userNameProblem(name: string): string {
  if (name === '') return ' cannot be an empty string';
  if (CONTROL_CHARACTER.test(name)) return ' cannot contain control characters';
  const parts = name.split('\\');
  if (parts.length > 2) return ' cannot contain more than one backslash';
  const [user = '', domain] = parts.reverse();
  if (domain !== undefined) {
    if (domain.length > DOMAIN_LENGTH_MAX) {
      return `'s Domain length must be under ${DOMAIN_LENGTH_MAX} characters`;
    }
    if (!NETBIOS_NAME.test(domain) && !DNS_NAME.test(domain)) {
      return "'s Domain doesn't match the NetBios nor the DNS format";
    }
  }
  if (user === '') return "'s User cannot be empty";
  if (user.length > USER_LENGTH_MAX) {
    return `'s User length must not be longer than ${USER_LENGTH_MAX} characters`;
  }
  if (/^[. ]+$/.test(user)) return "'s User cannot contain only periods or spaces";
  if (!USER_FORBIDDEN.test(user)) return '';
  return `'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]`;
}
