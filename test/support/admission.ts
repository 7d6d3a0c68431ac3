/** A chain of admission in which only the rules of namespaces have a say, known at once. */
import { AdmissionChain } from '../../src/admission/chain.ts';
import type { NamespaceReplica } from '../../src/admission/namespace-replica.ts';
import type { AdmissionContext, PluginEntry } from '../../src/admission/plugin.ts';
import { PLUGINS } from '../../src/admission/plugins.ts';
import { NamespaceLifecycle } from '../../src/admission/plugins/namespaces/namespace-lifecycle.ts';

const NAME = 'NamespaceLifecycle';

/** `others` are asked after it. Without namespaces the types have none. */
export function chainOf(
  namespaces: NamespaceReplica | undefined,
  others: Readonly<Record<string, PluginEntry>> = {},
): AdmissionChain {
  const entry = PLUGINS[NAME];
  if (entry === undefined) throw new Error(`there is no plugin ${NAME}`);
  const lifecycle: PluginEntry = {
    ...entry,
    load: () => new NamespaceLifecycle({ namespaces: namespaces ?? NO_NAMESPACES }),
  };
  const entries = { [NAME]: lifecycle, ...others };
  return new AdmissionChain({ plugins: Object.keys(entries), settings: {} }, entries, UNUSED);
}

const NO_NAMESPACES = {
  isCurrent: true,
  whenCurrent: async () => undefined,
} as unknown as NamespaceReplica;

/** The plugins of a test have what they need. */
const UNUSED = {} as AdmissionContext;
