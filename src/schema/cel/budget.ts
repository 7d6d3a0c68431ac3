/** Limits the work of rules: steps are counted, so that any rule ends in bounded time. */

/** The steps of one rule on one value: of 50 to 400 ns each. */
export const RULE_STEPS_MAX = 1_000_000;
/** The steps of all rules on one object. */
export const OBJECT_STEPS_MAX = 2_000_000;

export class OutOfBudget extends Error {
  override readonly name = 'OutOfBudget';
}

export class Budget {
  #left = RULE_STEPS_MAX;

  /** Throws OutOfBudget when more steps are spent than there are. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new OutOfBudget('operation cancelled: actual cost limit exceeded');
  }

  get spent(): number {
    return RULE_STEPS_MAX - this.#left;
  }
}
