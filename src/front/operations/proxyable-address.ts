/** Which addresses requests are passed on to. */
import {
  formatIp,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  parseStrictIp,
} from '../../semantics/validation/ip-address.ts';

/**
 * The address in its one form, which is what is connected to; undefined for those that only mean
 * something where they are used, as in the reference, and for those that are not read by everybody
 * alike.
 */
export function proxyableAddress(text: string): string | undefined {
  const ip = parseStrictIp(text);
  if (ip === undefined || isUnspecified(ip) || isLoopback(ip) || isLinkLocalUnicast(ip)) {
    return undefined;
  }
  const { family, value } = ip;
  const isMulticast = family === 'IPv4' ? value >> 28n === 14n : value >> 120n === 0xffn;
  const isBroadcast = family === 'IPv4' && value === 0xffff_ffffn;
  return isMulticast || isBroadcast ? undefined : formatIp(ip);
}
