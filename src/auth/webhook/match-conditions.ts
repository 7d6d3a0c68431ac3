/** The conditions under which a webhook is asked (README.md#conditions). */
import { ownMetrics } from '../../observability/metrics/own-metrics.ts';
import { THREAD_SERIES } from '../../observability/metrics/thread-metrics.ts';
import { compileAccessExpression, holds } from '../../schema/cel/access/access-expression.ts';
import type { CheckedProgram } from '../../schema/cel/checked-program.ts';
import { aggregateText } from '../../semantics/errors/aggregate-text.ts';
import type { AccessAttributes } from '../authorizer.ts';
import { accessSpec } from './access-spec.ts';
import type { AuthorizationWebhook } from './authorization-webhook.ts';
import type { Conditions } from './webhook-authorizer.ts';

const SECONDS = 'apiserver_authorization_match_condition_evaluation_seconds';
const IS_COUNTED = ownMetrics([SECONDS]).length > 0;

export class MatchConditions implements Conditions {
  readonly #expressions: readonly CheckedProgram[];
  readonly #tellsSelectors: boolean;
  readonly #labels: { readonly name: string; readonly type: 'Webhook' };

  constructor({
    name,
    conditions,
    tellsSelectors,
  }: Pick<AuthorizationWebhook, 'name' | 'conditions' | 'tellsSelectors'>) {
    this.#tellsSelectors = tellsSelectors;
    this.#expressions = conditions.map((one) => compileAccessExpression(one, tellsSelectors));
    this.#labels = { name, type: 'Webhook' };
  }

  /** One that does not hold decides, whatever is wrong with others. */
  match(asked: AccessAttributes): boolean | { readonly error: string } {
    const startMs = IS_COUNTED ? performance.now() : 0;
    const request = accessSpec(asked, this.#tellsSelectors);
    const errors: string[] = [];
    let isExcluded = false;
    for (const expression of this.#expressions) {
      const value = holds(expression, request);
      isExcluded = value === false;
      if (isExcluded) break;
      if (value !== true && value !== false) errors.push(value.message);
    }
    if (IS_COUNTED) this.#count(isExcluded, errors.length > 0, performance.now() - startMs);
    if (isExcluded) return false;
    return errors.length === 0 || { error: aggregateText(errors) };
  }

  #count(isExcluded: boolean, hasFailed: boolean, milliseconds: number): void {
    THREAD_SERIES.histogram(SECONDS, this.#labels).observe(milliseconds / 1_000);
    if (isExcluded) {
      const metric = 'apiserver_authorization_match_condition_exclusions_total';
      THREAD_SERIES.cell(metric, this.#labels).add();
    }
    if (hasFailed) {
      const metric = 'apiserver_authorization_match_condition_evaluation_errors_total';
      THREAD_SERIES.cell(metric, this.#labels).add();
    }
  }
}
