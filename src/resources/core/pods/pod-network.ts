/** How a pod resolves names (README.md#pods). */
import type { HostAlias, PodDNSConfig } from '#messages/core.v1';
import {
  addProblems,
  invalid,
  required,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import type { FeatureGates } from '../../../release/feature-gates.ts';
import { ownRelease } from '../../../release/release.ts';
import { parseIp } from '../../../semantics/validation/ip-address.ts';
import { addressRules, checkIp } from '../../../semantics/validation/network-validation.ts';
import type { PodRules } from '../pod-rules.ts';
import { dnsSubdomain, searchDomain } from '../../../semantics/metadata/names.ts';

const NAMESERVERS_MAX = 3;
const SEARCHES_MAX = 6;
const SEARCH_LENGTH_MAX = 256;
const EXPANDED_SEARCHES_MAX = 32;
const EXPANDED_SEARCH_LENGTH_MAX = 2048;

/** With the policy `None` a pod has nothing but its configuration, which must name a server. */
export function checkDnsConfig(
  config: PodDNSConfig | undefined,
  policy: string | undefined,
  rules: PodRules,
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
  checkNameservers(nameservers, rules.gates, `${field}.nameservers`, errors);
  checkSearches(searches, rules, `${field}.searches`, errors);
  options.forEach(({ name = '' }, index) => {
    if (name === '') errors.push(required(`${field}.options[${index}]`, 'must not be empty'));
  });
}

function checkNameservers(
  servers: readonly string[],
  gates: FeatureGates,
  field: string,
  errors: FieldError[],
): void {
  if (servers.length > NAMESERVERS_MAX) {
    const detail = `must not have more than ${NAMESERVERS_MAX} nameservers`;
    errors.push(invalid(field, servers, detail));
  }
  servers.forEach((server, index) => {
    if (ownRelease().has('addressesOfPodsByRule')) {
      checkIp(server, `${field}[${index}]`, errors, addressRules(gates));
      return;
    }
    if (parseIp(server) !== undefined) return;
    errors.push(invalid(`${field}[${index}]`, server, 'must be valid IP address'));
  });
}

function checkSearches(
  searches: readonly string[],
  rules: PodRules,
  field: string,
  errors: FieldError[],
): void {
  const isExpanded = rules.gates.has('ExpandedDNSConfig');
  const countMax = isExpanded ? EXPANDED_SEARCHES_MAX : SEARCHES_MAX;
  const lengthMax = isExpanded ? EXPANDED_SEARCH_LENGTH_MAX : SEARCH_LENGTH_MAX;
  if (searches.length > countMax) {
    errors.push(invalid(field, searches, `must not have more than ${countMax} search paths`));
  }
  if (searches.join(' ').length > lengthMax) {
    const rest = 'characters (including spaces) in the search list';
    const detail = `must not have more than ${lengthMax} ${rest}`;
    errors.push(invalid(field, searches, detail));
  }
  const isRelaxed = allowsAnyDomain(rules);
  searches.forEach((search, index) => {
    if (isRelaxed && search === '.') return;
    const name = search.endsWith('.') ? search.slice(0, -1) : search;
    const problems = isRelaxed ? searchDomain(name) : dnsSubdomain(name);
    addProblems(problems, `${field}[${index}]`, name, errors);
  });
}

/** Whether domains may have underscores, or be the root; a pod that has such a one may do so. */
function allowsAnyDomain({ gates, stored }: PodRules): boolean {
  if (gates.has('RelaxedDNSSearchValidation')) return true;
  if (stored === undefined || !ownRelease().has('keptSearchDomains')) return false;
  const { searches = [] } = stored.dnsConfig ?? {};
  return searches.some((search) => search === '.' || search.includes('_'));
}

/** Older releases leave the index out of these paths. */
export function checkHostAliases(
  aliases: readonly HostAlias[],
  { gates }: PodRules,
  field: string,
  errors: FieldError[],
): void {
  if (ownRelease().has('addressesOfPodsByRule')) {
    aliases.forEach(({ ip = '', hostnames = [] }, index) => {
      const at = `${field}[${index}]`;
      checkIp(ip, `${at}.ip`, errors, addressRules(gates));
      hostnames.forEach((name, place) => {
        addProblems(dnsSubdomain(name), `${at}.hostnames[${place}]`, name, errors);
      });
    });
    return;
  }
  for (const { ip = '', hostnames = [] } of aliases) {
    if (parseIp(ip) === undefined) {
      errors.push(invalid(`${field}.ip`, ip, 'must be valid IP address'));
    }
    for (const name of hostnames) {
      addProblems(dnsSubdomain(name), `${field}.hostnames`, name, errors);
    }
  }
}
