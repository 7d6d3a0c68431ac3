/** Metrics of PodSecurity. */
import type { MetricDefinition } from './metric-definition.ts';

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
