/** Checks the status of load balancers, of a service or an ingress. */
import type { LoadBalancerStatus } from '#messages/core.v1';
import { addProblems, invalid, type FieldError } from '../../../semantics/errors/field-error.ts';
import { parseIp } from '../../../semantics/validation/ip-address.ts';
import { dnsSubdomain } from '../../../semantics/metadata/names.ts';

const STATUS_FIELD = 'status.loadBalancer';

/** The errors of the addresses at which load balancers can be reached. */
export function loadBalancerErrors({ ingress = [] }: LoadBalancerStatus = {}): FieldError[] {
  const errors: FieldError[] = [];
  ingress.forEach(({ ip = '', hostname = '' }, index) => {
    const field = `${STATUS_FIELD}.ingress[${index}]`;
    if (ip !== '' && parseIp(ip) === undefined) {
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
