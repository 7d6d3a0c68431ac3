/** Counts who acts as somebody else by constrained rights, where the release does. */
import { ownMetrics } from '../../observability/metrics/own-metrics.ts';
import { THREAD_SERIES } from '../../observability/metrics/thread-metrics.ts';

type Outcome = 'allowed' | 'denied';

const TOTAL = 'apiserver_impersonation_attempts_total';
const IS_COUNTED = ownMetrics([TOTAL]).length > 0;

/** `mode` is '' where none lets. */
export function countAttempt(mode: string, decision: Outcome, milliseconds: number): void {
  if (!IS_COUNTED) return;
  const labels = { decision, mode };
  THREAD_SERIES.cell(TOTAL, labels).add();
  const seconds = 'apiserver_impersonation_attempts_duration_seconds';
  THREAD_SERIES.histogram(seconds, labels).observe(milliseconds / 1_000);
}

/** One right was asked about. */
export function countCheck(mode: string, decision: Outcome, milliseconds: number): void {
  if (!IS_COUNTED) return;
  const labels = { decision, mode };
  THREAD_SERIES.cell('apiserver_impersonation_authorization_attempts_total', labels).add();
  const seconds = 'apiserver_impersonation_authorization_attempts_duration_seconds';
  THREAD_SERIES.histogram(seconds, labels).observe(milliseconds / 1_000);
}
