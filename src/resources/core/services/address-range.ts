/**
 * The addresses of a range that services may have: all but the first, and in IPv4 the last one.
 * Those at its beginning are given out last: people choose them by hand.
 */
import type { IpFamily, IpRange } from '../../../semantics/validation/ip-address.ts';
import { ipBits } from '../../../semantics/validation/ip-address.ts';

/** A whole number from 0 to below `limit`, which is at most 2 ** 48 - 1. */
export type RandomBelow = (limit: number) => number;

/** Whole numbers from `first` to `last`, inclusive. */
interface Span {
  readonly first: bigint;
  readonly last: bigint;
}

const KEPT_MIN = 16n;
const KEPT_MAX = 256n;
const KEPT_SHARE = 16n;
const RANDOM_BITS = 32;
const RANDOM_LIMIT = 2 ** RANDOM_BITS;

export class AddressRange {
  readonly family: IpFamily;
  /** As it is written: `10.0.0.0/24`. */
  readonly text: string;
  readonly prefixLength: number;
  readonly #all: Span;
  /** Those that are given out first, and those that are given out when there are no others. */
  readonly #spans: readonly Span[];

  constructor({ family, first, prefixLength }: IpRange, text: string) {
    this.family = family;
    this.text = text;
    this.prefixLength = prefixLength;
    const count = 1n << BigInt(ipBits(family) - prefixLength);
    const all = { first: first + 1n, last: first + count - (family === 'IPv4' ? 2n : 1n) };
    this.#all = all;
    const kept = keptCount(count);
    this.#spans = [
      { first: all.first + kept, last: all.last },
      { first: all.first, last: all.first + kept - 1n },
    ].filter((span) => span.first <= span.last);
  }

  /** How many addresses it has. */
  get size(): bigint {
    const { first, last } = this.#all;
    return last < first ? 0n : last - first + 1n;
  }

  contains(address: bigint): boolean {
    return address >= this.#all.first && address <= this.#all.last;
  }

  /** Each of its addresses, in the order in which they are to be tried: from a random one on. */
  *candidates(randomBelow: RandomBelow): Generator<bigint, void, void> {
    for (const { first, last } of this.#spans) {
      const start = first + randomBigint(last - first + 1n, randomBelow);
      for (let address = start; address <= last; address++) yield address;
      for (let address = first; address < start; address++) yield address;
    }
  }
}

/** How many addresses at the beginning of a range are given out last. */
function keptCount(count: bigint): bigint {
  if (count <= KEPT_MIN) return 0n;
  const share = count / KEPT_SHARE;
  if (share < KEPT_MIN) return KEPT_MIN;
  return share > KEPT_MAX ? KEPT_MAX : share;
}

function randomBigint(limit: bigint, randomBelow: RandomBelow): bigint {
  if (limit <= BigInt(RANDOM_LIMIT)) return BigInt(randomBelow(Number(limit)));
  const high = BigInt(randomBelow(RANDOM_LIMIT)) << BigInt(RANDOM_BITS);
  return (high + BigInt(randomBelow(RANDOM_LIMIT))) % limit;
}
