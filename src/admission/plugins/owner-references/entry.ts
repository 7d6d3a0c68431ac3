/** The plugin about owners of objects, as the list has it (src/admission/README.md). */
import type { PluginEntry } from '../../plugin.ts';

export const ownerReferencesPermissionEnforcement = {
  isOnByDefault: false,
  concerns: ({ operation, group, resource, subresource }) =>
    (operation === 'CREATE' || operation === 'UPDATE') &&
    // Owners do not change with the status of a pod, and agents may have lost some of them.
    !(group === '' && resource === 'pods' && subresource === 'status'),
  load: async (context) => {
    const { OwnerReferences } = await import('./owner-references.ts');
    return new OwnerReferences(context);
  },
} as const satisfies PluginEntry;
