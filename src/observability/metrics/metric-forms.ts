/** Releases change metrics whose names they keep. */
import { ownRelease, type Change } from '../../release/release.ts';
import type { MetricDefinition } from './metric-definition.ts';
import { METRICS } from './metric-table.ts';

interface Form extends Partial<MetricDefinition> {
  /** The change of a release with which it came. */
  readonly change: Change;
}

const WITH_QUEUES =
  'Response latency distribution (not counting webhook duration and priority & fairness ' +
  'queue wait times) in seconds for each verb, group, version, resource, subresource, ' +
  'scope and component.';
const SHORT_DURATIONS = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45,
  60,
];

const WITH_STATE: Form = {
  change: 'statesOfPolicyChecks',
  labels: ['enforcement_action', 'policy', 'policy_binding', 'state'],
};
const FLOW = 'apiserver_flowcontrol_';
const FLOWS = 'API Priority and Fairness subsystem';
const STAGES_OF_FLOWS = 'initial (for a WATCH) or any (for a non-WATCH)';

/** Texts of flow control as later releases have them. */
function flowText(help: string): Form {
  return { change: 'textsOfFlows', help };
}

const WAIT_BOUNDS = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

const UNSCOPED: Form = { change: 'unscopedAllocations', labels: ['cidr'] };

const METRIC_FORMS: Readonly<Partial<Record<keyof typeof METRICS, readonly Form[]>>> = {
  apiserver_admission_webhook_admission_duration_seconds: [
    { change: 'longWebhookDurations', buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25] },
  ],
  [`${FLOW}current_executing_requests`]: [
    flowText(`Number of requests in ${STAGES_OF_FLOWS} execution stage in the ${FLOWS}`),
  ],
  [`${FLOW}current_inqueue_requests`]: [
    flowText(`Number of requests currently pending in queues of the ${FLOWS}`),
  ],
  [`${FLOW}dispatched_requests_total`]: [flowText(`Number of requests executed by ${FLOWS}`)],
  [`${FLOW}rejected_requests_total`]: [flowText(`Number of requests rejected by ${FLOWS}`)],
  [`${FLOW}request_concurrency_in_use`]: [
    flowText(
      'Concurrency (number of seats) occupied by the currently executing (initial stage for a ' +
        `WATCH, any stage otherwise) requests in the ${FLOWS}`,
    ),
  ],
  [`${FLOW}request_concurrency_limit`]: [
    flowText(`Shared concurrency limit in the ${FLOWS}`),
    {
      change: 'longFlowWaits',
      help: 'Nominal number of execution seats configured for each priority level',
    },
  ],
  [`${FLOW}request_execution_seconds`]: [
    {
      ...flowText(`Duration of ${STAGES_OF_FLOWS} stage of request execution in the ${FLOWS}`),
      labels: ['flow_schema', 'priority_level', 'type'],
    },
    { change: 'longFlowWaits', buckets: WAIT_BOUNDS },
  ],
  [`${FLOW}request_queue_length_after_enqueue`]: [
    flowText(`Length of queue in the ${FLOWS}, as seen by each request after it is enqueued`),
  ],
  [`${FLOW}request_wait_duration_seconds`]: [{ change: 'longFlowWaits', buckets: WAIT_BOUNDS }],
  [`${FLOW}work_estimated_seats`]: [
    { change: 'widthsInMetrics', buckets: [1, 2, 4, 8, 16, 32, 64, 100] },
  ],
  apiserver_request_duration_seconds: [{ change: 'shortDurations', buckets: SHORT_DURATIONS }],
  apiserver_request_filter_duration_seconds: [
    {
      change: 'longFilterDurations',
      buckets: [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5, 10, 15, 30],
    },
  ],
  apiserver_request_sli_duration_seconds: [{ change: 'toldQueueTimes', help: WITH_QUEUES }],
  apiserver_request_slo_duration_seconds: [{ change: 'toldQueueTimes', help: WITH_QUEUES }],
  apiserver_watch_events_sizes: [
    { change: 'typesByResource', labels: ['group', 'resource', 'version'] },
  ],
  apiserver_watch_events_total: [
    { change: 'typesByResource', labels: ['group', 'resource', 'version'] },
  ],
  kube_apiserver_clusterip_allocator_allocation_errors_total: [UNSCOPED],
  kube_apiserver_clusterip_allocator_allocation_total: [UNSCOPED],
  apiserver_validating_admission_policy_check_duration_seconds: [
    {
      ...WITH_STATE,
      help:
        'Validation admission latency for individual validation expressions in seconds, labeled ' +
        'by policy and further including binding, state and enforcement action taken.',
    },
  ],
  apiserver_validating_admission_policy_check_total: [
    {
      ...WITH_STATE,
      help:
        'Validation admission policy check total, labeled by policy and further identified by ' +
        'binding, enforcement action taken, and state.',
    },
  ],
  etcd_request_duration_seconds: [
    { change: 'shortDurations', buckets: SHORT_DURATIONS },
    { change: 'typesByResource', labels: ['group', 'operation', 'resource'] },
  ],
};

/**
 * The definition of a metric in the release of this process. Threads count before they know their
 * release, so that it is asked for only where it matters.
 */
export function ownDefinition(name: keyof typeof METRICS): MetricDefinition {
  const forms = METRIC_FORMS[name];
  if (forms === undefined) return METRICS[name];
  const { has } = ownRelease();
  return Object.assign({}, METRICS[name], ...forms.filter(({ change }) => has(change)));
}
