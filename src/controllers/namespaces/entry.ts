/** Empties terminating namespaces (src/controllers/README.md). */
import type { ControllerEntry } from '../controller-entry.ts';

export const namespace: ControllerEntry = {
  concerns: ({ resource, namespaced }) => namespaced || resource === 'namespaces',
  hasOwnVerbs: true,
  run: async (ports, { featureGates, aggregation, nowMs, logError }) => {
    const { NamespaceController } = await import('./namespace-controller.ts');
    const { OtherServers } = await import('./other-servers.ts');
    const others = new OtherServers({ aggregation, nowMs });
    const podsFirst = featureGates.has('OrderedNamespaceDeletion');
    await new NamespaceController(ports, { podsFirst, others, logError }).run();
  },
};
