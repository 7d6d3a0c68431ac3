/** Protects groups of pods that are in use (src/controllers/README.md#groups-in-use). */
import { oneOf, type ControllerEntry } from '../controller-entry.ts';

export const podGroupProtection: ControllerEntry = {
  concerns: oneOf('podgroups.scheduling.cluster.io', 'pods'),
  requiredBy: ['GenericWorkload'],
  steps: [],
  run: async (ports, { answered, logError }) => {
    const { protectGroups } = await import('./group-protection.ts');
    await protectGroups(ports, { answered, logError });
  },
};
