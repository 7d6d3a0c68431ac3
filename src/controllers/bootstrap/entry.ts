/** Makes the objects by which programs find the API (src/controllers/README.md). */
import { oneOf, type ControllerEntry } from '../controller-entry.ts';

export const bootstrap: ControllerEntry = {
  concerns: oneOf(
    'services',
    'endpoints',
    'endpointslices.discovery.cluster.io',
    'configmaps',
    'namespaces',
  ),
  steps: [
    'poststarthook/bootstrap-controller',
    'poststarthook/start-service-ip-repair-controllers',
    'poststarthook/start-system-namespaces-controller',
    'poststarthook/start-cluster-authentication-info-controller',
    'poststarthook/start-legacy-token-tracking-controller',
  ],
  run: async (ports, { endpoint, featureGates, nowMs, logError }) => {
    const { Bootstrap } = await import('./bootstrap.ts');
    const { tokenTracking } = await import('./token-tracking.ts');
    const isTracked = featureGates.has('LegacyServiceAccountTokenTracking');
    const more = isTracked ? [tokenTracking(nowMs)] : [];
    await new Bootstrap(ports, { endpoint, more, logError }).run();
  },
};
