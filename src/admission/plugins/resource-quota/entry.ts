/** The plugin ResourceQuota, as the list has it (src/admission/README.md). */
import type { PluginEntry } from '../../plugin.ts';

/** Types whose objects may come to use more of a quota than they did. */
const GROWING: readonly string[] = ['services', 'persistentvolumeclaims'];

export const resourceQuota = {
  isOnByDefault: true,
  keeps: () => true,
  concerns: ({ operation, resource, subresource }) =>
    subresource === '' &&
    (operation === 'CREATE' || (operation === 'UPDATE' && GROWING.includes(resource))),
  check: async (settings) => {
    const { checkLimitedResources } = await import('./limited-resources.ts');
    return checkLimitedResources(settings);
  },
  load: async (context, settings) => {
    const { ResourceQuotaPlugin } = await import('./resource-quota.ts');
    return new ResourceQuotaPlugin(context, settings);
  },
} as const satisfies PluginEntry;
