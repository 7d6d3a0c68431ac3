/** The plugin NodeRestriction, as the list has it (src/admission/README.md). */
import type { PluginEntry } from '../../plugin.ts';

export const nodeRestriction = {
  isOnByDefault: false,
  // An agent that does not say which node it is on may write nothing.
  concerns: ({ operation }) => operation !== 'CONNECT',
  // An agent may not even try to change its taints.
  showsSent: ({ group, resource, subresource }) =>
    group === '' && resource === 'nodes' && subresource === 'status',
  load: async (context) => {
    const { NodeRestriction } = await import('./node-restriction.ts');
    return new NodeRestriction(context);
  },
} as const satisfies PluginEntry;
