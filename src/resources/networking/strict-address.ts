/** Addresses and ranges that have to be written in their one form (README.md#networking). */
import { ownRelease } from '../../release/release.ts';
import { addressProblem, prefixProblem } from '../../semantics/validation/address-problem.ts';
import {
  formatIp,
  parseIp,
  parseIpRange,
  parseStrictIp,
} from '../../semantics/validation/ip-address.ts';

const LEADING_ZERO = /\/0[0-9]/;

/** Why a text is no address in its one form; none where it is. */
export function strictAddress(text: string): readonly string[] {
  const ip = parseIp(text);
  const isStrict = parseStrictIp(text) !== undefined;
  const isMapped = ip?.family === 'IPv4' && text.includes(':');
  if (!ownRelease().has('strictAddresses')) {
    if (!isStrict) return [addressProblem(text) || notCanonical()];
    const isUsual = ip !== undefined && !isMapped && formatIp(ip) === text;
    return isUsual ? [] : [notCanonical()];
  }
  if (ip === undefined) return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  if (!isStrict) return ['must not have leading 0s'];
  if (isMapped) return ['must not be an IPv4-mapped IPv6 address'];
  const usual = formatIp(ip);
  return usual === text ? [] : [`must be in canonical form ("${usual}")`];
}

function notCanonical(): string {
  return ownRelease().has('canonicalAddressText')
    ? 'must be a canonical format IP address'
    : 'not a valid ip in canonical format';
}

/** Why a text is no range in its one form; none where it is. */
export function strictRange(text: string): readonly string[] {
  const range = parseIpRange(text);
  const start = text.slice(0, text.indexOf('/'));
  const ip = parseIp(start);
  const isExact = parseStrictIp(start) !== undefined && !LEADING_ZERO.test(text);
  const isStrict = ownRelease().has('strictAddresses');
  if (range === undefined || ip === undefined || (!isStrict && !isExact)) {
    return [
      isStrict
        ? 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'
        : prefixProblem(text) || 'CIDR not in RFC 5952 canonical format',
    ];
  }
  const { family, first: value, prefixLength } = range;
  const usual = `${formatIp({ family, value })}/${prefixLength}`;
  const hasMore = ip.value !== value;
  if (!isStrict) {
    return [
      ...(hasMore ? ["wrong CIDR format, IP doesn't match network IP address"] : []),
      ...(`${formatIp(ip)}/${prefixLength}` === text
        ? []
        : ['CIDR not in RFC 5952 canonical format']),
    ];
  }
  if (!isExact) return ['must not have leading 0s in IP or prefix length'];
  if (ip.family === 'IPv4' && text.includes(':')) {
    return ['must not have an IPv4-mapped IPv6 address'];
  }
  if (hasMore) return ['must not have bits set beyond the prefix length'];
  return usual === text ? [] : [`must be in canonical form ("${usual}")`];
}
