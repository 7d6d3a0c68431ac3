/** Nodes without machines (src/controllers/README.md#fake-nodes). */
import { oneOf, type ControllerEntry } from '../controller-entry.ts';

export const fakeNodes: ControllerEntry = {
  concerns: oneOf('nodes', 'pods', 'leases.coordination.cluster.io'),
  requiredBy: ['--fake-nodes'],
  run: async (ports, { fakeNodes: count, featureGates, nowMs, logError }) => {
    const { runFakeNodes } = await import('./fake-nodes.ts');
    await runFakeNodes(ports, { count, featureGates, nowMs, logError });
  },
};
