/** The metrics that are not in every release. */
import type { Life } from '../life.ts';

export interface MetricLife extends Life {
  /** The first minor whose users are told that it will go. */
  readonly deprecated?: number;
  /** The first minor in which it is of this stability. */
  readonly beta?: number;
  readonly stable?: number;
}

/** `until` is the first minor that shows it no more where nobody asks for hidden ones. */
export const METRIC_LIVES = {
  apiserver_admission_match_condition_evaluation_errors_total: { since: 28 },
  apiserver_admission_match_condition_evaluation_seconds: { since: 28 },
  apiserver_admission_match_condition_exclusions_total: { since: 28 },
  apiserver_authentication_config_controller_automatic_reload_last_timestamp_seconds: {
    since: 30,
    beta: 34,
  },
  apiserver_authentication_config_controller_automatic_reloads_total: { since: 30, beta: 34 },
  apiserver_authentication_config_controller_last_config_info: { since: 34 },
  apiserver_authentication_jwt_authenticator_jwks_fetch_last_key_set_info: { since: 35 },
  apiserver_authentication_jwt_authenticator_jwks_fetch_last_timestamp_seconds: { since: 35 },
  apiserver_authentication_jwt_authenticator_latency_seconds: { since: 30 },
  apiserver_authorization_config_controller_automatic_reload_last_timestamp_seconds: {
    since: 30,
    beta: 35,
  },
  apiserver_authorization_config_controller_automatic_reloads_total: { since: 30, beta: 35 },
  apiserver_authorization_config_controller_last_config_info: { since: 35 },
  apiserver_authorization_decisions_total: { since: 30 },
  apiserver_authorization_match_condition_evaluation_errors_total: { since: 30 },
  apiserver_authorization_match_condition_evaluation_seconds: { since: 30 },
  apiserver_authorization_match_condition_exclusions_total: { since: 30 },
  apiserver_authorization_webhook_duration_seconds: { since: 30 },
  apiserver_authorization_webhook_evaluations_fail_open_total: { since: 30 },
  apiserver_authorization_webhook_evaluations_total: { since: 30 },
  apiserver_dropped_requests_total: { deprecated: 24, until: 25 },
  apiserver_impersonation_attempts_duration_seconds: { since: 36 },
  apiserver_impersonation_attempts_total: { since: 36 },
  apiserver_impersonation_authorization_attempts_duration_seconds: { since: 36 },
  apiserver_impersonation_authorization_attempts_total: { since: 36 },
  apiserver_longrunning_gauge: { deprecated: 23, until: 24 },
  apiserver_longrunning_requests: { stable: 25 },
  apiserver_mutating_admission_policy_check_duration_seconds: { since: 34 },
  apiserver_mutating_admission_policy_check_total: { since: 34 },
  apiserver_registered_watchers: { deprecated: 23, until: 24 },
  apiserver_request_body_size_bytes: { since: 27 },
  apiserver_request_sli_duration_seconds: { since: 26 },
  apiserver_request_slo_duration_seconds: { deprecated: 27, until: 28 },
  apiserver_resource_objects: { since: 34 },
  apiserver_storage_objects: { deprecated: 35, until: 37 },
  apiserver_validating_admission_policy_check_duration_seconds: { since: 26, beta: 31 },
  apiserver_validating_admission_policy_check_total: { since: 26, beta: 31 },
  apiserver_watch_events_sizes: { beta: 37 },
  apiserver_watch_events_total: { beta: 37 },
  authorization_attempts_total: { since: 28 },
  authorization_duration_seconds: { since: 28 },
  etcd_object_counts: { deprecated: 22, until: 24 },
  field_validation_request_duration_seconds: { since: 24 },
  kube_apiserver_clusterip_allocator_allocation_duration_seconds: { since: 31 },
  kube_apiserver_nodeport_allocator_allocated_ports: { since: 27 },
  kube_apiserver_nodeport_allocator_allocation_errors_total: { since: 27 },
  kube_apiserver_nodeport_allocator_allocation_total: { since: 27 },
  kube_apiserver_nodeport_allocator_available_ports: { since: 27 },
  kubernetes_build_info: { beta: 36 },
  kubernetes_feature_enabled: { since: 26, beta: 28 },
  kubernetes_healthcheck: { since: 26, beta: 28, stable: 29 },
  kubernetes_healthchecks_total: { since: 26, beta: 28, stable: 29 },
  serviceaccount_invalid_legacy_auto_token_uses_total: { since: 29 },
  serviceaccount_legacy_auto_token_uses_total: { since: 29 },
  serviceaccount_legacy_manual_token_uses_total: { since: 29 },
  serviceaccount_legacy_tokens_total: { beta: 37 },
  serviceaccount_stale_tokens_total: { beta: 37 },
  serviceaccount_valid_tokens_total: { beta: 37 },
  workqueue_adds_total: { beta: 36 },
  workqueue_depth: { beta: 36 },
  workqueue_longest_running_processor_seconds: { beta: 36 },
  workqueue_queue_duration_seconds: { beta: 36 },
  workqueue_retries_total: { beta: 36 },
  workqueue_unfinished_work_seconds: { beta: 36 },
  workqueue_work_duration_seconds: { beta: 36 },
} as const satisfies Record<string, MetricLife>;
