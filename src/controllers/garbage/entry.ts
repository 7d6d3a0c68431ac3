/** Deletes objects without owners (src/controllers/README.md). */
import type { ControllerEntry } from '../controller-entry.ts';

export const garbageCollector: ControllerEntry = {
  // Events come and go by themselves: nothing is collected with them.
  concerns: ({ defaultPropagation }) => defaultPropagation !== 'none',
  hasOwnVerbs: true,
  run: async (ports, { types, logError }) => {
    const { GarbageCollector } = await import('./garbage-collector.ts');
    const { OwnerKinds } = await import('./owner-kinds.ts');
    const { BUILT_IN_TYPES } = await import('../../types/served-types.ts');
    const kinds = new OwnerKinds(BUILT_IN_TYPES);
    await new GarbageCollector(ports, { kinds, types, logError }).run();
  },
};
