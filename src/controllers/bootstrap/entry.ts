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
    'poststarthook/start-cluster-authentication-info-controller',
  ],
  run: async (ports, { endpoint, logError }) => {
    const { Bootstrap } = await import('./bootstrap.ts');
    await new Bootstrap(ports, { endpoint, logError }).run();
  },
};
