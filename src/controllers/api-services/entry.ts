/** The controllers of APIServices (src/controllers/README.md). */
import { oneOf, type ControllerEntry } from '../controller-entry.ts';

const API_SERVICES = 'apiservices.apiregistration.cluster.io';

export const apiServices: ControllerEntry = {
  concerns: oneOf(API_SERVICES, 'customresourcedefinitions.apiextensions.cluster.io'),
  requiredBy: [],
  change: 'objectsOfServing',
  steps: ['poststarthook/kube-apiserver-autoregistration'],
  run: async (ports, { runtimeConfig, featureGates, logError }) => {
    const { SYSTEM_TIMERS } = await import('../../base/time/timers.ts');
    const { ApiServices } = await import('./api-services.ts');
    const options = { runtimeConfig, featureGates, timers: SYSTEM_TIMERS, logError };
    await new ApiServices(ports, options).run();
  },
};

export const apiServiceStatus: ControllerEntry = {
  concerns: oneOf(API_SERVICES),
  steps: [
    'poststarthook/start-kube-aggregator-informers',
    'poststarthook/apiservice-registration-controller',
    'poststarthook/apiservice-status-available-controller',
    'poststarthook/apiservice-status-local-available-controller',
    'poststarthook/apiservice-status-remote-available-controller',
    'poststarthook/apiservice-discovery-controller',
    'poststarthook/apiservice-openapi-controller',
    'poststarthook/apiservice-openapiv3-controller',
  ],
  run: async (ports, { aggregation, nowMs, logError }) => {
    const { SYSTEM_TIMERS } = await import('../../base/time/timers.ts');
    const { ApiServiceStatus } = await import('./api-service-status.ts');
    const options = { aggregation, timers: SYSTEM_TIMERS, nowMs, logError };
    await new ApiServiceStatus(ports, options).run();
  },
};
