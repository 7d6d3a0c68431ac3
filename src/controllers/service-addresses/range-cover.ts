/** Which ServiceCIDRs an address or a range lies in, ready or not. */
import type { ServiceCIDR } from '#messages/networking.v1';
import { isStrictSubrange, parseIp, parseIpRange } from '../../semantics/validation/ip-address.ts';
import { AddressRange } from '../../resources/core/services/address-range.ts';

/** The parts of a ServiceCIDR that are kept. */
export interface CoveringRange {
  readonly name: string;
  readonly cidrs: readonly string[];
}

export function coveringRange({ metadata, spec }: ServiceCIDR): CoveringRange {
  return { name: metadata.name ?? '', cidrs: spec?.cidrs ?? [] };
}

/** Those that may give out an address: not the first of a range, nor the last one in IPv4. */
export function rangesWith<Range extends CoveringRange>(
  ranges: Iterable<Range>,
  address: string,
): readonly Range[] {
  const ip = parseIp(address);
  if (ip === undefined) return [];
  return [...ranges].filter(({ cidrs }) =>
    cidrs.some((cidr) => {
      const range = parseIpRange(cidr);
      if (range?.family !== ip.family) return false;
      return new AddressRange(range, cidr).contains(ip.value);
    }),
  );
}

/** Those that hold all of a range: itself, an equal or a larger one. */
export function rangesAround<Range extends CoveringRange>(
  ranges: Iterable<Range>,
  cidr: string,
): readonly Range[] {
  return [...ranges].filter(({ cidrs }) => cidrs.some((outer) => isWithin(cidr, outer)));
}

/** Whether either holds all of the other. */
export function overlap(one: CoveringRange, other: CoveringRange): boolean {
  return one.cidrs.some((a) => other.cidrs.some((b) => isWithin(a, b) || isWithin(b, a)));
}

function isWithin(inner: string, outer: string): boolean {
  const within = parseIpRange(inner);
  const around = parseIpRange(outer);
  if (within === undefined || around === undefined) return false;
  const { family, first, prefixLength } = around;
  const isSame =
    within.family === family && within.first === first && within.prefixLength === prefixLength;
  return isSame || isStrictSubrange(within, around);
}
