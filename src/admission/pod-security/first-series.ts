/** The numbers of PodSecurity that are told before it has decided anything, as in release 1.23. */
import { THREAD_SERIES } from '../../observability/metrics/thread-metrics.ts';
import { LATEST } from './levels.ts';

/** From now on they are told by this thread, as 0. */
export function beginPodSecuritySeries(): void {
  for (const operation of ['create', 'update']) {
    const pod = { request_operation: operation, resource: 'pod', subresource: '' };
    THREAD_SERIES.cell('pod_security_evaluations_total', {
      ...pod,
      decision: 'allow',
      mode: 'enforce',
      policy_level: 'privileged',
      policy_version: LATEST,
    });
    THREAD_SERIES.cell('pod_security_exemptions_total', pod);
    THREAD_SERIES.cell('pod_security_exemptions_total', { ...pod, resource: 'controller' });
  }
}
