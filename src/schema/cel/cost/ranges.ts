/** Ranges of sizes, for estimates: their ends are whole numbers of at most `MOST`. */

/** At least as much as there can be. */
export const MOST = 2 ** 64;

export interface Range {
  readonly min: number;
  readonly max: number;
}

export const UNKNOWN: Range = { min: 0, max: MOST };

export function exactly(size: number): Range {
  return { min: size, max: size };
}

export function plus(one: number, other: number): number {
  return Math.min(one + other, MOST);
}

export function times(one: number, other: number): number {
  return Math.min(one * other, MOST);
}

/** A share of a number, rounded up. */
export function share(size: number, factor: number): number {
  return Math.min(Math.ceil(size * factor), MOST);
}

export function sum(one: Range, other: Range): Range {
  return { min: plus(one.min, other.min), max: plus(one.max, other.max) };
}

export function product(one: Range, other: Range): Range {
  return { min: times(one.min, other.min), max: times(one.max, other.max) };
}

/** The range that has both. */
export function union(one: Range, other: Range): Range {
  return { min: Math.min(one.min, other.min), max: Math.max(one.max, other.max) };
}
