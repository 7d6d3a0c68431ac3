/** Counts what health checks say, for `/metrics/slis` (src/front/README.md#health). */
import { THREAD_SERIES } from '../../observability/metrics/thread-metrics.ts';
import type { HealthPath, Outcome } from './health.ts';

/** Counts the checks of one request; those that it excludes do not count. */
export function countHealthChecks(path: HealthPath, outcomes: readonly Outcome[]): void {
  for (const { name, result } of outcomes) {
    if (result === 'excluded') continue;
    const status = result === 'ok' ? 'success' : 'error';
    const labels = { name, type: path };
    THREAD_SERIES.cell('kubernetes_healthcheck', labels).set(result === 'ok' ? 1 : 0);
    THREAD_SERIES.cell('kubernetes_healthchecks_total', { ...labels, status }).add();
  }
}
