/** The violations that a run has found: counts of each kind, and the first ones in words. */

export const VIOLATION_KINDS = [
  'gap',
  'duplicate',
  'disorder',
  'wrongContent',
  'staleList',
  'lostWrite',
] as const;
export type ViolationKind = (typeof VIOLATION_KINDS)[number];

export interface Violation {
  readonly kind: ViolationKind;
  /** Seconds since the start of the run. */
  readonly second: number;
  /** Which watch saw it, or '' when it was not a watch. */
  readonly watch: string;
  readonly detail: string;
}

const DETAILED_MAX = 20;

export class Findings {
  readonly #counts = new Map<ViolationKind, number>(VIOLATION_KINDS.map((kind) => [kind, 0]));
  readonly #detailed: Violation[] = [];
  readonly #detailedCounts = new Map<ViolationKind, number>();
  readonly #second: () => number;

  /** `second`: how long the run has been going. */
  constructor(second: () => number) {
    this.#second = second;
  }

  /** Counts one; `detail` is only called for the first ones of each kind. */
  add(kind: ViolationKind, watch: string, detail: () => string): void {
    this.#counts.set(kind, this.count(kind) + 1);
    const detailed = this.#detailedCounts.get(kind) ?? 0;
    if (detailed === DETAILED_MAX) return;
    this.#detailedCounts.set(kind, detailed + 1);
    this.#detailed.push({ kind, second: round(this.#second()), watch, detail: detail() });
  }

  /** An event that was taken for missing came late: it was out of order instead. */
  gapWasDisorder(watch: string, detail: () => string): void {
    this.#counts.set('gap', this.count('gap') - 1);
    this.add('disorder', watch, detail);
  }

  count(kind: ViolationKind): number {
    return this.#counts.get(kind) ?? 0;
  }

  get counts(): Readonly<Record<ViolationKind, number>> {
    return Object.fromEntries(this.#counts) as Record<ViolationKind, number>;
  }

  get total(): number {
    return VIOLATION_KINDS.reduce((sum, kind) => sum + this.count(kind), 0);
  }

  /** The first of each kind, in the order in which they were found. */
  get first(): readonly Violation[] {
    return this.#detailed;
  }
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
