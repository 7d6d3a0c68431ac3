/** The plugin AlwaysDeny, as the list has it (src/admission/README.md). */
import type { PluginEntry } from '../../plugin.ts';

export const alwaysDeny = {
  isOnByDefault: false,
  concerns: () => true,
  load: async () => (await import('./always-deny.ts')).ALWAYS_DENY,
} as const satisfies PluginEntry;
