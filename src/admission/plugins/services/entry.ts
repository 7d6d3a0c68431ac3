/** The plugin DenyServiceExternalIPs, as the list has it (src/admission/README.md). */
import { writes } from '../../concerns.ts';
import type { PluginEntry } from '../../plugin.ts';

export const denyServiceExternalIPs = {
  isOnByDefault: false,
  concerns: writes('', 'services', 'CREATE', 'UPDATE'),
  load: async () => (await import('./deny-service-external-ips.ts')).DENY_SERVICE_EXTERNAL_IPS,
} as const satisfies PluginEntry;
