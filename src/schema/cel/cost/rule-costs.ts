/** The bounds of what the rules of a schema may cost at most (README.md#bounds). */
import { ownRelease } from '../../../release/release.ts';
import { fieldForbidden, type FieldError } from '../../../semantics/errors/field-error.ts';
import { plus, times } from './ranges.ts';

const EXPRESSION_COST_MAX = 10_000_000;
const SCHEMA_COST_MAX = 100_000_000;
/** So many rules are told of where all together cost too much. */
const TOLD_MAX = 4;
/** Those that cost less are not told of then. */
const TOLD_COST_MIN = SCHEMA_COST_MAX / 100;

interface ExpressionCost {
  readonly field: string;
  readonly cost: number;
}

/** The costs of the expressions of one schema. */
export class RuleCosts {
  readonly #isUnchanged: boolean;
  #total = 0;
  #most: readonly ExpressionCost[] = [];

  /** Expressions of a schema that `isUnchanged` may cost as much as all together. */
  constructor(isUnchanged: boolean) {
    this.#isUnchanged = isUnchanged && KEEPS_COSTS;
  }

  /** Adds an expression that is evaluated `occurrences` times at most. */
  add(
    field: string,
    of: 'rule' | 'messageExpression',
    costOfOne: number,
    occurrences: number,
    errors: FieldError[],
  ): void {
    const cost = times(costOfOne, occurrences);
    if (!this.#isUnchanged && cost > EXPRESSION_COST_MAX) {
      const detail = exceeded(`estimated ${of} cost`, cost / EXPRESSION_COST_MAX);
      errors.push(fieldForbidden(field, detail));
    }
    this.#total = plus(this.#total, cost);
    if (cost < TOLD_COST_MIN) return;
    const most = [...this.#most, { field, cost }].toSorted((a, b) => b.cost - a.cost);
    this.#most = most.slice(0, TOLD_MAX);
  }

  /** Adds the errors of all expressions together. */
  addTotal(schemaField: string, errors: FieldError[]): void {
    if (this.#total <= SCHEMA_COST_MAX) return;
    for (const { field } of this.#most) {
      const detail =
        'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
      errors.push(fieldForbidden(field, detail));
    }
    const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    errors.push(fieldForbidden(schemaField, exceeded(what, this.#total / SCHEMA_COST_MAX)));
  }
}

const KEEPS_COSTS = ownRelease().has('keptRuleCosts');

function exceeded(what: string, factor: number): string {
  const near = factor < 1.5 ? factor.toFixed(6) : factor.toFixed(1);
  const told = factor > 100 ? 'more than 100' : near;
  return (
    `${what} exceeds budget by factor of ${told}x (try simplifying the rule, or adding maxItems, ` +
    'maxProperties, and maxLength where arrays, maps, and strings are declared)'
  );
}
