/** Metrics of the audit log. */
import type { MetricDefinition } from './metric-definition.ts';

export const AUDIT_METRICS = {
  apiserver_audit_error_total: {
    type: 'counter',
    help:
      'Counter of audit events that failed to be audited properly. ' +
      'Plugin identifies the plugin affected by the error.',
    labels: ['plugin'],
    stability: 'ALPHA',
  },
  apiserver_audit_event_total: {
    type: 'counter',
    help: 'Counter of audit events generated and sent to the audit backend.',
    labels: [],
    stability: 'ALPHA',
  },
  apiserver_audit_level_total: {
    type: 'counter',
    help: 'Counter of policy levels for audit events (1 per request).',
    labels: ['level'],
    stability: 'ALPHA',
  },
  apiserver_audit_requests_rejected_total: {
    type: 'counter',
    help: 'Counter of apiserver requests rejected due to an error in audit logging backend.',
    labels: [],
    stability: 'ALPHA',
  },
} as const satisfies Record<string, MetricDefinition>;
