/** Serves the types of definitions (src/types/README.md#definitions). */
import { oneOf, type ControllerEntry } from '../controller-entry.ts';

export const definitions: ControllerEntry = {
  concerns: oneOf('customresourcedefinitions.apiextensions.cluster.io'),
  requiredBy: [],
  begins: 'withTypes',
  steps: [
    'poststarthook/start-apiextensions-informers',
    'poststarthook/start-apiextensions-controllers',
    'poststarthook/crd-informer-synced',
  ],
  run: async (ports, { nowMs, logError }) => {
    const { DefinitionController } = await import('./definition-controller.ts');
    const { builtInNames } = await import('./built-in-names.ts');
    await new DefinitionController(ports, { builtInNames, nowMs, logError }).run();
  },
};
