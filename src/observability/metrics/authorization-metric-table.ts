/** Metrics of those who decide, and of the file that names them. */
import type { MetricDefinition } from './metric-definition.ts';

const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const IMPERSONATION_BOUNDS = Array.from({ length: 15 }, (_, at) => 0.001 * 2 ** at);
const CONDITION_BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25];

export const AUTHORIZATION_METRICS = {
  apiserver_authorization_config_controller_automatic_reload_last_timestamp_seconds: {
    type: 'gauge',
    help:
      'Timestamp of the last automatic reload of authorization configuration split by status ' +
      'and apiserver identity.',
    labels: ['apiserver_id_hash', 'status'],
    stability: 'ALPHA',
  },
  apiserver_authorization_config_controller_automatic_reloads_total: {
    type: 'counter',
    help:
      'Total number of automatic reloads of authorization configuration split by status and ' +
      'apiserver identity.',
    labels: ['apiserver_id_hash', 'status'],
    stability: 'ALPHA',
  },
  apiserver_authorization_config_controller_last_config_info: {
    type: 'gauge',
    help:
      'Information about the last applied authorization configuration with hash as label, ' +
      'split by apiserver identity.',
    labels: ['apiserver_id_hash', 'hash'],
    stability: 'ALPHA',
  },
  apiserver_authorization_decisions_total: {
    type: 'counter',
    help:
      'Total number of terminal decisions made by an authorizer split by authorizer type, ' +
      'name, and decision.',
    labels: ['decision', 'name', 'type'],
    stability: 'ALPHA',
  },
  apiserver_authorization_match_condition_evaluation_errors_total: {
    type: 'counter',
    help:
      'Total number of errors when an authorization webhook encounters a match condition error ' +
      'split by authorizer type and name.',
    labels: ['name', 'type'],
    stability: 'ALPHA',
  },
  apiserver_authorization_match_condition_evaluation_seconds: {
    type: 'histogram',
    help:
      'Authorization match condition evaluation time in seconds, split by authorizer type and ' +
      'name.',
    labels: ['name', 'type'],
    stability: 'ALPHA',
    buckets: CONDITION_BOUNDS,
  },
  apiserver_authorization_match_condition_exclusions_total: {
    type: 'counter',
    help:
      'Total number of exclusions when an authorization webhook is skipped because match ' +
      'conditions exclude it.',
    labels: ['name', 'type'],
    stability: 'ALPHA',
  },
  apiserver_authorization_webhook_duration_seconds: {
    type: 'histogram',
    help: 'Request latency in seconds.',
    labels: ['name', 'result'],
    stability: 'ALPHA',
    buckets: BOUNDS,
  },
  apiserver_authorization_webhook_evaluations_fail_open_total: {
    type: 'counter',
    help: 'NoOpinion results due to webhook timeout or error.',
    labels: ['name', 'result'],
    stability: 'ALPHA',
  },
  apiserver_authorization_webhook_evaluations_total: {
    type: 'counter',
    help: 'Round-trips to authorization webhooks.',
    labels: ['name', 'result'],
    stability: 'ALPHA',
  },
  apiserver_impersonation_attempts_duration_seconds: {
    type: 'histogram',
    help: 'Latency of impersonation attempts in seconds split by mode and decision.',
    labels: ['decision', 'mode'],
    stability: 'ALPHA',
    buckets: IMPERSONATION_BOUNDS,
  },
  apiserver_impersonation_attempts_total: {
    type: 'counter',
    help: 'Total number of impersonation attempts split by mode and decision.',
    labels: ['decision', 'mode'],
    stability: 'ALPHA',
  },
  apiserver_impersonation_authorization_attempts_duration_seconds: {
    type: 'histogram',
    help:
      'Latency of authorization checks made by the impersonation handler in seconds split by ' +
      'mode and decision.',
    labels: ['decision', 'mode'],
    stability: 'ALPHA',
    buckets: IMPERSONATION_BOUNDS,
  },
  apiserver_impersonation_authorization_attempts_total: {
    type: 'counter',
    help:
      'Total number of authorization checks made by the impersonation handler split by mode ' +
      'and decision.',
    labels: ['decision', 'mode'],
    stability: 'ALPHA',
  },
} as const satisfies Record<string, MetricDefinition>;
