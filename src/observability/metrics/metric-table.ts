/**
 * Every metric: the names, labels and bounds of the releases, and our own. Those that are not in
 * every release stand in src/release/data/metrics.ts.
 */
import { AUDIT_METRICS } from './audit-metric-table.ts';
import { AUTHENTICATION_METRICS } from './authentication-metric-table.ts';
import { AUTHORIZATION_METRICS } from './authorization-metric-table.ts';
import { FLOW_METRICS } from './flow-metric-table.ts';
import { JOURNAL_METRICS } from './journal-metric-table.ts';
import type { MetricDefinition } from './metric-definition.ts';
import { POD_SECURITY_METRICS, POLICY_METRICS } from './policy-metric-table.ts';
import { SERVICE_METRICS } from './service-metric-table.ts';
import { PROCESS_METRICS } from './process-metric-table.ts';
import { REQUEST_METRICS } from './request-metric-table.ts';
import { SLI_METRICS } from './sli-metric-table.ts';

const ADMISSION_BOUNDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
const STORE_BOUNDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 15, 30, 60];
const QUEUE_BOUNDS = powers(1e-8, 10, 10);
const CLIENT_BOUNDS = powers(0.001, 2, 10);
const COMMIT_BOUNDS = powers(0.0001, 2, 14);

export const METRICS = {
  ...REQUEST_METRICS,
  ...AUDIT_METRICS,
  ...AUTHENTICATION_METRICS,
  ...AUTHORIZATION_METRICS,
  ...POD_SECURITY_METRICS,
  ...POLICY_METRICS,
  ...FLOW_METRICS,
  ...JOURNAL_METRICS,
  ...SERVICE_METRICS,
  ...SLI_METRICS,
  aggregator_unavailable_apiservice: {
    type: 'gauge',
    help: 'Gauge of APIServices which are marked as unavailable broken down by APIService name.',
    labels: ['name'],
    stability: 'ALPHA',
  },
  aggregator_unavailable_apiservice_total: {
    type: 'counter',
    help:
      'Counter of APIServices which are marked as unavailable broken down by APIService name ' +
      'and reason.',
    labels: ['name', 'reason'],
    stability: 'ALPHA',
  },
  apiserver_admission_controller_admission_duration_seconds: {
    type: 'histogram',
    help:
      'Admission controller latency histogram in seconds, identified by name and broken' +
      ' out for each operation and API resource and type (validate or admit).',
    labels: ['name', 'operation', 'rejected', 'type'],
    stability: 'STABLE',
    buckets: ADMISSION_BOUNDS,
  },
  apiserver_admission_step_admission_duration_seconds: {
    type: 'histogram',
    help:
      'Admission sub-step latency histogram in seconds, broken out for each operation ' +
      'and API resource and step type (validate or admit).',
    labels: ['operation', 'rejected', 'type'],
    stability: 'STABLE',
    buckets: ADMISSION_BOUNDS,
  },
  apiserver_admission_webhook_admission_duration_seconds: {
    type: 'histogram',
    help:
      'Admission webhook latency histogram in seconds, identified by name and broken ' +
      'out for each operation and API resource and type (validate or admit).',
    labels: ['name', 'operation', 'rejected', 'type'],
    stability: 'STABLE',
    buckets: ADMISSION_BOUNDS,
  },
  apiserver_admission_webhook_rejection_count: {
    type: 'counter',
    help:
      'Admission webhook rejection count, identified by name and broken out for each ' +
      'admission type (validating or admit) and operation. Additional labels specify an ' +
      'error type (calling_webhook_error or apiserver_internal_error if an error ' +
      'occurred; no_error otherwise) and optionally a non-zero rejection code if the ' +
      'webhook rejects the request with an HTTP status code (honored by the apiserver ' +
      'when the code is greater or equal to 400). Codes greater than 600 are truncated ' +
      'to 600, to keep the metrics cardinality bounded.',
    labels: ['error_type', 'name', 'operation', 'rejection_code', 'type'],
    stability: 'ALPHA',
  },
  apiserver_admission_webhook_request_total: {
    type: 'counter',
    help:
      'Admission webhook request total, identified by name and broken out for each ' +
      'admission type (validating or mutating) and operation. Additional labels specify ' +
      'whether the request was rejected or not and an HTTP status code. Codes greater ' +
      'than 600 are truncated to 600, to keep the metrics cardinality bounded.',
    labels: ['code', 'name', 'operation', 'rejected', 'type'],
    stability: 'ALPHA',
  },
  apiserver_resource_objects: {
    type: 'gauge',
    help:
      'Number of stored objects at the time of last check split by kind. In case of a ' +
      'fetching error, the value will be -1.',
    labels: ['group', 'resource'],
    stability: 'ALPHA',
  },
  apiserver_storage_objects: {
    type: 'gauge',
    help: 'Number of stored objects at the time of last check split by kind.',
    labels: ['resource'],
    stability: 'STABLE',
  },
  etcd_object_counts: {
    type: 'gauge',
    help: 'Number of stored objects at the time of last check split by kind.',
    labels: ['resource'],
    stability: 'ALPHA',
  },
  etcd_request_duration_seconds: {
    type: 'histogram',
    help:
      'Etcd request latency in seconds for each operation and object type: here, of the' +
      ' commit that a write is a part of.',
    labels: ['operation', 'type'],
    stability: 'ALPHA',
    buckets: STORE_BOUNDS,
  },
  apiserver_webhooks_x509_missing_san_total: {
    type: 'counter',
    help:
      'Counts the number of requests to servers missing SAN extension in their serving ' +
      'certificate OR the number of connection failures due to the lack of x509 certificate SAN ' +
      'extension missing (either/or, based on the runtime environment)',
    labels: [],
    stability: 'ALPHA',
  },
  rest_client_request_duration_seconds: {
    type: 'histogram',
    help: 'Request latency in seconds. Broken down by verb and URL.',
    labels: ['url', 'verb'],
    stability: 'ALPHA',
    buckets: CLIENT_BOUNDS,
  },
  rest_client_requests_total: {
    type: 'counter',
    help: 'Number of HTTP requests, partitioned by status code, method, and host.',
    labels: ['code', 'host', 'method'],
    stability: 'ALPHA',
  },
  workqueue_adds_total: {
    type: 'counter',
    help: 'Total number of adds handled by workqueue',
    labels: ['name'],
    stability: 'ALPHA',
  },
  workqueue_depth: {
    type: 'gauge',
    help: 'Current depth of workqueue',
    labels: ['name'],
    stability: 'ALPHA',
  },
  workqueue_longest_running_processor_seconds: {
    type: 'gauge',
    help: 'How many seconds has the longest running processor for workqueue been running.',
    labels: ['name'],
    stability: 'ALPHA',
  },
  workqueue_queue_duration_seconds: {
    type: 'histogram',
    help: 'How long in seconds an item stays in workqueue before being requested.',
    labels: ['name'],
    stability: 'ALPHA',
    buckets: QUEUE_BOUNDS,
  },
  workqueue_retries_total: {
    type: 'counter',
    help: 'Total number of retries handled by workqueue',
    labels: ['name'],
    stability: 'ALPHA',
  },
  workqueue_unfinished_work_seconds: {
    type: 'gauge',
    help:
      "How many seconds of work has done that is in progress and hasn't been observed by " +
      'work_duration. Large values indicate stuck threads. One can deduce the number of ' +
      'stuck threads by observing the rate at which this increases.',
    labels: ['name'],
    stability: 'ALPHA',
  },
  workqueue_work_duration_seconds: {
    type: 'histogram',
    help: 'How long in seconds processing an item from workqueue takes.',
    labels: ['name'],
    stability: 'ALPHA',
    buckets: QUEUE_BOUNDS,
  },
  shardplane_laboratory_decisions_total: {
    type: 'counter',
    help: 'Requests that a fault of the laboratory is about, by whether it has acted.',
    labels: ['acted', 'fault'],
    stability: 'ALPHA',
  },
  shardplane_commit_duration_seconds: {
    type: 'histogram',
    help: 'How long commits of a type take until they are as durable as is asked for.',
    labels: ['resource'],
    stability: 'ALPHA',
    buckets: COMMIT_BOUNDS,
  },
  shardplane_commit_writes: {
    type: 'histogram',
    help: 'Writes that share a commit.',
    labels: ['resource'],
    stability: 'ALPHA',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 1024, 4096],
  },
  shardplane_commit_failures_total: {
    type: 'counter',
    help: 'Commits that came to nothing.',
    labels: ['resource'],
    stability: 'ALPHA',
  },
  shardplane_history_versions: {
    type: 'gauge',
    help: 'Records of a type that the store has: objects, and old versions in the history window.',
    labels: ['resource'],
    stability: 'ALPHA',
  },
  shardplane_history_horizon_version: {
    type: 'gauge',
    help:
      'The version from which on the history of a type is complete; 0 where nothing was' +
      ' dropped.',
    labels: ['resource'],
    stability: 'ALPHA',
  },
  shardplane_newest_version: {
    type: 'gauge',
    help: 'The version of the newest change of a type.',
    labels: ['resource'],
    stability: 'ALPHA',
  },
  shardplane_mailbox_requests: {
    type: 'gauge',
    help: 'Requests that fronts wait for the shard of a type to answer.',
    labels: ['resource'],
    stability: 'ALPHA',
  },
  shardplane_proposed_creates_total: {
    type: 'counter',
    help: 'Creates that fronts have proposed in the place of a busy shard.',
    labels: ['resource'],
    stability: 'ALPHA',
  },
  shardplane_connections: {
    type: 'gauge',
    help: 'Connections of clients that are open.',
    labels: [],
    stability: 'ALPHA',
  },
  shardplane_connections_waiting: {
    type: 'gauge',
    help: 'Connections of them on which no request is under way.',
    labels: [],
    stability: 'ALPHA',
  },
  shardplane_connections_refused_total: {
    type: 'counter',
    help: 'Connections that were too many, of those that are open or of those that wait.',
    labels: ['bound'],
    stability: 'ALPHA',
  },
  shardplane_slow_heads_total: {
    type: 'counter',
    help: 'Connections that were cut because the head of a request did not come in time.',
    labels: [],
    stability: 'ALPHA',
  },
  shardplane_user_watches_max: {
    type: 'gauge',
    help: 'Watches of the user who has most of them, where they are bounded.',
    labels: [],
    stability: 'ALPHA',
  },
  shardplane_watches_refused_total: {
    type: 'counter',
    help: 'Watches of users who had as many as one may have.',
    labels: [],
    stability: 'ALPHA',
  },
  shardplane_watches: {
    type: 'gauge',
    help: 'Watches by whether they catch up from history, are live, or do not take what there is.',
    labels: ['population', 'resource'],
    stability: 'ALPHA',
  },
  shardplane_watch_lag_events: {
    type: 'gauge',
    help: 'Events that the live watch of a type that is furthest behind was not sent yet.',
    labels: ['resource'],
    stability: 'ALPHA',
  },
  shardplane_watch_lag_seconds: {
    type: 'gauge',
    help:
      'For how long the watch of a type that is furthest behind was not sent an event that' +
      ' there is.',
    labels: ['resource'],
    stability: 'ALPHA',
  },
  shardplane_watch_ring_overflows_total: {
    type: 'counter',
    help: 'Watches that fell so far behind that they go on from history.',
    labels: ['resource'],
    stability: 'ALPHA',
  },
  shardplane_event_loop_delay_seconds: {
    type: 'histogram',
    help: 'How late a thread is with what it was to do.',
    labels: ['thread'],
    stability: 'ALPHA',
    buckets: powers(0.001, 2, 13),
  },
  shardplane_event_loop_utilization: {
    type: 'gauge',
    help: 'The part of the last second in which a thread was busy.',
    labels: ['thread'],
    stability: 'ALPHA',
  },
  shardplane_metric_series_refused: {
    type: 'gauge',
    help: 'Series of a thread for which there was no room.',
    labels: ['thread'],
    stability: 'ALPHA',
  },
  ...PROCESS_METRICS,
} as const satisfies Record<string, MetricDefinition>;

function powers(start: number, factor: number, count: number): readonly number[] {
  const bounds = [start];
  while (bounds.length < count) bounds.push(bounds.at(-1)! * factor);
  return bounds;
}
