/** Keeps the APIServices of what is served (src/controllers/README.md). */
import { oneOf, type ControllerEntry } from '../controller-entry.ts';

export const apiServices: ControllerEntry = {
  concerns: oneOf(
    'apiservices.apiregistration.cluster.io',
    'customresourcedefinitions.apiextensions.cluster.io',
  ),
  requiredBy: [],
  change: 'objectsOfServing',
  steps: [
    'poststarthook/kube-apiserver-autoregistration',
    'poststarthook/apiservice-registration-controller',
  ],
  run: async (ports, { runtimeConfig, featureGates, logError }) => {
    const { SYSTEM_TIMERS } = await import('../../base/time/timers.ts');
    const { ApiServices } = await import('./api-services.ts');
    const options = { runtimeConfig, featureGates, timers: SYSTEM_TIMERS, logError };
    await new ApiServices(ports, options).run();
  },
};
