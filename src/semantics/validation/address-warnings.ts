/** Warnings about addresses that are taken, and that are not written as they should be. */
import { ownRelease } from '../../release/release.ts';
import { formatIp, ipBits, parseIp, parseIpRange, parseStrictIp, STRICT_V4 } from './ip-address.ts';
import type { IpRange } from './ip-address.ts';
import { isMapped, rangeParts } from './network-validation.ts';

/** About an address that is valid; none where the text is no address. */
export function ipWarnings(value: string, field: string): string[] {
  if (!ownRelease().has('addressWarnings') || STRICT_V4.test(value)) return [];
  const ip = parseIp(value);
  if (ip === undefined) return [];
  const usual = formatIp(ip);
  if (parseStrictIp(value) === undefined || isMapped(ip, value)) {
    return [`${field}: non-standard IP address "${value}" is invalid: use "${usual}"`];
  }
  if (value === usual || ip.family === 'IPv4') return [];
  return [`${field}: IPv6 address "${value}" should be in RFC 5952 canonical format ("${usual}")`];
}

/** About a range that is valid; none where the text is no range. */
export function ipRangeWarnings(value: string, field: string): string[] {
  if (!ownRelease().has('addressWarnings')) return [];
  const range = parseIpRange(value);
  if (range === undefined) return [];
  const { start, ip, isExact } = rangeParts(value);
  const usual = rangeText(range);
  const warnings: string[] = [];
  if (ip !== undefined && ip.value !== range.first) {
    const single = `${formatIp(ip)}/${ipBits(range.family)}`;
    const which = `(should be "${usual}" or "${single}"?)`;
    warnings.push(`${field}: CIDR value "${value}" is ambiguous in this context ${which}`);
  }
  if (!isExact || (ip !== undefined && isMapped(ip, start))) {
    warnings.push(`${field}: non-standard CIDR value "${value}" is invalid: use "${usual}"`);
  }
  if (warnings.length > 0 || value === usual || range.family === 'IPv4') return warnings;
  const form = `should be in RFC 5952 canonical format ("${usual}")`;
  return [`${field}: IPv6 CIDR value "${value}" ${form}`];
}

function rangeText({ family, first, prefixLength }: IpRange): string {
  return `${formatIp({ family, value: first })}/${prefixLength}`;
}
