/** Counts round trips to webhooks that decide, where the release does. */
import { ownMetrics } from '../../observability/metrics/own-metrics.ts';
import { THREAD_SERIES } from '../../observability/metrics/thread-metrics.ts';
import { WebhookError } from '../../webhooks/webhook-errors.ts';

export type Outcome = 'success' | 'timeout' | 'error';

const TOTAL = 'apiserver_authorization_webhook_evaluations_total';
const IS_COUNTED = ownMetrics([TOTAL]).length > 0;
const GATEWAY_TIMEOUT = 504;

export function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof WebhookError)) return 'error';
  const isLate = error.message.includes('context deadline exceeded');
  return isLate || error.status === GATEWAY_TIMEOUT ? 'timeout' : 'error';
}

export function countRoundTrip(name: string, result: Outcome, milliseconds: number): void {
  if (!IS_COUNTED) return;
  const labels = { name, result };
  THREAD_SERIES.cell(TOTAL, labels).add();
  const seconds = 'apiserver_authorization_webhook_duration_seconds';
  THREAD_SERIES.histogram(seconds, labels).observe(milliseconds / 1_000);
}

/** It could not be asked, and others decide without it. */
export function countFailOpen(name: string, result: Outcome): void {
  if (!IS_COUNTED) return;
  const metric = 'apiserver_authorization_webhook_evaluations_fail_open_total';
  THREAD_SERIES.cell(metric, { name, result }).add();
}
