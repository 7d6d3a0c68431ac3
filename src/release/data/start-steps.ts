/**
 * Steps of a start, as health checks name them, that are not in every release, or only with a
 * feature.
 */
import type { FEATURE_GATES } from './feature-gates.ts';
import type { Life } from '../life.ts';

export const STEP_LIVES: Readonly<
  Record<string, Life & { readonly gate?: keyof typeof FEATURE_GATES }>
> = {
  'poststarthook/apiservice-discovery-controller': { since: 26 },
  'poststarthook/apiservice-openapiv3-controller': { since: 24 },
  'poststarthook/apiservice-status-available-controller': { until: 31 },
  'poststarthook/apiservice-status-local-available-controller': { since: 31 },
  'poststarthook/apiservice-status-remote-available-controller': { since: 31 },
  'poststarthook/start-apiserver-admission-initializer': { since: 30 },
  'poststarthook/start-kube-apiserver-admission-initializer': { until: 30 },
  'poststarthook/start-kubernetes-service-cidr-controller': {
    since: 29,
    gate: 'MultiCIDRServiceAllocator',
  },
  'poststarthook/start-service-ip-repair-controllers': { since: 28 },
  'poststarthook/start-legacy-token-tracking-controller': {
    since: 26,
    gate: 'LegacyServiceAccountTokenTracking',
  },
  'poststarthook/start-system-namespaces-controller': { since: 27 },
  'poststarthook/storage-readiness': { since: 31 },
};
