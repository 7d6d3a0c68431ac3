/** Plugins that give default classes, as the list has them (src/admission/README.md). */
import { NEW_CLAIM, writes } from '../../concerns.ts';
import type { PluginEntry } from '../../plugin.ts';

export const defaultStorageClass = {
  isOnByDefault: true,
  concerns: NEW_CLAIM,
  load: async (context) => {
    const { DefaultStorageClass } = await import('./default-storage-class.ts');
    return new DefaultStorageClass(context);
  },
} as const satisfies PluginEntry;

export const defaultIngressClass = {
  isOnByDefault: true,
  concerns: writes('networking.cluster.io', 'ingresses', 'CREATE'),
  load: async (context) => {
    const { DefaultIngressClass } = await import('./default-ingress-class.ts');
    return new DefaultIngressClass(context);
  },
} as const satisfies PluginEntry;
