/** Metrics of flow control. */
import type { MetricDefinition } from './metric-definition.ts';

const OF_FLOW = ['flow_schema', 'priority_level'] as const;
const OF_LEVEL = ['priority_level'] as const;
const SYSTEM = 'API Priority and Fairness system';
const SUBSYSTEM = 'API Priority and Fairness subsystem';
const SECONDS = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];
const AT_EVERY_NANOSECOND = 'Observations, at the end of every nanosecond, of';

function ofFlow<T extends 'counter' | 'gauge'>(type: T, help: string) {
  return { type, help, labels: OF_FLOW, stability: 'ALPHA' } as const satisfies MetricDefinition;
}

function ofLevel(help: string) {
  return {
    type: 'gauge',
    help,
    labels: OF_LEVEL,
    stability: 'ALPHA',
  } as const satisfies MetricDefinition;
}

/** The fractions of what the reference looks at all the time are those at each second here. */
export const FLOW_METRICS = {
  apiserver_current_inqueue_requests: {
    type: 'gauge',
    help: 'Maximal number of queued requests in this apiserver per request kind in last second.',
    labels: ['request_kind'],
    stability: 'ALPHA',
  },
  apiserver_flowcontrol_current_executing_requests: ofFlow(
    'gauge',
    `Number of requests in regular execution phase in the ${SYSTEM}`,
  ),
  apiserver_flowcontrol_current_executing_seats: ofFlow(
    'gauge',
    'Concurrency (number of seats) occupied by the currently executing (initial stage for a ' +
      `WATCH, any stage otherwise) requests in the ${SUBSYSTEM}`,
  ),
  apiserver_flowcontrol_current_inqueue_requests: ofFlow(
    'gauge',
    `Number of requests currently pending in queues of the ${SYSTEM}`,
  ),
  apiserver_flowcontrol_current_inqueue_seats: ofFlow(
    'gauge',
    `Number of seats currently pending in queues of the ${SUBSYSTEM}`,
  ),
  apiserver_flowcontrol_current_limit_seats: ofLevel(
    'current derived number of execution seats available to each priority level',
  ),
  apiserver_flowcontrol_current_r: ofLevel('R(time of last change)'),
  apiserver_flowcontrol_demand_seats: {
    type: 'histogram',
    help:
      `${AT_EVERY_NANOSECOND} (the number of seats each priority level could use) / (nominal ` +
      'number of seats for that level)',
    labels: OF_LEVEL,
    stability: 'ALPHA',
    buckets: [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6],
  },
  apiserver_flowcontrol_demand_seats_average: ofLevel(
    'Time-weighted average, over last adjustment period, of demand_seats',
  ),
  apiserver_flowcontrol_demand_seats_high_watermark: ofLevel(
    'High watermark, over last adjustment period, of demand_seats',
  ),
  apiserver_flowcontrol_demand_seats_smoothed: ofLevel('Smoothed seat demands'),
  apiserver_flowcontrol_demand_seats_stdev: ofLevel(
    'Time-weighted standard deviation, over last adjustment period, of demand_seats',
  ),
  apiserver_flowcontrol_dispatch_r: ofLevel('R(time of last dispatch)'),
  apiserver_flowcontrol_dispatched_requests_total: ofFlow(
    'counter',
    `Number of requests released by ${SYSTEM} for service`,
  ),
  apiserver_flowcontrol_latest_s: ofLevel('S(most recently dispatched request)'),
  apiserver_flowcontrol_lower_limit_seats: ofLevel(
    'Configured lower bound on number of execution seats available to each priority level',
  ),
  apiserver_flowcontrol_next_discounted_s_bounds: {
    ...ofLevel(
      'min and max, over queues, of S(oldest waiting request in queue) - estimated work in ' +
        'progress',
    ),
    labels: ['bound', 'priority_level'],
  },
  apiserver_flowcontrol_next_s_bounds: {
    ...ofLevel('min and max, over queues, of S(oldest waiting request in queue)'),
    labels: ['bound', 'priority_level'],
  },
  apiserver_flowcontrol_nominal_limit_seats: ofLevel(
    'Nominal number of execution seats configured for each priority level',
  ),
  apiserver_flowcontrol_priority_level_request_utilization: {
    type: 'histogram',
    help:
      `${AT_EVERY_NANOSECOND} number of requests (as a fraction of the relevant limit) waiting ` +
      'or in any stage of execution (but only initial stage for WATCHes)',
    labels: ['phase', 'priority_level'],
    stability: 'ALPHA',
    buckets: [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1],
  },
  apiserver_flowcontrol_priority_level_seat_utilization: {
    type: 'histogram',
    help:
      `${AT_EVERY_NANOSECOND} utilization of seats for any stage of execution (but only initial ` +
      'stage for WATCHes)',
    labels: ['phase', 'priority_level'],
    stability: 'ALPHA',
    buckets: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1],
  },
  apiserver_flowcontrol_rejected_requests_total: {
    ...ofFlow('counter', `Number of requests rejected by ${SYSTEM}`),
    labels: ['flow_schema', 'priority_level', 'reason'],
  },
  apiserver_flowcontrol_request_concurrency_in_use: ofFlow(
    'gauge',
    'Concurrency (number of seats) occupided by the currently executing (all phases count) ' +
      `requests in the ${SYSTEM}`,
  ),
  apiserver_flowcontrol_request_concurrency_limit: ofLevel(
    `Shared concurrency limit in the ${SYSTEM}`,
  ),
  apiserver_flowcontrol_request_dispatch_no_accommodation_total: ofFlow(
    'counter',
    'Number of times a dispatch attempt resulted in a non accommodation due to lack of available ' +
      'seats',
  ),
  apiserver_flowcontrol_request_execution_seconds: {
    type: 'histogram',
    help: `Duration of regular phase of request execution in the ${SYSTEM}`,
    labels: OF_FLOW,
    stability: 'ALPHA',
    buckets: SECONDS,
  },
  apiserver_flowcontrol_request_queue_length_after_enqueue: {
    type: 'histogram',
    help: `Length of queue in the ${SYSTEM}, as seen by each request after it is enqueued`,
    labels: OF_FLOW,
    stability: 'ALPHA',
    buckets: [0, 10, 25, 50, 100, 250, 500, 1000],
  },
  apiserver_flowcontrol_request_wait_duration_seconds: {
    type: 'histogram',
    help: 'Length of time a request spent waiting in its queue',
    labels: ['execute', 'flow_schema', 'priority_level'],
    stability: 'ALPHA',
    buckets: SECONDS,
  },
  apiserver_flowcontrol_seat_fair_frac: {
    type: 'gauge',
    help:
      "Fair fraction of server's concurrency to allocate to each priority level that can use " +
      'it',
    labels: [],
    stability: 'ALPHA',
  },
  apiserver_flowcontrol_target_seats: ofLevel('Seat allocation targets'),
  apiserver_flowcontrol_upper_limit_seats: ofLevel(
    'Configured upper bound on number of execution seats available to each priority level',
  ),
  apiserver_flowcontrol_watch_count_samples: {
    type: 'histogram',
    help: 'count of watchers for mutating requests in API Priority and Fairness',
    labels: OF_FLOW,
    stability: 'ALPHA',
    buckets: [0, 1, 10, 100, 1_000, 10_000],
  },
  apiserver_flowcontrol_work_estimated_seats: {
    type: 'histogram',
    help:
      'Number of estimated seats (maximum of initial and final seats) associated with requests ' +
      'in API Priority and Fairness',
    labels: OF_FLOW,
    stability: 'ALPHA',
    buckets: [1, 2, 4, 10],
  },
} as const satisfies Record<string, MetricDefinition>;
