/** Rules for the addresses and ports inside objects in the reference's words. */
import { addProblems, invalid, type FieldError } from '../errors/field-error.ts';
import {
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  parseIp,
  type IpAddress,
} from './ip-address.ts';
import { portName } from '../metadata/names.ts';

const NONE: readonly string[] = Object.freeze([]);
const PORT_MAX = 65_535;

/** Adds an error unless the text is an IP address. */
export function checkIp(value: string, field: string, errors: FieldError[]): void {
  if (parseIp(value) !== undefined) return;
  const detail = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
  errors.push(invalid(field, value, detail));
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
