/** How a pod resolves names (README.md#pods). */
import type { HostAlias, PodDNSConfig } from '#messages/core.v1';
import {
  addProblems,
  invalid,
  required,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { parseIp } from '../../../semantics/validation/ip-address.ts';
import { dnsSubdomain } from '../../../semantics/metadata/names.ts';

const NAMESERVERS_MAX = 3;
const SEARCHES_MAX = 6;
const SEARCH_LENGTH_MAX = 256;

/** With the policy `None` a pod has nothing but its configuration, which must name a server. */
export function checkDnsConfig(
  config: PodDNSConfig | undefined,
  policy: string | undefined,
  field: string,
  errors: FieldError[],
): void {
  if (config === undefined) {
    if (policy !== 'None') return;
    errors.push(required(field, 'must provide `dnsConfig` when `dnsPolicy` is None'));
    return;
  }
  const { nameservers = [], searches = [], options = [] } = config;
  if (policy === 'None' && nameservers.length === 0) {
    const detail = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
    errors.push(required(`${field}.nameservers`, detail));
    return;
  }
  checkNameservers(nameservers, `${field}.nameservers`, errors);
  checkSearches(searches, `${field}.searches`, errors);
  options.forEach(({ name = '' }, index) => {
    if (name === '') errors.push(required(`${field}.options[${index}]`, 'must not be empty'));
  });
}

function checkNameservers(servers: readonly string[], field: string, errors: FieldError[]): void {
  if (servers.length > NAMESERVERS_MAX) {
    const detail = `must not have more than ${NAMESERVERS_MAX} nameservers`;
    errors.push(invalid(field, servers, detail));
  }
  servers.forEach((server, index) => {
    if (parseIp(server) !== undefined) return;
    errors.push(invalid(`${field}[${index}]`, server, 'must be valid IP address'));
  });
}

function checkSearches(searches: readonly string[], field: string, errors: FieldError[]): void {
  if (searches.length > SEARCHES_MAX) {
    const detail = `must not have more than ${SEARCHES_MAX} search paths`;
    errors.push(invalid(field, searches, detail));
  }
  if (searches.join(' ').length > SEARCH_LENGTH_MAX) {
    const detail =
      `must not have more than ${SEARCH_LENGTH_MAX} characters (including spaces) ` +
      'in the search list';
    errors.push(invalid(field, searches, detail));
  }
  searches.forEach((search, index) => {
    const name = search.endsWith('.') ? search.slice(0, -1) : search;
    addProblems(dnsSubdomain(name), `${field}[${index}]`, name, errors);
  });
}

/** The reference leaves the index out of these paths. */
export function checkHostAliases(
  aliases: readonly HostAlias[],
  field: string,
  errors: FieldError[],
): void {
  for (const { ip = '', hostnames = [] } of aliases) {
    if (parseIp(ip) === undefined) {
      errors.push(invalid(`${field}.ip`, ip, 'must be valid IP address'));
    }
    for (const name of hostnames) {
      addProblems(dnsSubdomain(name), `${field}.hostnames`, name, errors);
    }
  }
}
