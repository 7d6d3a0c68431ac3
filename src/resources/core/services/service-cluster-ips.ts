/** Rules for the cluster IPs of a service and their families (README.md#services). */
import type { ServiceSpec } from '#messages/core.v1';
import {
  duplicate,
  invalid,
  invalidPrinted,
  notSupported,
  printStrings,
  required,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { parseIp } from '../../../semantics/validation/ip-address.ts';
import { checkIp, type AddressRules } from '../../../semantics/validation/network-validation.ts';
import type { ServiceFamilies } from './service-ranges.ts';
import {
  isHeadless,
  isHeadlessWithoutSelector,
  needsClusterIp,
  NO_CLUSTER_IP,
  sameStrings,
} from './service-spec.ts';

const FIELD = 'spec.clusterIPs';
const FAMILIES_FIELD = 'spec.ipFamilies';
const POLICY_FIELD = 'spec.ipFamilyPolicy';
const FAMILY_TYPE = 'core.IPFamily';
const FAMILIES = ['IPv4', 'IPv6'];
const POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
const UNCHANGEABLE = 'may not change once set';

/**
 * Errors that keep a service from getting addresses; they come before all others. `stored` is
 * absent for a new one.
 */
export function clusterIpErrors(
  spec: ServiceSpec,
  stored: ServiceSpec | undefined,
  families: ServiceFamilies,
  rules?: AddressRules,
): FieldError[] {
  const errors: FieldError[] = [];
  if (!needsClusterIp(spec) || staysPreferDual(spec, stored)) return errors;
  checkBothForms(spec, errors);
  checkKnownFamilies(spec, errors);
  if (checkAddresses(spec.clusterIPs ?? [], rules, errors)) checkFamilies(spec, errors);
  if (errors.length === 0) checkPolicy(spec, stored, families, errors);
  if (errors.length === 0 && !isHeadlessWithoutSelector(spec))
    checkConfigured(spec, families, errors);
  return errors;
}

/**
 * Whether the service prefers two families, and the update changes none of its families and
 * addresses.
 */
export function staysPreferDual(spec: ServiceSpec, stored: ServiceSpec | undefined): boolean {
  return (
    stored?.type === spec.type &&
    spec.ipFamilyPolicy === 'PreferDualStack' &&
    (stored?.ipFamilyPolicy ?? 'PreferDualStack') === 'PreferDualStack' &&
    sameStrings(spec.clusterIPs, stored?.clusterIPs) &&
    sameStrings(spec.ipFamilies, stored?.ipFamilies)
  );
}

function checkKnownFamilies({ ipFamilies, ipFamilyPolicy }: ServiceSpec, errors: FieldError[]) {
  const seen = new Set<string>();
  ipFamilies?.forEach((family, index) => {
    const field = `${FAMILIES_FIELD}[${index}]`;
    if (!FAMILIES.includes(family)) errors.push(notSupported(field, family, FAMILIES));
    if (seen.has(family)) errors.push(duplicate(field, family));
    seen.add(family);
  });
  if (ipFamilyPolicy === undefined || POLICIES.includes(ipFamilyPolicy)) return;
  errors.push(notSupported(POLICY_FIELD, ipFamilyPolicy, POLICIES));
}

function checkBothForms({ clusterIP = '', clusterIPs }: ServiceSpec, errors: FieldError[]): void {
  if (clusterIP === '') {
    if (!clusterIPs?.length) return;
    const detail = 'must be empty when `clusterIP` is not specified';
    errors.push(invalidPrinted(FIELD, printStrings(clusterIPs), detail));
  } else if (!clusterIPs?.length) {
    errors.push(required(FIELD));
  } else if (clusterIPs[0] !== clusterIP) {
    const detail = 'first value must match `clusterIP`';
    errors.push(invalidPrinted(FIELD, printStrings(clusterIPs), detail));
  }
}

/** Whether all addresses are valid, so that they can be compared with families. */
function checkAddresses(
  clusterIps: readonly string[],
  rules: AddressRules | undefined,
  errors: FieldError[],
): boolean {
  const before = errors.length;
  clusterIps.forEach((clusterIp, index) => {
    if (index > 0 || clusterIp !== NO_CLUSTER_IP) {
      checkIp(clusterIp, `${FIELD}[${index}]`, errors, rules);
    } else if (clusterIps.length > 1) {
      const detail = `'${NO_CLUSTER_IP}' must be the first and only value`;
      errors.push(invalidPrinted(FIELD, printStrings(clusterIps), detail));
    }
  });
  const comparable = errors.length === before;
  if (clusterIps.length > 2) {
    errors.push(invalidPrinted(FIELD, printStrings(clusterIps), 'may only hold up to 2 values'));
  }
  return comparable;
}

function checkFamilies(spec: ServiceSpec, errors: FieldError[]): void {
  const { clusterIPs = [], ipFamilies = [] } = spec;
  const families = clusterIPs.map((clusterIp) => parseIp(clusterIp)?.family);
  if (clusterIPs.length > 1 && new Set(families).size !== clusterIPs.length) {
    const detail = 'may specify no more than one IP for each IP family';
    errors.push(invalidPrinted(FIELD, printStrings(clusterIPs), detail));
  }
  if (isHeadless(spec)) return;
  clusterIPs.slice(0, ipFamilies.length).forEach((clusterIp, index) => {
    const expected = ipFamilies[index] ?? '';
    if ((expected !== 'IPv4' && expected !== 'IPv6') || families[index] === expected) return;
    const detail = `expected an ${expected} value as indicated by \`ipFamilies[${index}]\``;
    errors.push(invalid(`${FIELD}[${index}]`, clusterIp, detail));
  });
}

/** Whether the policy fits the addresses and families that were sent. */
function checkPolicy(
  { clusterIPs = [], ipFamilies = [], ipFamilyPolicy }: ServiceSpec,
  stored: ServiceSpec | undefined,
  families: ServiceFamilies,
  errors: FieldError[],
): void {
  const refuse = (detail: string): void => {
    errors.push(invalid(POLICY_FIELD, ipFamilyPolicy, detail));
  };
  if (ipFamilyPolicy === 'SingleStack') {
    const mustBe = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
    if (clusterIPs.length === 2) refuse(`${mustBe} cluster IPs are specified`);
    if (ipFamilies.length === 2) refuse(`${mustBe} IP families are specified`);
  } else {
    const mustBe = "must be 'SingleStack' to release the secondary";
    if (isShorter(clusterIPs, stored?.clusterIPs)) refuse(`${mustBe} cluster IP`);
    if (isShorter(ipFamilies, stored?.ipFamilies)) refuse(`${mustBe} IP family`);
  }
  clusterIPs.forEach((clusterIp, index) => {
    const family = parseIp(clusterIp)?.family;
    if (index < ipFamilies.length || family === undefined || families.includes(family)) return;
    const detail = `${family} is not configured on this cluster`;
    errors.push(invalidPrinted(`${FIELD}[${index}]`, printStrings(clusterIPs), detail));
  });
}

function isShorter(values: readonly string[], stored: readonly string[] = []): boolean {
  return values.length > 0 && values.length < stored.length;
}

/** Adds errors for what a cluster with these families of addresses cannot provide. */
function checkConfigured(spec: ServiceSpec, families: ServiceFamilies, errors: FieldError[]): void {
  const { ipFamilies = [], ipFamilyPolicy } = spec;
  if (ipFamilyPolicy === 'RequireDualStack' && families.length < 2) {
    const detail = 'this cluster is not configured for dual-stack services';
    errors.push(invalid(POLICY_FIELD, ipFamilyPolicy, detail));
  }
  ipFamilies.forEach((family, index) => {
    if (families.some((one) => one === family)) return;
    errors.push(invalid(`${FAMILIES_FIELD}[${index}]`, family, 'not configured on this cluster'));
  });
}

/** Cluster IPs and families stay as they are, except while the type is or was ExternalName. */
export function checkClusterIpUpdate(
  spec: ServiceSpec,
  stored: ServiceSpec,
  errors: FieldError[],
): void {
  if (!needsClusterIp(spec) || !needsClusterIp(stored)) return;
  const headless = isHeadless(spec);
  const wasHeadless = isHeadless(stored);
  if (!headless || !wasHeadless) checkSameClusterIps(spec, stored, errors);
  if (!headless && !wasHeadless) checkSameFamilies(spec, stored, errors);
}

function checkSameClusterIps(
  { clusterIPs = [], ipFamilyPolicy }: ServiceSpec,
  { clusterIPs: stored = [] }: ServiceSpec,
  errors: FieldError[],
): void {
  const refuse = (index: number, detail = UNCHANGEABLE): void => {
    errors.push(invalidPrinted(`${FIELD}[${index}]`, printStrings(clusterIPs), detail));
  };
  if (clusterIPs.length === stored.length) {
    stored.forEach((clusterIp, index) => {
      if (clusterIp !== clusterIPs[index]) refuse(index);
    });
    return;
  }
  const [first] = clusterIPs;
  if (first === undefined) refuse(0, 'primary clusterIP can not be unset');
  else if (stored.length > 0 && first !== stored[0]) refuse(0);
  if (clusterIPs.length === 1 && stored.length > 1 && ipFamilyPolicy !== 'SingleStack') {
    const detail = "must be set to 'SingleStack' when releasing the secondary clusterIP";
    errors.push(invalid(POLICY_FIELD, ipFamilyPolicy, detail));
  }
}

function checkSameFamilies(
  { ipFamilies = [], clusterIPs = [], ipFamilyPolicy }: ServiceSpec,
  { ipFamilies: stored = [] }: ServiceSpec,
  errors: FieldError[],
): void {
  const field = `${FAMILIES_FIELD}[0]`;
  if (ipFamilies.length === stored.length) {
    stored.forEach((family, index) => {
      if (family === ipFamilies[index]) return;
      const printed = printStrings(ipFamilies, FAMILY_TYPE);
      errors.push(invalidPrinted(field, printed, UNCHANGEABLE));
    });
    return;
  }
  const isFewer = ipFamilies.length < stored.length;
  if (isFewer && clusterIPs.length === 0) {
    const printed = printStrings(ipFamilies, FAMILY_TYPE);
    errors.push(invalidPrinted(field, printed, 'primary ipFamily can not be unset'));
  }
  if (ipFamilies.length > 0 && stored.length > 0 && ipFamilies[0] !== stored[0]) {
    // As in the reference, addresses are shown.
    errors.push(invalidPrinted(field, printStrings(clusterIPs), UNCHANGEABLE));
  }
  if (isFewer && ipFamilies.length === 1 && ipFamilyPolicy !== 'SingleStack') {
    const detail = "must be set to 'SingleStack' when releasing the secondary ipFamily";
    errors.push(invalid(POLICY_FIELD, ipFamilyPolicy, detail));
  }
}
