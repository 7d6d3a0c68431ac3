/** Counters of authentication (../../observability/README.md#metrics). */
import { THREAD_SERIES } from '../../observability/metrics/thread-metrics.ts';

/** For how many seconds certificates still hold that clients show. */
export const CERTIFICATE_EXPIRATIONS = THREAD_SERIES.histogram(
  'apiserver_client_certificate_expiration_seconds',
  {},
);

/** Tokens of service accounts that are shown: those of Secrets, and others by their age. */
export const LEGACY_TOKENS = THREAD_SERIES.cell('serviceaccount_legacy_tokens_total', {});
/** Legacy ones by how they came to be, and those that are marked invalid. */
export const MANUAL_TOKEN_USES = THREAD_SERIES.cell(
  'serviceaccount_legacy_manual_token_uses_total',
  {},
);
export const GENERATED_TOKEN_USES = THREAD_SERIES.cell(
  'serviceaccount_legacy_auto_token_uses_total',
  {},
);
export const INVALID_TOKEN_USES = THREAD_SERIES.cell(
  'serviceaccount_invalid_legacy_auto_token_uses_total',
  {},
);
export const STALE_TOKENS = THREAD_SERIES.cell('serviceaccount_stale_tokens_total', {});
export const VALID_TOKENS = THREAD_SERIES.cell('serviceaccount_valid_tokens_total', {});
