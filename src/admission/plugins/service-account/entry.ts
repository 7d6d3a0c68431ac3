/** The plugin ServiceAccount, as the list has it (src/admission/README.md). */
import { NEW_POD } from '../../concerns.ts';
import type { PluginEntry } from '../../plugin.ts';

export const serviceAccount = {
  isOnByDefault: true,
  concerns: NEW_POD,
  load: async (context) => {
    const { ServiceAccount } = await import('./service-account.ts');
    return new ServiceAccount(context);
  },
} as const satisfies PluginEntry;
