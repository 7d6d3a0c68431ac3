/** Plugins about namespaces, as the list has them (src/admission/README.md). */
import { isNamespace } from '../../concerns.ts';
import type { PluginEntry } from '../../plugin.ts';

export const namespaceAutoProvision = {
  isOnByDefault: false,
  concerns: (write) => write.operation === 'CREATE' && !isNamespace(write),
  load: async (context) => {
    const { NamespaceAutoProvision } = await import('./namespace-auto-provision.ts');
    return new NamespaceAutoProvision(context);
  },
} as const satisfies PluginEntry;

export const namespaceLifecycle = {
  isOnByDefault: true,
  concerns: ({ operation, resource }) => operation !== 'CONNECT' && !isReview(resource),
  load: async (context) => {
    const { NamespaceLifecycle } = await import('./namespace-lifecycle.ts');
    return new NamespaceLifecycle(context);
  },
} as const satisfies PluginEntry;

export const namespaceExists = {
  isOnByDefault: false,
  concerns: (write) => write.operation !== 'CONNECT' && !isNamespace(write),
  load: async (context) => {
    const { NamespaceExists } = await import('./namespace-exists.ts');
    return new NamespaceExists(context);
  },
} as const satisfies PluginEntry;

/** Asking who may do what makes nothing. */
function isReview(resource: string): boolean {
  return resource.endsWith('reviews');
}
