/** Which ranges of addresses services may have, as the ServiceCIDRs say (README.md#rules). */
import type { ServiceCIDR } from '#messages/networking.v1';
import { ownDialect } from '../../../semantics/dialect/own-names.ts';
import {
  parseIpRange,
  type IpAddress,
  type IpFamily,
} from '../../../semantics/validation/ip-address.ts';
import type { ApiObject } from '../../kind.ts';
import { AddressRange } from './address-range.ts';

/** The ServiceCIDR that has the ranges of the command line. */
export function defaultRangeName(): string {
  return ownDialect().apiService;
}

/** The condition of a ServiceCIDR whose addresses are given out. */
export const READY = 'Ready';
/** Ranges of IPv6 that are larger have no addresses to give. */
const V6_PREFIX_MIN = 64;

interface Known {
  readonly ranges: readonly AddressRange[];
  readonly isReady: boolean;
}

/** Nobody may have said anything: a controller that does may not run. */
export function isReadyRange({ metadata, status }: ServiceCIDR): boolean {
  if (metadata.deletionTimestamp !== undefined) return false;
  const ready = status?.conditions?.find(({ type }) => type === READY);
  return ready === undefined || ready.status === 'True';
}

/** The ranges of a ServiceCIDR. */
export function rangesOf({ spec }: ServiceCIDR): readonly AddressRange[] {
  return (spec?.cidrs ?? []).flatMap((text) => {
    const range = parseIpRange(text);
    return range === undefined ? [] : [new AddressRange(range, text)];
  });
}

export class KnownRanges {
  readonly #known = new Map<string, Known>();
  #ready: readonly AddressRange[] | undefined;

  put(object: ApiObject): void {
    const range = object as ServiceCIDR;
    const { name = '' } = range.metadata;
    this.#known.set(name, { ranges: rangesOf(range), isReady: isReadyRange(range) });
    this.#ready = undefined;
  }

  remove({ metadata }: ApiObject): void {
    this.#known.delete(metadata.name ?? '');
    this.#ready = undefined;
  }

  /** Those that addresses of a family are given out of: first those of the command line. */
  ofFamily(family: IpFamily): readonly AddressRange[] {
    return this.#readyOnes().filter((range) => range.family === family);
  }

  /** That which an address may be given out of. */
  containing({ family, value }: IpAddress): AddressRange | undefined {
    return this.ofFamily(family).find((range) => range.contains(value));
  }

  #readyOnes(): readonly AddressRange[] {
    if (this.#ready !== undefined) return this.#ready;
    const first = this.#known.get(defaultRangeName());
    const ordered = [...(first === undefined ? [] : [first]), ...this.#known.values()];
    const byText = new Map<string, AddressRange>();
    for (const { ranges, isReady } of ordered) {
      if (!isReady) continue;
      for (const range of ranges) if (!byText.has(range.text)) byText.set(range.text, range);
    }
    this.#ready = [...byText.values()].filter(
      ({ family, prefixLength }) => family === 'IPv4' || prefixLength >= V6_PREFIX_MIN,
    );
    return this.#ready;
  }
}
