/** Rules for the addresses and ports inside objects in the reference's words. */
import type { FeatureGates } from '../../release/feature-gates.ts';
import { addProblems, invalid, type FieldError } from '../errors/field-error.ts';
import {
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  parseIp,
  parseIpRange,
  parseStrictIp,
  type IpAddress,
} from './ip-address.ts';
import { portName } from '../metadata/names.ts';

const NONE: readonly string[] = Object.freeze([]);
const PORT_MAX = 65_535;

/** How strictly texts of addresses are read. */
export interface AddressRules {
  /** Whether all programs have to read them alike. */
  readonly isStrict: boolean;
  /** Texts that may stay, since they are stored already. */
  readonly kept?: readonly string[];
}

/** How the reference reads addresses of kinds that are older than strict rules. */
export function addressRules(gates: FeatureGates, kept?: readonly string[]): AddressRules {
  const isStrict = gates.has('StrictIPCIDRValidation');
  return kept === undefined ? { isStrict } : { isStrict, kept };
}

const SLOPPY: AddressRules = { isStrict: false };

/** Adds an error unless the text is an IP address. */
export function checkIp(
  value: string,
  field: string,
  errors: FieldError[],
  { isStrict, kept = [] }: AddressRules = SLOPPY,
): void {
  if (kept.includes(value)) return;
  const ip = parseIp(value);
  const problem =
    ip === undefined
      ? 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
      : isStrict
        ? strictIpProblem(ip, value)
        : '';
  if (problem !== '') errors.push(invalid(field, value, problem));
}

/** Why some programs read an address in another way; '' where all read it alike. */
function strictIpProblem(ip: IpAddress, text: string): string {
  if (parseStrictIp(text) === undefined) return 'must not have leading 0s';
  return isMapped(ip, text) ? 'must not be an IPv4-mapped IPv6 address' : '';
}

/** Whether an IPv4 address is written as one of IPv6. */
export function isMapped({ family }: IpAddress, text: string): boolean {
  return family === 'IPv4' && text.includes(':');
}

/** Adds an error unless the text is a range of addresses. */
export function checkIpRange(
  value: string,
  field: string,
  errors: FieldError[],
  { isStrict, kept = [] }: AddressRules = SLOPPY,
): void {
  if (kept.includes(value)) return;
  const problem =
    parseIpRange(value) === undefined
      ? 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'
      : isStrict
        ? strictRangeProblem(value)
        : '';
  if (problem !== '') errors.push(invalid(field, value, problem));
}

/** Why some programs read a range in another way; '' where all read it alike. */
function strictRangeProblem(text: string): string {
  const { start, ip, isExact } = rangeParts(text);
  if (!isExact) return 'must not have leading 0s in IP or prefix length';
  if (ip !== undefined && isMapped(ip, start)) return 'must not have an IPv4-mapped IPv6 address';
  const hasMore = ip !== undefined && ip.value !== parseIpRange(text)?.first;
  return hasMore ? 'must not have bits set beyond the prefix length' : '';
}

const PREFIX_LENGTH = /^(?:0|[1-9][0-9]*)$/;

/** Takes a range apart; `isExact` where all programs read both parts alike. */
export function rangeParts(text: string): {
  readonly start: string;
  readonly ip: IpAddress | undefined;
  readonly isExact: boolean;
} {
  const slash = text.indexOf('/');
  const start = text.slice(0, slash);
  const isExact = parseStrictIp(start) !== undefined && PREFIX_LENGTH.test(text.slice(slash + 1));
  return { start, ip: parseIp(start), isExact };
}

/** `ip` is the parsed `value`. */
export function checkNonSpecialIp(
  ip: IpAddress | undefined,
  value: string,
  field: string,
  errors: FieldError[],
): void {
  if (ip === undefined) errors.push(invalid(field, value, 'must be a valid IP address'));
  else addProblems(specialIpProblems(ip, value), field, value, errors);
}

/** Addresses that mean something on one node only are no addresses of a service. */
function specialIpProblems(ip: IpAddress, text: string): readonly string[] {
  if (isUnspecified(ip)) return [`may not be unspecified (${text})`];
  if (isLoopback(ip)) return ['may not be in the loopback range (127.0.0.0/8, ::1/128)'];
  if (isLinkLocalUnicast(ip)) {
    return ['may not be in the link-local range (169.254.0.0/16, fe80::/10)'];
  }
  if (isLinkLocalMulticast(ip)) {
    return ['may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'];
  }
  return NONE;
}

/** Adds an error unless the number is a port. */
export function checkPortNumber(value: number, field: string, errors: FieldError[]): void {
  if (value >= 1 && value <= PORT_MAX) return;
  errors.push(invalid(field, value, `must be between 1 and ${PORT_MAX}, inclusive`));
}

/** Adds the problems of the name of a port. */
export function checkPortName(value: string, field: string, errors: FieldError[]): void {
  addProblems(portName(value), field, value, errors);
}

/** A port by its number or its name. */
export function checkPortNumberOrName(
  value: number | string,
  field: string,
  errors: FieldError[],
): void {
  if (typeof value === 'number') checkPortNumber(value, field, errors);
  else checkPortName(value, field, errors);
}
