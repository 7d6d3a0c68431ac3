/** The plugin TaintNodesByCondition, as the list has it (src/admission/README.md). */
import { writes } from '../../concerns.ts';
import type { PluginEntry } from '../../plugin.ts';

export const taintNodesByCondition = {
  isOnByDefault: true,
  concerns: writes('', 'nodes', 'CREATE'),
  load: async () => (await import('./taint-nodes-by-condition.ts')).TAINT_NODES_BY_CONDITION,
} as const satisfies PluginEntry;
