/**
 * All plugins, in the order in which they are asked: that of the reference. Each has a file in
 * `plugins/`, or a folder of its own, and is loaded where it is first needed.
 */
import type { PluginEntry } from './plugin.ts';
import type { ProposedWrite } from './proposal.ts';

const REGISTRY = {
  NamespaceLifecycle: {
    isOnByDefault: true,
    concerns: ({ operation, resource }) => operation !== 'CONNECT' && !isReview(resource),
    load: async (context) => {
      const { NamespaceLifecycle } = await import('./plugins/namespace-lifecycle.ts');
      return new NamespaceLifecycle(context);
    },
  },
  AlwaysDeny: {
    isOnByDefault: false,
    concerns: () => true,
    load: async () => (await import('./plugins/always-deny.ts')).ALWAYS_DENY,
  },
} as const satisfies Record<string, PluginEntry>;

/** By name, in their order. */
export const PLUGINS: Readonly<Record<string, PluginEntry>> = REGISTRY;

/** Asking who may do what makes nothing. */
function isReview(resource: string): boolean {
  return resource.endsWith('reviews');
}

/** The objects of these types themselves, when they are made. */
export function creates(...resources: readonly string[]) {
  return ({ operation, resource, subresource }: ProposedWrite): boolean =>
    operation === 'CREATE' && subresource === '' && resources.includes(resource);
}
