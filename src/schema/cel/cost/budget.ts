/** Bounds what expressions cost when they are evaluated, and their work (README.md#evaluation). */

/** The limit of one expression. */
export const EXPRESSION_COST_MAX = 1_000_000;
/** The limit of all rules on one object. */
export const OBJECT_COST_MAX = 10_000_000;
/** The steps of all rules on one object. */
export const OBJECT_STEPS_MAX = 4_000_000;
/** The steps of one expression: of 50 to 400 ns each. */
const EXPRESSION_STEPS_MAX = 1_000_000;

export class OutOfBudget extends Error {
  override readonly name = 'OutOfBudget';

  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

/** The budget of one evaluation. */
export class Budget {
  #cost = 0;
  #stepsLeft = EXPRESSION_STEPS_MAX;

  /** Counts what the reference counts. Throws OutOfBudget when that is too much. */
  count(cost: number): void {
    this.#cost += cost;
    if (this.#cost > EXPRESSION_COST_MAX) throw new OutOfBudget();
  }

  /** Counts work that costs less than it takes. Throws OutOfBudget when that is too much. */
  spend(steps: number): void {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft < 0) throw new OutOfBudget();
  }

  get cost(): number {
    return this.#cost;
  }

  get steps(): number {
    return EXPRESSION_STEPS_MAX - this.#stepsLeft;
  }
}
