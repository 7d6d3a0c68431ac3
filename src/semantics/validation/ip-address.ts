/**
 * IP addresses and ranges in text form, as the reference server takes them: numbers may have
 * leading zeros, an IPv6 address has no zone, and an IPv4 address in IPv6 form (`::ffff:10.0.0.1`)
 * counts as the IPv4 address that it is.
 */

export type IpFamily = 'IPv4' | 'IPv6';

export interface IpAddress {
  readonly family: IpFamily;
  /** The address as a number of 32 bits for IPv4, of 128 for IPv6. */
  readonly value: bigint;
}

export interface IpRange {
  readonly family: IpFamily;
  /** The first address: all bits after the prefix are 0. */
  readonly first: bigint;
  readonly prefixLength: number;
}

const TEXT_LENGTH_MAX = 128;
const DECIMAL = /^[0-9]+$/;
const HEXADECIMAL = /^[0-9a-fA-F]+$/;
const BYTE_MAX = 0xff;
const GROUP_MAX = 0xffff;
const V6_GROUPS = 8;
const BITS: Readonly<Record<IpFamily, number>> = { IPv4: 32, IPv6: 128 };
const V4_IN_V6_PREFIX = 0xffffn;

/** Undefined when the text is no IP address. */
export function parseIp(text: string): IpAddress | undefined {
  if (text.length > TEXT_LENGTH_MAX) return undefined;
  if (!text.includes(':')) return address('IPv4', parseV4(text));
  const value = parseV6(text);
  if (value !== undefined && value >> 32n === V4_IN_V6_PREFIX) {
    return { family: 'IPv4', value: BigInt.asUintN(32, value) };
  }
  return address('IPv6', value);
}

/** The usual form of an IPv4 address; its numbers may be too large for one. */
export const STRICT_V4 = /^(?:0|[1-9][0-9]{0,2})(?:\.(?:0|[1-9][0-9]{0,2})){3}$/;
const LONG_GROUP = /[0-9a-fA-F]{5}/;

/**
 * An address that all programs read alike: without leading zeros, which some take for octal, and
 * with four digits at most in a group. The server connects only to such addresses; others it merely
 * stores.
 */
export function parseStrictIp(text: string): IpAddress | undefined {
  const tail = text.slice(text.lastIndexOf(':') + 1);
  if (tail.includes('.') && !STRICT_V4.test(tail)) return undefined;
  return LONG_GROUP.test(text) ? undefined : parseIp(text);
}

const HOST_NAME = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?$/i;
const HOST_LENGTH_MAX = 254;
const ENDS_IN_NUMBER = /(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)\.?$/i;

/**
 * The host that a connection is made to: an address in its one form, or a name. Undefined for text
 * that is neither, and for text that a resolver would take for an address though it is not written
 * as one: `0177.0.0.1`, `127.1`, `0x7f000001`, `[::1]`, `fe80::1%eth0`.
 */
export function dialedHost(text: string): string | undefined {
  const ip = parseStrictIp(text);
  if (ip !== undefined) return formatIp(ip);
  const isName = text.length <= HOST_LENGTH_MAX && HOST_NAME.test(text);
  return isName && !ENDS_IN_NUMBER.test(text) ? text : undefined;
}

/** A range such as `10.0.0.0/24`; bits after the prefix may be set and count as 0. */
export function parseIpRange(text: string): IpRange | undefined {
  const slash = text.indexOf('/');
  if (slash === -1 || text.length > TEXT_LENGTH_MAX) return undefined;
  const start = text.slice(0, slash);
  const length = text.slice(slash + 1);
  const family = start.includes(':') ? 'IPv6' : 'IPv4';
  const value = family === 'IPv6' ? parseV6(start) : parseV4(start);
  if (value === undefined || !DECIMAL.test(length) || Number(length) > BITS[family]) {
    return undefined;
  }
  const prefixLength = Number(length);
  const hostBits = BigInt(BITS[family] - prefixLength);
  return { family, first: (value >> hostBits) << hostBits, prefixLength };
}

/** How many bits an address has. */
export function ipBits(family: IpFamily): number {
  return BITS[family];
}

/** Whether all of `inner` lies in `outer`, which is larger. */
export function isStrictSubrange(inner: IpRange, outer: IpRange): boolean {
  if (inner.family !== outer.family || inner.prefixLength <= outer.prefixLength) return false;
  const hostBits = BigInt(BITS[outer.family] - outer.prefixLength);
  return inner.first >> hostBits === outer.first >> hostBits;
}

/** An address of 32 bits as `10.0.0.1`. */
export function formatV4(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & BYTE_MAX).join('.');
}

/** An address in its usual form: in IPv6 the longest run of zeros is left out. */
export function formatIp({ family, value }: IpAddress): string {
  if (family === 'IPv4') return formatV4(Number(value));
  const groups = Array.from({ length: V6_GROUPS }, (_, index) => {
    const shift = BigInt(16 * (V6_GROUPS - 1 - index));
    return ((value >> shift) & BigInt(GROUP_MAX)).toString(16);
  });
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

export function isUnspecified({ value }: IpAddress): boolean {
  return value === 0n;
}

export function isLoopback({ family, value }: IpAddress): boolean {
  return family === 'IPv4' ? value >> 24n === 127n : value === 1n;
}

export function isLinkLocalUnicast({ family, value }: IpAddress): boolean {
  return family === 'IPv4' ? value >> 16n === 0xa9fen : value >> 118n === 0x3fan;
}

export function isLinkLocalMulticast({ family, value }: IpAddress): boolean {
  // The four bits after the first byte of an IPv6 address are flags.
  return family === 'IPv4' ? value >> 8n === 0xe00000n : ((value >> 112n) & 0xff0fn) === 0xff02n;
}

function address(family: IpFamily, value: bigint | undefined): IpAddress | undefined {
  return value === undefined ? undefined : { family, value };
}

function parseV4(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  let value = 0;
  for (const part of parts) {
    if (!DECIMAL.test(part) || Number(part) > BYTE_MAX) return undefined;
    value = value * 256 + Number(part);
  }
  return BigInt(value);
}

function parseV6(text: string): bigint | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head = '', tail] = halves;
  const first = parseGroups(head, tail === undefined);
  const last = parseGroups(tail ?? '', true);
  if (first === undefined || last === undefined) return undefined;
  const missing = V6_GROUPS - first.length - last.length;
  // The two colons stand for at least one group.
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...first, ...Array<number>(missing).fill(0), ...last];
  return groups.reduce((value, group) => (value << 16n) | BigInt(group), 0n);
}

/** The 16-bit groups of one side of `::`; the last of an address may be in IPv4 form. */
function parseGroups(text: string, mayEndInV4: boolean): number[] | undefined {
  if (text === '') return [];
  const parts = text.split(':');
  const groups: number[] = [];
  for (const [index, part] of parts.entries()) {
    if (mayEndInV4 && index === parts.length - 1 && part.includes('.')) {
      const value = parseV4(part);
      if (value === undefined) return undefined;
      groups.push(Number(value >> 16n), Number(value & 0xffffn));
    } else {
      if (!HEXADECIMAL.test(part) || parseInt(part, 16) > GROUP_MAX) return undefined;
      groups.push(parseInt(part, 16));
    }
  }
  return groups;
}
