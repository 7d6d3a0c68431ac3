/** Checks the status of load balancers, of a service or an ingress. */
import type { LoadBalancerIngress, LoadBalancerStatus, Service } from '#messages/core.v1';
import type { FeatureGates } from '../../../release/feature-gates.ts';
import { ownRelease } from '../../../release/release.ts';
import {
  addProblems,
  fieldForbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { ipWarnings } from '../../../semantics/validation/address-warnings.ts';
import { parseIp } from '../../../semantics/validation/ip-address.ts';
import {
  addressRules,
  checkIp,
  type AddressRules,
} from '../../../semantics/validation/network-validation.ts';
import { dnsSubdomain } from '../../../semantics/metadata/names.ts';

const STATUS_FIELD = 'status.loadBalancer';

const IP_MODES = ['Proxy', 'VIP'];

/** The errors of the addresses at which load balancers can be reached. */
export function loadBalancerErrors(
  { ingress = [] }: LoadBalancerStatus = {},
  rules?: AddressRules,
): FieldError[] {
  const errors: FieldError[] = [];
  const readsAlike = ownRelease().has('addressesOneByOne');
  ingress.forEach(({ ip = '', hostname = '' }, index) => {
    const field = `${STATUS_FIELD}.ingress[${index}]`;
    if (ip !== '' && readsAlike) checkIp(ip, `${field}.ip`, errors, rules);
    else if (ip !== '' && parseIp(ip) === undefined) {
      errors.push(invalid(`${field}.ip`, ip, 'must be a valid IP address'));
    }
    if (hostname === '') return;
    addProblems(dnsSubdomain(hostname), `${field}.hostname`, hostname, errors);
    if (parseIp(hostname) === undefined) return;
    const detail = 'must be a DNS name, not an IP address';
    errors.push(invalid(`${field}.hostname`, hostname, detail));
  });
  return errors;
}

/** The rules for the addresses of a status that is to replace a stored one. */
export function statusAddressRules(
  gates: FeatureGates,
  { ingress = [] }: LoadBalancerStatus = {},
): AddressRules {
  return addressRules(
    gates,
    ingress.flatMap(({ ip = '' }) => (ip === '' ? [] : [ip])),
  );
}

/** The errors of the status of a service. */
export function serviceStatusErrors(
  { spec = {}, status }: Service,
  stored: Service,
  gates: FeatureGates,
): FieldError[] {
  const { loadBalancer = {} } = status ?? {};
  const { ingress = [] } = loadBalancer;
  const field = `${STATUS_FIELD}.ingress`;
  const mayBe = spec.type === 'LoadBalancer' || gates.has('AllowServiceLBStatusOnNonLB');
  if (ingress.length > 0 && !mayBe && ownRelease().has('statusOfBalancersAlone')) {
    return [fieldForbidden(field, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  const rules = statusAddressRules(gates, stored.status?.loadBalancer);
  const errors = loadBalancerErrors(loadBalancer, rules);
  ingress.forEach((point, index) => {
    checkIpMode(point, `${field}[${index}]`, gates, errors);
  });
  return errors;
}

function checkIpMode(
  { ip = '', ipMode }: LoadBalancerIngress,
  field: string,
  gates: FeatureGates,
  errors: FieldError[],
): void {
  const modeField = `${field}.ipMode`;
  if (ipMode === undefined) {
    if (ip === '' || !gates.has('LoadBalancerIPMode')) return;
    errors.push(required(modeField, 'must be specified when `ip` is set'));
  } else if (ip === '') {
    errors.push(fieldForbidden(modeField, 'may not be specified when `ip` is not set'));
  } else if (!IP_MODES.includes(ipMode)) {
    errors.push(notSupported(modeField, ipMode, IP_MODES));
  }
}

/** Warnings about the addresses in a status. */
export function balancerWarnings({ ingress = [] }: LoadBalancerStatus = {}): string[] {
  return ingress.flatMap(({ ip = '' }, index) =>
    ipWarnings(ip, `${STATUS_FIELD}.ingress[${index}]`),
  );
}

/** The default of how an address of a load balancer takes in traffic. */
export function applyIpModes({ spec, status }: Service, gates: FeatureGates): void {
  if (spec?.type !== 'LoadBalancer' || !gates.has('LoadBalancerIPMode')) return;
  for (const point of status?.loadBalancer?.ingress ?? []) {
    if (point.ip) point.ipMode ??= 'VIP';
  }
}
