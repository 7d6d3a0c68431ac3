/** Metrics of admission policies, of conditions of policies and webhooks, and of PodSecurity. */
import type { MetricDefinition } from './metric-definition.ts';

const CHECK_BOUNDS = [5e-7, 0.001, 0.01, 0.1, 1];
const CONDITION_LABELS = ['kind', 'name', 'operation', 'type'] as const;
const BY_CONDITIONED =
  'identified by name of resource containing the match condition and broken out for each ' +
  'kind containing matchConditions (webhook or policy), operation and admission type ' +
  '(validate or admit).';

export const POLICY_METRICS = {
  apiserver_admission_match_condition_evaluation_errors_total: {
    type: 'counter',
    help: `Admission match condition evaluation errors count, ${BY_CONDITIONED}`,
    labels: CONDITION_LABELS,
    stability: 'ALPHA',
  },
  apiserver_admission_match_condition_evaluation_seconds: {
    type: 'histogram',
    help:
      'Admission match condition evaluation time in seconds, identified by name and broken out ' +
      'for each kind containing matchConditions (webhook or policy), operation and type ' +
      '(validate or admit).',
    labels: CONDITION_LABELS,
    stability: 'ALPHA',
    buckets: [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
  },
  apiserver_admission_match_condition_exclusions_total: {
    type: 'counter',
    help: `Admission match condition evaluation exclusions count, ${BY_CONDITIONED}`,
    labels: CONDITION_LABELS,
    stability: 'ALPHA',
  },
  apiserver_manifest_admission_config_controller_automatic_reload_last_timestamp_seconds: {
    type: 'gauge',
    help:
      'Timestamp of the last automatic reload of admission manifest configuration split by ' +
      'status, plugin, and apiserver identity.',
    labels: ['apiserver_id_hash', 'plugin', 'status'],
    stability: 'ALPHA',
  },
  apiserver_manifest_admission_config_controller_automatic_reloads_total: {
    type: 'counter',
    help:
      'Total number of automatic reloads of admission manifest configuration split by status, ' +
      'plugin, and apiserver identity.',
    labels: ['apiserver_id_hash', 'plugin', 'status'],
    stability: 'ALPHA',
  },
  apiserver_manifest_admission_config_controller_last_config_info: {
    type: 'gauge',
    help:
      'Information about the last applied admission manifest configuration with hash as label, ' +
      'split by plugin and apiserver identity.',
    labels: ['apiserver_id_hash', 'hash', 'plugin'],
    stability: 'ALPHA',
  },
  apiserver_mutating_admission_policy_check_duration_seconds: {
    type: 'histogram',
    help:
      'Mutation admission latency for individual mutation expressions in seconds, labeled by ' +
      'policy and binding.',
    labels: ['error_type', 'policy', 'policy_binding'],
    stability: 'ALPHA',
    buckets: CHECK_BOUNDS,
  },
  apiserver_mutating_admission_policy_check_total: {
    type: 'counter',
    help:
      'Mutation admission policy check total, labeled by policy and further identified by ' +
      'binding.',
    labels: ['error_type', 'policy', 'policy_binding'],
    stability: 'ALPHA',
  },
  apiserver_validating_admission_policy_check_duration_seconds: {
    type: 'histogram',
    help:
      'Validation admission latency for individual validation expressions in seconds, labeled by ' +
      'policy and further including binding and enforcement action taken.',
    labels: ['enforcement_action', 'error_type', 'policy', 'policy_binding'],
    stability: 'ALPHA',
    buckets: CHECK_BOUNDS,
  },
  apiserver_validating_admission_policy_check_total: {
    type: 'counter',
    help:
      'Validation admission policy check total, labeled by policy and further identified by ' +
      'binding and enforcement action taken.',
    labels: ['enforcement_action', 'error_type', 'policy', 'policy_binding'],
    stability: 'ALPHA',
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

const OF_WRITE = ['request_operation', 'resource', 'subresource'] as const;

export const POD_SECURITY_METRICS = {
  pod_security_errors_total: {
    type: 'counter',
    help:
      'Number of errors preventing normal evaluation. Non-fatal errors may result in the latest ' +
      'restricted profile being used for evaluation.',
    labels: ['fatal', ...OF_WRITE],
    stability: 'ALPHA',
  },
  pod_security_evaluations_total: {
    type: 'counter',
    help: 'Number of policy evaluations that occurred, not counting ignored or exempt requests.',
    labels: ['decision', 'mode', 'policy_level', 'policy_version', ...OF_WRITE],
    stability: 'ALPHA',
  },
  pod_security_exemptions_total: {
    type: 'counter',
    help: 'Number of exempt requests, not counting ignored or out of scope requests.',
    labels: OF_WRITE,
    stability: 'ALPHA',
  },
} as const satisfies Record<string, MetricDefinition>;
