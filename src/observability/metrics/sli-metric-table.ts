/** Metrics of health checks, by which others reckon how reliable the server is. */
import type { MetricDefinition } from './metric-definition.ts';

export const SLI_METRICS = {
  kubernetes_healthcheck: {
    type: 'gauge',
    help: 'This metric records the result of a single healthcheck.',
    labels: ['name', 'type'],
    stability: 'ALPHA',
  },
  kubernetes_healthchecks_total: {
    type: 'counter',
    help: 'This metric records the results of all healthcheck.',
    labels: ['name', 'status', 'type'],
    stability: 'ALPHA',
  },
} as const satisfies Record<string, MetricDefinition>;
