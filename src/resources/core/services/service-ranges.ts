/** The ranges that services get their addresses and ports from, as the command line says them. */
import type { FeatureGates } from '../../../release/feature-gates.ts';
import type { Release } from '../../../release/release.ts';
import {
  formatIp,
  ipBits,
  parseIpRange,
  type IpFamily,
} from '../../../semantics/validation/ip-address.ts';

/** Whole numbers from `first` to `last`, inclusive. */
export interface NumberRange {
  readonly first: number;
  readonly last: number;
  /** The count that shares of it are reckoned of: with the addresses that nobody gets. */
  readonly size: number;
  /** As it is shown in errors. */
  readonly text: string;
}

/** Addresses of one family that services may have. */
export interface ClusterIpRange extends NumberRange {
  readonly family: IpFamily;
  /** The address of a number is the number plus this. */
  readonly base: bigint;
}

/** The families of a cluster's services; the first one is that of those that ask for none. */
export type ServiceFamilies = readonly [IpFamily, ...IpFamily[]];

/** The prefixes that ranges may have. */
const PREFIXES = { IPv4: { min: 12, max: 29 }, IPv6: { min: 64, max: 125 } } as const;
/** The shortest prefix of a range of IPv6 of whose addresses accounts are kept in one object. */
const V6_ACCOUNT_PREFIX = 108;
/** A longer range of IPv6 gives out only its first addresses. */
const V6_SIZE_MAX = 65_536;
const RANGES_MAX = 2;
const PORT_RANGE = /^([0-9]{1,5})-([0-9]{1,5})$/;
const PORT_MAX = 65_535;

/**
 * The shortest prefix that a range of IPv6 may have: accounts of its addresses are kept where they
 * are no objects, and from some release on beside the objects too.
 */
export function shortestV6Prefix(gates: FeatureGates, release: Release): number {
  const keepsAccounts =
    !gates.has('MultiCIDRServiceAllocator') ||
    (release.has('accountsBesideAddresses') && !gates.has('DisableAllocatorDualWrite'));
  return keepsAccounts ? V6_ACCOUNT_PREFIX : PREFIXES.IPv6.min;
}

/** The addresses that services may have in `10.0.0.0/24`: all but its first and its last. */
export function parseClusterIpRange(
  text: string,
  v6Prefix: number = PREFIXES.IPv6.min,
): ClusterIpRange {
  const range = parseIpRange(text);
  if (range === undefined) throw new Error(`"${text}" is no range of addresses like 10.0.0.0/24`);
  const { family, prefixLength, first: value } = range;
  const { max } = PREFIXES[family];
  const min = family === 'IPv6' ? v6Prefix : PREFIXES.IPv4.min;
  if (prefixLength < min || prefixLength > max) {
    const fitting = `give a prefix from /${min} to /${max}`;
    throw new Error(
      `"${text}" has too ${prefixLength < min ? 'many' : 'few'} addresses: ${fitting}`,
    );
  }
  const shown = `${formatIp({ family, value })}/${prefixLength}`;
  const all = 2 ** (ipBits(family) - prefixLength);
  if (family === 'IPv6') {
    const size = Math.min(all, V6_SIZE_MAX);
    return { family, base: value, first: 1, last: size - 1, size, text: shown };
  }
  const first = Number(value);
  return { family, base: 0n, first: first + 1, last: first + all - 2, size: all, text: shown };
}

/** One range, or one of each family between commas: the first one is that of most services. */
export function parseClusterIpRanges(
  text: string,
  v6Prefix?: number,
): readonly [ClusterIpRange, ...ClusterIpRange[]] {
  const texts = text.split(',').map((part) => part.trim());
  const [first = '', ...more] = texts;
  const parsed = (part: string): ClusterIpRange => parseClusterIpRange(part, v6Prefix);
  const ranges = [parsed(first), ...more.map(parsed)] as const;
  const families = new Set(ranges.map(({ family }) => family));
  if (ranges.length > RANGES_MAX || families.size < ranges.length) {
    throw new Error(`"${text}" has more than one range of a family: give one of IPv4, one of IPv6`);
  }
  return ranges;
}

/** The ranges of services, each in its usual form. */
export function serviceRanges(text: string): readonly string[] {
  return parseClusterIpRanges(text).map((range) => range.text);
}

/** The families that the ranges are of. */
export function serviceFamilies(text: string): ServiceFamilies {
  const [{ family }, ...more] = parseClusterIpRanges(text);
  return [family, ...more.map((range) => range.family)];
}

/** The address of the API's own Service. */
export function firstServiceAddress(text: string): string {
  const [{ family, base, first }] = parseClusterIpRanges(text);
  return formatIp({ family, value: base + BigInt(first) });
}

/** A range of ports such as `30000-32767`, both ends included. */
export function parseNodePortRange(text: string): NumberRange {
  const [, first, last] = PORT_RANGE.exec(text) ?? [];
  if (first === undefined || last === undefined) {
    throw new Error(`"${text}" is no range of ports like 30000-32767`);
  }
  const range = {
    first: Number(first),
    last: Number(last),
    size: Number(last) - Number(first) + 1,
    text,
  };
  if (range.first < 1 || range.last > PORT_MAX) {
    throw new Error(`"${text}" is not within the ports from 1 to ${PORT_MAX}`);
  }
  if (range.first > range.last) throw new Error(`"${text}" ends before it begins`);
  return { ...range, text: `${range.first}-${range.last}` };
}
