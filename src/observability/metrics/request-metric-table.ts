/** Metrics of requests and of who sends them. */
import type { MetricDefinition } from './metric-definition.ts';

const REQUEST_BOUNDS = [
  0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];
const OF_TYPE = ['group', 'kind', 'version'] as const;
const OF_REQUEST = [
  'component',
  'group',
  'resource',
  'scope',
  'subresource',
  'verb',
  'version',
] as const;

/** Bounds for authentication and authorization. */
const STEP_BOUNDS = Array.from({ length: 15 }, (_, exponent) => 0.001 * 2 ** exponent);

/** One metric that got another name. */
const OWN_DURATION = {
  type: 'histogram',
  help:
    'Response latency distribution (not counting webhook duration) in seconds for each ' +
    'verb, group, version, resource, subresource, scope and component.',
  labels: OF_REQUEST,
  stability: 'ALPHA',
  buckets: REQUEST_BOUNDS,
} as const satisfies MetricDefinition;

export const REQUEST_METRICS = {
  apiserver_client_certificate_expiration_seconds: {
    type: 'histogram',
    help:
      'Distribution of the remaining lifetime on the certificate used to authenticate a ' +
      'request.',
    labels: [],
    stability: 'ALPHA',
    buckets: [0, 0.5, 1, 2, 6, 12, 24, 48, 96, 168, 720, 2160, 4320, 8640].map(
      (hours) => hours * 3_600,
    ),
  },
  apiserver_current_inflight_requests: {
    type: 'gauge',
    help:
      'Maximal number of currently used inflight request limit of this apiserver per ' +
      'request kind in last second.',
    labels: ['request_kind'],
    stability: 'STABLE',
  },
  apiserver_dropped_requests_total: {
    type: 'counter',
    help: "Number of requests dropped with 'Try again later' response",
    labels: ['request_kind'],
    stability: 'ALPHA',
  },
  apiserver_longrunning_gauge: {
    type: 'gauge',
    help:
      'Gauge of all active long-running apiserver requests broken out by verb, group, ' +
      'version, resource, scope and component. Not all requests are tracked this way.',
    labels: OF_REQUEST,
    stability: 'ALPHA',
  },
  apiserver_longrunning_requests: {
    type: 'gauge',
    help:
      'Gauge of all active long-running apiserver requests broken out by verb, group, ' +
      'version, resource, scope and component. Not all requests are tracked this way.',
    labels: OF_REQUEST,
    stability: 'ALPHA',
  },
  apiserver_registered_watchers: {
    type: 'gauge',
    help: 'Number of currently registered watchers for a given resources',
    labels: OF_TYPE,
    stability: 'ALPHA',
  },
  apiserver_request_body_size_bytes: {
    type: 'histogram',
    help: 'Apiserver request body size in bytes broken out by resource and verb.',
    labels: ['group', 'resource', 'verb'],
    stability: 'ALPHA',
    buckets: Array.from({ length: 31 }, (_, step) => 50_000 + step * 100_000),
  },
  apiserver_request_duration_seconds: {
    type: 'histogram',
    help:
      'Response latency distribution in seconds for each verb, dry run value, group, ' +
      'version, resource, subresource, scope and component.',
    labels: [
      'component',
      'dry_run',
      'group',
      'resource',
      'scope',
      'subresource',
      'verb',
      'version',
    ],
    stability: 'STABLE',
    buckets: REQUEST_BOUNDS,
  },
  apiserver_request_filter_duration_seconds: {
    type: 'histogram',
    help: 'Request filter latency distribution in seconds, for each filter type',
    labels: ['filter'],
    stability: 'ALPHA',
    buckets: [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5],
  },
  apiserver_request_sli_duration_seconds: OWN_DURATION,
  apiserver_request_slo_duration_seconds: OWN_DURATION,
  apiserver_request_terminations_total: {
    type: 'counter',
    help: 'Number of requests which apiserver terminated in self-defense.',
    labels: ['code', ...OF_REQUEST],
    stability: 'ALPHA',
  },
  apiserver_request_total: {
    type: 'counter',
    help:
      'Counter of apiserver requests broken out for each verb, dry run value, group, ' +
      'version, resource, scope, component, and HTTP response code.',
    labels: [
      'code',
      'component',
      'dry_run',
      'group',
      'resource',
      'scope',
      'subresource',
      'verb',
      'version',
    ],
    stability: 'STABLE',
  },
  apiserver_requested_deprecated_apis: {
    type: 'gauge',
    help:
      'Gauge of deprecated APIs that have been requested, broken out by API group, ' +
      'version, resource, subresource, and removed_release.',
    labels: ['group', 'removed_release', 'resource', 'subresource', 'version'],
    stability: 'STABLE',
  },
  apiserver_response_sizes: {
    type: 'histogram',
    help:
      'Response size distribution in bytes for each group, version, verb, resource, ' +
      'subresource, scope and component.',
    labels: OF_REQUEST,
    stability: 'STABLE',
    buckets: [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9],
  },
  apiserver_tls_handshake_errors_total: {
    type: 'counter',
    help: "Number of requests dropped with 'TLS handshake error from' error",
    labels: [],
    stability: 'ALPHA',
  },
  apiserver_watch_events_sizes: {
    type: 'histogram',
    help: 'Watch event size distribution in bytes',
    labels: OF_TYPE,
    stability: 'ALPHA',
    buckets: [1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072],
  },
  apiserver_watch_events_total: {
    type: 'counter',
    help: 'Number of events sent in watch clients',
    labels: OF_TYPE,
    stability: 'ALPHA',
  },
  authenticated_user_requests: {
    type: 'counter',
    help: 'Counter of authenticated requests broken out by username.',
    labels: ['username'],
    stability: 'ALPHA',
  },
  authentication_attempts: {
    type: 'counter',
    help: 'Counter of authenticated attempts.',
    labels: ['result'],
    stability: 'ALPHA',
  },
  authentication_duration_seconds: {
    type: 'histogram',
    help: 'Authentication duration in seconds broken out by result.',
    labels: ['result'],
    stability: 'ALPHA',
    buckets: STEP_BOUNDS,
  },
  authorization_attempts_total: {
    type: 'counter',
    help:
      'Counter of authorization attempts broken down by result. It can be either ' +
      "'allowed', 'denied', 'no-opinion' or 'error'.",
    labels: ['result'],
    stability: 'ALPHA',
  },
  authorization_duration_seconds: {
    type: 'histogram',
    help: 'Authorization duration in seconds broken out by result.',
    labels: ['result'],
    stability: 'ALPHA',
    buckets: STEP_BOUNDS,
  },
  field_validation_request_duration_seconds: {
    type: 'histogram',
    help: 'Response latency distribution in seconds for each field validation value',
    labels: ['field_validation'],
    stability: 'ALPHA',
    buckets: REQUEST_BOUNDS,
  },
  serviceaccount_legacy_tokens_total: {
    type: 'counter',
    help: 'Cumulative legacy service account tokens used',
    labels: [],
    stability: 'ALPHA',
  },
  serviceaccount_legacy_manual_token_uses_total: {
    type: 'counter',
    help: 'Cumulative manually created legacy tokens used',
    labels: [],
    stability: 'ALPHA',
  },
  serviceaccount_legacy_auto_token_uses_total: {
    type: 'counter',
    help: 'Cumulative auto-generated legacy tokens used',
    labels: [],
    stability: 'ALPHA',
  },
  serviceaccount_invalid_legacy_auto_token_uses_total: {
    type: 'counter',
    help: 'Cumulative invalid auto-generated legacy tokens used',
    labels: [],
    stability: 'ALPHA',
  },
  serviceaccount_stale_tokens_total: {
    type: 'counter',
    help: 'Cumulative stale projected service account tokens used',
    labels: [],
    stability: 'ALPHA',
  },
  serviceaccount_valid_tokens_total: {
    type: 'counter',
    help: 'Cumulative valid projected service account tokens used',
    labels: [],
    stability: 'ALPHA',
  },
} as const satisfies Record<string, MetricDefinition>;
