/** Plugins about volumes and claims, as the list has them (src/admission/README.md). */
import { NEW_CLAIM, writes } from '../../concerns.ts';
import type { PluginEntry } from '../../plugin.ts';

const NEW_VOLUME = writes('', 'persistentvolumes', 'CREATE');

export const storageObjectInUseProtection = {
  isOnByDefault: true,
  concerns: (write) => NEW_VOLUME(write) || NEW_CLAIM(write),
  load: async () =>
    (await import('./storage-object-in-use-protection.ts')).STORAGE_OBJECT_IN_USE_PROTECTION,
} as const satisfies PluginEntry;

export const persistentVolumeClaimResize = {
  isOnByDefault: true,
  concerns: writes('', 'persistentvolumeclaims', 'UPDATE'),
  load: async (context) => {
    const { PersistentVolumeClaimResize } = await import('./persistent-volume-claim-resize.ts');
    return new PersistentVolumeClaimResize(context);
  },
} as const satisfies PluginEntry;
