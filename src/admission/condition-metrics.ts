/** Metrics of the conditions of webhooks and policies (../observability/README.md#metrics). */
import type { SeriesSet } from '../observability/metrics/thread-metrics.ts';
import { NamedSeries } from './named-series.ts';
import type { AdmissionOperation } from './proposal.ts';

/** Whose conditions they are. */
export interface Conditioned {
  readonly kind: 'webhook' | 'policy';
  readonly name: string;
  readonly type: 'admit' | 'validating' | 'validate';
}

const CONDITIONS = new NamedSeries<SeriesSet>((_name, series) => series);

function seriesOf({ kind, name }: Conditioned): SeriesSet {
  return CONDITIONS.of(`${kind} ${name}`);
}

/** Conditions do not take a write, or `errors` of them cannot be evaluated. */
export function countConditions(
  of: Conditioned,
  operation: AdmissionOperation,
  { errors, ms }: { readonly errors: number; readonly ms: number },
): void {
  const series = seriesOf(of);
  const labels = { ...of, operation };
  const seconds = 'apiserver_admission_match_condition_evaluation_seconds';
  series.histogram(seconds, labels).observe(ms / 1_000);
  if (errors === 0) return;
  const failures = 'apiserver_admission_match_condition_evaluation_errors_total';
  series.cell(failures, labels).add(errors);
}

/** A webhook is not asked because of its conditions. */
export function countExclusion(of: Conditioned, operation: AdmissionOperation): void {
  const exclusions = 'apiserver_admission_match_condition_exclusions_total';
  seriesOf(of)
    .cell(exclusions, { ...of, operation })
    .add();
}
