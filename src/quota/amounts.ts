/** Amounts by the names of resources, of what is used and of what may be. All is exact. */
import { compareTexts } from '../base/text/compare-texts.ts';
import {
  addQuantities,
  compareQuantities,
  quantitySign,
  subtractQuantities,
} from '../codec/leaves/quantity.ts';

export type Amounts = Readonly<Record<string, string>>;

const ZERO = '0';

/** The sum of both, of all names that either has. */
export function sumOf(a: Amounts, b: Amounts): Amounts {
  const sum = { ...a };
  for (const name in b) sum[name] = added(a[name], b[name] ?? ZERO);
  return sum;
}

/** The larger one of each name that either has. */
export function largerOf(a: Amounts, b: Amounts): Amounts {
  const larger = { ...a };
  for (const name in b) {
    const other = b[name] ?? ZERO;
    const own = a[name];
    if (own === undefined || compareQuantities(own, other) <= 0) larger[name] = other;
  }
  return larger;
}

/** The amounts by which `now` is more than `before`. */
export function growthOf(now: Amounts, before: Amounts): Amounts {
  const growth: Record<string, string> = {};
  for (const name in now) {
    const own = now[name] ?? ZERO;
    const other = before[name];
    const more = other === undefined ? own : subtractQuantities(own, other);
    if (quantitySign(more) > 0) growth[name] = more;
  }
  return growth;
}

/** The use after `change` is added, for the names that `limited` has. */
export function withMore(used: Amounts, change: Amounts, limited: Amounts): Amounts {
  const sum = { ...used };
  for (const name in change) {
    if (limited[name] !== undefined) sum[name] = added(used[name], change[name] ?? ZERO);
  }
  return sum;
}

/** The use after `change` is taken away: never less than nothing. */
export function withLess(used: Amounts, change: Amounts): Amounts {
  const rest = { ...used };
  for (const name in change) {
    const own = used[name];
    if (own === undefined) continue;
    const less = subtractQuantities(own, change[name] ?? ZERO);
    rest[name] = quantitySign(less) < 0 ? ZERO : less;
  }
  return rest;
}

/** The names of which more than `limit` would be used. */
export function namesAbove(used: Amounts, change: Amounts, limit: Amounts): string[] {
  return Object.keys(change).filter((name) => {
    const most = limit[name];
    if (most === undefined) return false;
    return compareQuantities(added(used[name], change[name] ?? ZERO), most) > 0;
  });
}

/** Whether both have the same names, and as much of each. */
export function areEqual(a: Amounts, b: Amounts): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => {
      const other = b[name];
      return other !== undefined && compareQuantities(a[name] ?? ZERO, other) === 0;
    })
  );
}

/** As refusals print them: `cpu=2,pods=1`. */
export function printAmounts(amounts: Amounts, names: readonly string[]): string {
  return names
    .filter((name) => amounts[name] !== undefined)
    .toSorted(compareTexts)
    .map((name) => `${name}=${amounts[name]}`)
    .join(',');
}

function added(a: string | undefined, b: string): string {
  return a === undefined ? b : addQuantities(a, b);
}
