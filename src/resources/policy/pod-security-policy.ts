/** PodSecurityPolicy (README.md#policy). */
import type {
  PodSecurityPolicy,
  PodSecurityPolicySpec,
  RunAsUserStrategyOptions,
} from '#messages/policy.v1beta1';
import {
  addProblems,
  duplicate,
  invalid,
  invalidPrinted,
  notSupported,
  printStrings,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { dnsSubdomain } from '../../semantics/metadata/names.ts';
import { checkNoBacksteps } from '../core/volumes/volume-source-rules.ts';
import { defineKind } from '../kind.ts';
import { POD_SECURITY_POLICY_PRINTER } from './pod-security-policy-printer.ts';
import { checkSysctls } from './sysctl-patterns.ts';

const ANY = '*';
const PROC_MOUNT_TYPES = ['Default', 'Unmasked'] as const;
const USER_RULES = ['MustRunAs', 'MustRunAsNonRoot', 'RunAsAny'] as const;
const GROUP_RULES = ['MayRunAs', 'MustRunAs', 'RunAsAny'] as const;
/** In the order in which they are told. */
const RUN_AS_GROUP_RULES = ['MustRunAs', 'RunAsAny', 'MayRunAs'] as const;
const STRATEGIES: readonly (readonly [
  'seLinux' | 'supplementalGroups' | 'fsGroup',
  readonly string[],
])[] = [
  ['seLinux', ['MustRunAs', 'RunAsAny']],
  ['supplementalGroups', GROUP_RULES],
  ['fsGroup', GROUP_RULES],
];

export const POD_SECURITY_POLICY = defineKind<PodSecurityPolicy>({
  group: 'policy',
  version: 'v1beta1',
  kind: 'PodSecurityPolicy',
  plural: 'podsecuritypolicies',
  shortNames: ['psp'],
  namespaced: false,
  message: 'policy.v1beta1.PodSecurityPolicy',
  nameRule: 'dnsSubdomain',
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'object',
  freeGenerateName: true,
  checksFinalizerNames: true,
  printer: POD_SECURITY_POLICY_PRINTER,

  dropDisabled({ spec }, gates, stored) {
    if (gates.has('ProcMountType') || stored?.spec?.allowedProcMountTypes !== undefined) return;
    delete spec?.allowedProcMountTypes;
  },

  validate({ spec = {} }) {
    const errors: FieldError[] = [];
    checkStrategy(spec.runAsUser ?? {}, USER_RULES, 'spec.runAsUser', errors);
    // This strategy alone may be absent.
    if (spec.runAsGroup !== undefined) checkRunAsGroup(spec.runAsGroup, errors);
    for (const [member, rules] of STRATEGIES) {
      checkStrategy(spec[member] ?? {}, rules, `spec.${member}`, errors);
    }
    checkCapabilities(spec, errors);
    checkEscalation(spec, errors);
    checkDrivers(spec, errors);
    checkHostPaths(spec, errors);
    checkSysctls(spec.allowedUnsafeSysctls, spec.forbiddenSysctls, errors);
    checkRuntimeClass(spec, errors);
    return errors;
  },
});

function checkStrategy(
  { rule = '', ranges = [] }: RunAsUserStrategyOptions,
  rules: readonly string[],
  field: string,
  errors: FieldError[],
): void {
  if (!rules.includes(rule)) errors.push(notSupported(`${field}.rule`, rule, rules));
  checkRanges(ranges, field, errors);
}

/** Whether there are ranges, and what they are, depends on the rule. */
function checkRunAsGroup(
  { rule = '', ranges = [] }: RunAsUserStrategyOptions,
  errors: FieldError[],
): void {
  const field = 'spec.runAsGroup';
  if (rule === 'RunAsAny') {
    if (ranges.length === 0) return;
    const printed = ranges.map(({ min = 0, max = 0 }) => `policy.IDRange{Min:${min}, Max:${max}}`);
    const all = `[]policy.IDRange{${printed.join(', ')}}`;
    errors.push(invalidPrinted(`${field}.ranges`, all, 'Ranges must be empty'));
  } else if (rule === 'MustRunAs' || rule === 'MayRunAs') {
    if (ranges.length === 0) {
      const detail = 'must provide at least one range';
      errors.push(invalidPrinted(`${field}.ranges`, '[]policy.IDRange(nil)', detail));
    }
    checkRanges(ranges, field, errors);
  } else {
    errors.push(notSupported(`${field}.rule`, rule, RUN_AS_GROUP_RULES));
  }
}

function checkRanges(
  ranges: NonNullable<RunAsUserStrategyOptions['ranges']>,
  field: string,
  errors: FieldError[],
): void {
  ranges.forEach(({ min = 0, max = 0 }, index) => {
    const path = `${field}.ranges[${index}]`;
    if (min < 0) errors.push(invalid(`${path}.min`, min, 'min cannot be negative'));
    if (max < 0) errors.push(invalid(`${path}.max`, max, 'max cannot be negative'));
    if (min > max) errors.push(invalid(`${path}.min`, min, 'min cannot be greater than max'));
  });
}

function checkCapabilities(spec: PodSecurityPolicySpec, errors: FieldError[]): void {
  const {
    requiredDropCapabilities: dropped = [],
    defaultAddCapabilities: added = [],
    allowedCapabilities: allowed = [],
  } = spec;
  if (dropped.length > 0 && allowed.includes(ANY)) {
    const detail = 'must be empty when all capabilities are allowed by a wildcard';
    const printed = printStrings(dropped, 'core.Capability');
    // The reference leaves `spec` out of these paths.
    errors.push(invalidPrinted('requiredDropCapabilities', printed, detail));
  }
  for (const [member, capabilities] of [
    ['defaultAddCapabilities', added],
    ['allowedCapabilities', allowed],
  ] as const) {
    for (const capability of capabilities) {
      if (!dropped.includes(capability)) continue;
      const detail = 'capability is listed in ' + `${member} and requiredDropCapabilities`;
      errors.push(invalid(member, capability, detail));
    }
  }
}

function checkEscalation(spec: PodSecurityPolicySpec, errors: FieldError[]): void {
  if (spec.defaultAllowPrivilegeEscalation !== true) return;
  if (spec.allowPrivilegeEscalation !== false) return;
  const detail =
    'Cannot set DefaultAllowPrivilegeEscalation to true without also setting ' +
    'AllowPrivilegeEscalation to true';
  errors.push(invalid('spec.defaultAllowPrivilegeEscalation', true, detail));
}

/** The reference names these members twice. */
function checkDrivers(spec: PodSecurityPolicySpec, errors: FieldError[]): void {
  spec.allowedFlexVolumes?.forEach(({ driver = '' }, index) => {
    if (driver !== '') return;
    const field = `spec.allowedFlexVolumes.allowedFlexVolumes[${index}].driver`;
    errors.push(required(field, 'must specify a driver'));
  });
  spec.allowedCSIDrivers?.forEach(({ name = '' }, index) => {
    const field = `spec.allowedCSIDrivers.allowedCSIDriver[${index}].name`;
    if (name === '') errors.push(required(field));
    else addProblems(dnsSubdomain(name.toLowerCase()), field, name, errors);
  });
  spec.allowedProcMountTypes?.forEach((type, index) => {
    if (PROC_MOUNT_TYPES.some((one) => one === type)) return;
    errors.push(notSupported(`spec.allowedProcMountTypes[${index}]`, type, PROC_MOUNT_TYPES));
  });
}

function checkHostPaths(
  { allowedHostPaths = [] }: PodSecurityPolicySpec,
  errors: FieldError[],
): void {
  for (const [index, { pathPrefix = '' }] of allowedHostPaths.entries()) {
    const field = `spec.allowedHostPaths[${index}]`;
    if (pathPrefix === '') {
      errors.push(required(field, 'is required'));
      return;
    }
    checkNoBacksteps(pathPrefix, field, errors);
  }
}

function checkRuntimeClass({ runtimeClass }: PodSecurityPolicySpec, errors: FieldError[]): void {
  if (runtimeClass === undefined) return;
  const { allowedRuntimeClassNames: allowed = [], defaultRuntimeClassName } = runtimeClass;
  const field = 'spec.runtimeClass.allowedRuntimeClassNames';
  allowed.forEach((name, index) => {
    const path = `${field}[${index}]`;
    if (name !== ANY) addProblems(dnsSubdomain(name), path, name, errors);
    if (allowed.indexOf(name) < index) errors.push(duplicate(path, name));
  });
  if (defaultRuntimeClassName !== undefined) {
    const path = 'spec.runtimeClass.defaultRuntimeClassName';
    addProblems(dnsSubdomain(defaultRuntimeClassName), path, defaultRuntimeClassName, errors);
    if (!allowed.includes(ANY) && !allowed.includes(defaultRuntimeClassName)) {
      errors.push(required(field, `default "${defaultRuntimeClassName}" must be allowed`));
    }
  }
  if (!allowed.includes(ANY) || allowed.length < 2) return;
  const detail = "if '*' is present, must not specify other RuntimeClass names";
  errors.push(invalidPrinted(field, printStrings(allowed), detail));
}
