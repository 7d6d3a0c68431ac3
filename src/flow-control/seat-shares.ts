/** Divides the seats of the server among its levels, and lets levels borrow from each other. */
import type { Level } from './flow-objects.ts';
import type { SeatDemand } from './seat-demand.ts';

/** The bounds of a level. */
export interface SeatBounds {
  /** Its part by shares. */
  readonly nominal: number;
  /** What is left of that where it lends all that it may, and with all that it may borrow. */
  readonly lowest: number;
  readonly highest: number;
}

/** What a level needs, in seats: never less than `lowest`, and `target` if there is enough. */
export interface SeatNeed {
  readonly lowest: number;
  readonly highest: number;
  readonly target: number;
}

/** A smaller target counts as this one, so that there is something to be in proportion to. */
const TARGET_MIN = 0.001;
/** Halvings of a range: more than a number has digits. */
const HALVINGS = 200;

/** The bounds of each of `levels` where the server has `seats`. */
export function boundsOf(levels: readonly Level[], seats: number): readonly SeatBounds[] {
  const sum = levels.reduce((shares, level) => shares + level.shares, 0);
  return levels.map(({ shares, lendablePercent, borrowingPercent }) => {
    const nominal = sum === 0 ? 0 : Math.ceil((seats * shares) / sum);
    const lendable = Math.round((nominal * lendablePercent) / 100);
    const borrowable =
      borrowingPercent === undefined ? seats : Math.round((nominal * borrowingPercent) / 100);
    return { nominal, lowest: nominal - lendable, highest: nominal + borrowable };
  });
}

/**
 * Gives each need the same fraction of its target, within its bounds, so that all together are
 * `sum`; as near to that as the bounds let.
 */
export function allocate(
  needs: readonly SeatNeed[],
  sum: number,
): { readonly seats: readonly number[]; readonly fraction: number } {
  const seatsAt = (fraction: number): readonly number[] =>
    needs.map(({ lowest, highest, target }) =>
      Math.max(lowest, Math.min(highest, fraction * Math.max(target, TARGET_MIN))),
    );
  const totalAt = (fraction: number): number => seatsAt(fraction).reduce((a, b) => a + b, 0);
  const relative = needs.map(({ highest, target }) => highest / Math.max(target, TARGET_MIN));
  let low = 0;
  let high = Math.max(0, ...relative);
  if (totalAt(low) >= sum) return { seats: seatsAt(low), fraction: low };
  if (totalAt(high) <= sum) return { seats: seatsAt(high), fraction: high };
  for (let step = 0; step < HALVINGS && low < high; step++) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (totalAt(middle) < sum) low = middle;
    else high = middle;
  }
  return { seats: seatsAt(high), fraction: high };
}

/** A level, and what it could have used. */
export interface Borrower {
  readonly isExempt: boolean;
  readonly bounds: SeatBounds;
  readonly demand: Pick<SeatDemand, 'highest' | 'smoothed'>;
}

export interface Borrowing {
  /** The seats of each level, in their order. */
  readonly seats: readonly number[];
  readonly targets: readonly number[];
  /** What part of its target each level gets that can use it. */
  readonly fraction: number;
}

/**
 * The seats of each level for the next period. What is exempt takes what it needs; `isCounted` says
 * whether others have less then.
 */
export function borrow(levels: readonly Borrower[], isCounted: boolean): Borrowing {
  const needs = levels.map(needOf);
  const all = levels.reduce((sum, { bounds }) => sum + bounds.nominal, 0);
  const isLimited = ({ isExempt }: Borrower): boolean => !isExempt;
  const limited = levels.filter(isLimited);
  const limitedNeeds = needs.filter((_, index) => isLimited(levels[index]!));
  const exempt = needs.reduce((sum, { lowest }, index) => {
    return levels[index]!.isExempt ? sum + lowest : sum;
  }, 0);
  const left = isCounted ? all - exempt : all;
  const lowest = limited.reduce((sum, { bounds }) => sum + bounds.lowest, 0);
  const wanted = limitedNeeds.reduce((sum, need) => sum + need.lowest, 0);
  const targets = needs.map(({ target }) => target);
  let fraction = 0;
  let seats: readonly number[];
  if (left <= lowest) seats = limited.map(({ bounds }) => bounds.lowest);
  else if (left <= wanted) {
    const part = (left - lowest) / (wanted - lowest);
    seats = limited.map(({ bounds }, index) => {
      return bounds.lowest + Math.round((limitedNeeds[index]!.lowest - bounds.lowest) * part);
    });
  } else {
    const allocated = allocate(limitedNeeds, all);
    ({ fraction } = allocated);
    seats = allocated.seats.map(Math.round);
  }
  const given = seats[Symbol.iterator]();
  return {
    seats: levels.map(({ isExempt }, index) =>
      isExempt ? needs[index]!.lowest : (given.next().value ?? 0),
    ),
    targets,
    fraction,
  };
}

function needOf({ isExempt, bounds, demand }: Borrower): SeatNeed {
  const used = isExempt ? demand.highest : Math.min(bounds.nominal, demand.highest);
  const lowest = Math.max(bounds.lowest, used);
  return { lowest, highest: bounds.highest, target: Math.max(lowest, demand.smoothed) };
}
