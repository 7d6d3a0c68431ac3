/** Metrics of admission webhooks, by their names (../observability/README.md#metrics). */
import type { SeriesSet } from '../observability/metrics/thread-metrics.ts';
import { AdmissionMetrics } from './admission-metrics.ts';
import { NamedSeries } from './named-series.ts';
import type { AdmissionOperation } from './proposal.ts';

export interface WebhookOutcome {
  /** The status that the webhook has answered with, as far as that is known. */
  readonly code: number;
  /** Why the write is refused; absent where it is not. */
  readonly errorType?: 'calling_webhook_error' | 'apiserver_internal_error' | 'no_error';
}

export interface CountedWebhook {
  readonly name: string;
  readonly operation: AdmissionOperation;
  readonly type: 'admit' | 'validating';
}

const CODE_MAX = 600;

interface Counted {
  readonly series: SeriesSet;
  readonly durations: AdmissionMetrics;
}

const webhooks = new NamedSeries<Counted>((name, series) => ({
  series,
  durations: new AdmissionMetrics((labels) =>
    series.histogram('apiserver_admission_webhook_admission_duration_seconds', { ...labels, name }),
  ),
}));

/** A webhook was asked about a write. */
export function countWebhook(
  { name, operation, type }: CountedWebhook,
  { code: given, errorType }: WebhookOutcome,
  milliseconds: number,
): void {
  const { series, durations } = webhooks.of(name);
  const rejected = errorType === undefined ? 'false' : 'true';
  const code = String(Math.min(given, CODE_MAX));
  durations.took({ operation, rejected, type }, milliseconds);
  const request = { code, name, operation, rejected, type };
  series.cell('apiserver_admission_webhook_request_total', request).add();
  if (errorType === undefined) return;
  const rejectionCode = errorType === 'no_error' ? code : '0';
  const refusal = { error_type: errorType, name, operation, rejection_code: rejectionCode, type };
  series.cell('apiserver_admission_webhook_rejection_count', refusal).add();
}
