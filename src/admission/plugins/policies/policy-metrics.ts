/** Metrics of policies, by their names (../../../observability/README.md#metrics). */
import type { SeriesSet } from '../../../observability/metrics/thread-metrics.ts';
import { NamedSeries } from '../../named-series.ts';

/** The outcomes of expressions, as metrics name them; those that refuse count as invalid. */
export type CheckErrorType = 'no_error' | 'compile_error' | 'invalid_error' | 'out_of_budget';

interface Checked {
  readonly policy: string;
  readonly binding: string;
  readonly errorType: CheckErrorType;
  readonly ms: number;
}

const VALIDATING = new NamedSeries<SeriesSet>((_policy, series) => series);
const MUTATING = new NamedSeries<SeriesSet>((_policy, series) => series);

/** A validation has had a consequence for a write. */
export function countValidation(
  { policy, binding, errorType, ms }: Checked,
  action: 'allow' | 'deny' | 'warn' | 'audit',
): void {
  const series = VALIDATING.of(policy);
  const labels = {
    enforcement_action: action,
    error_type: errorType,
    policy,
    policy_binding: binding,
    // In releases that tell one instead of the error: there is no other.
    state: 'active',
  };
  series.cell('apiserver_validating_admission_policy_check_total', labels).add();
  const seconds = 'apiserver_validating_admission_policy_check_duration_seconds';
  series.histogram(seconds, labels).observe(ms / 1_000);
}

/** A mutation was made, or cannot be. */
export function countMutation({ policy, binding, errorType, ms }: Checked): void {
  const series = MUTATING.of(policy);
  const labels = { error_type: errorType, policy, policy_binding: binding };
  series.cell('apiserver_mutating_admission_policy_check_total', labels).add();
  const seconds = 'apiserver_mutating_admission_policy_check_duration_seconds';
  series.histogram(seconds, labels).observe(ms / 1_000);
}

/** Tells by the words of a problem, as the reference does. */
export function errorTypeOf(problem: string): CheckErrorType {
  if (problem.startsWith('compilation')) return 'compile_error';
  const isBudget = problem.startsWith('validation failed due to running out of cost budget');
  return isBudget ? 'out_of_budget' : 'invalid_error';
}
