/** Rules for the cluster IPs of a service and their families (API-FACTS 14.2). */
import {
  duplicate,
  invalid,
  invalidPrinted,
  printStrings,
  required,
  type FieldError,
} from '../../semantics/field-error.ts';
import { parseIp } from '../../semantics/ip-address.ts';
import { checkIp } from '../../semantics/network-validation.ts';
import {
  isHeadless,
  isHeadlessWithoutSelector,
  needsClusterIp,
  NO_CLUSTER_IP,
  type ServiceSpec,
} from './service-spec.ts';

const FIELD = 'spec.clusterIPs';
const FAMILIES_FIELD = 'spec.ipFamilies';
const POLICY_FIELD = 'spec.ipFamilyPolicy';
const FAMILY_TYPE = 'core.IPFamily';
const UNCHANGEABLE = 'may not change once set';

/** Adds what is wrong with the cluster IPs of a service that has some. */
export function checkClusterIps(spec: ServiceSpec, errors: FieldError[]): void {
  if (!needsClusterIp(spec)) return;
  const before = errors.length;
  checkBothForms(spec, errors);
  const seen = new Set<string>();
  spec.ipFamilies?.forEach((family, index) => {
    if (seen.has(family)) errors.push(duplicate(`${FAMILIES_FIELD}[${index}]`, family));
    seen.add(family);
  });
  if (!checkAddresses(spec.clusterIPs ?? [], errors)) return;
  checkFamilies(spec, errors);
  if (errors.length === before) checkConfigured(spec, errors);
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

/** Whether all of them can be compared with one another, and with families. */
function checkAddresses(clusterIps: readonly string[], errors: FieldError[]): boolean {
  const before = errors.length;
  clusterIps.forEach((clusterIp, index) => {
    if (index > 0 || clusterIp !== NO_CLUSTER_IP) {
      checkIp(clusterIp, `${FIELD}[${index}]`, errors);
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

/** What a cluster with IPv4 service addresses only cannot give. */
function checkConfigured(spec: ServiceSpec, errors: FieldError[]): void {
  const { clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = spec;
  const before = errors.length;
  if (ipFamilyPolicy === 'SingleStack') {
    for (const [count, what] of [
      [clusterIPs.length, 'cluster IPs'],
      [ipFamilies.length, 'IP families'],
    ] as const) {
      if (count !== 2) continue;
      const detail =
        "must be 'RequireDualStack' or 'PreferDualStack' when multiple " + `${what} are specified`;
      errors.push(invalid(POLICY_FIELD, ipFamilyPolicy, detail));
    }
  }
  clusterIPs.forEach((clusterIp, index) => {
    if (index < ipFamilies.length || parseIp(clusterIp)?.family !== 'IPv6') return;
    const detail = 'IPv6 is not configured on this cluster';
    errors.push(invalidPrinted(`${FIELD}[${index}]`, printStrings(clusterIPs), detail));
  });
  if (errors.length > before || isHeadlessWithoutSelector(spec)) return;
  if (ipFamilyPolicy === 'RequireDualStack') {
    const detail = 'this cluster is not configured for dual-stack services';
    errors.push(invalid(POLICY_FIELD, ipFamilyPolicy, detail));
  }
  ipFamilies.forEach((family, index) => {
    if (family !== 'IPv6') return;
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
  { clusterIPs = [] }: ServiceSpec,
  { clusterIPs: stored = [] }: ServiceSpec,
  errors: FieldError[],
): void {
  stored.forEach((clusterIp, index) => {
    if (clusterIp === clusterIPs[index]) return;
    errors.push(invalidPrinted(`${FIELD}[${index}]`, printStrings(clusterIPs), UNCHANGEABLE));
  });
}

function checkSameFamilies(
  { ipFamilies = [] }: ServiceSpec,
  { ipFamilies: stored = [] }: ServiceSpec,
  errors: FieldError[],
): void {
  stored.forEach((family, index) => {
    if (family === ipFamilies[index]) return;
    const printed = printStrings(ipFamilies, FAMILY_TYPE);
    errors.push(invalidPrinted(`${FAMILIES_FIELD}[0]`, printed, UNCHANGEABLE));
  });
}
