/** The plugin LimitRanger, as the list has it (src/admission/README.md). */
import { NEW_POD, writes } from '../../concerns.ts';
import type { PluginEntry } from '../../plugin.ts';

const CLAIM_WRITES = writes('', 'persistentvolumeclaims', 'CREATE', 'UPDATE');

export const limitRanger = {
  isOnByDefault: true,
  concerns: (write) => NEW_POD(write) || CLAIM_WRITES(write),
  load: async (context) => {
    const { LimitRanger } = await import('./limit-ranger.ts');
    return new LimitRanger(context);
  },
} as const satisfies PluginEntry;
