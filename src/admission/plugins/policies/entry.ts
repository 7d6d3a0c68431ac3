/** Plugins that hold writes against policies in CEL, as the list has them. */
import { isOfPolicies, isReview } from '../../concerns.ts';
import type { Sort } from './static-policies.ts';
import {
  manifestsIn,
  type ManifestFiles,
  type Manifests,
  type PluginEntry,
  type PluginSettings,
  type PluginTools,
} from '../../plugin.ts';
import type { ProposedWrite } from '../../proposal.ts';

export const mutatingAdmissionPolicy = {
  isOnByDefault: true,
  gate: 'MutatingAdmissionPolicy',
  // A deletion has no object that could change.
  concerns: (write, settings) => write.operation !== 'DELETE' && mayHavePolicies(write, settings),
  showsSent: () => true,
  ...settingsOf('mutating'),
  load: async (context, settings) => {
    const { MutatingPolicies } = await import('./mutating-policies.ts');
    return new MutatingPolicies(context, settings);
  },
} as const satisfies PluginEntry;

export const validatingAdmissionPolicy = {
  isOnByDefault: true,
  gate: 'ValidatingAdmissionPolicy',
  concerns: mayHavePolicies,
  ...settingsOf('validating'),
  load: async (context, settings) => {
    const { ValidatingPolicies } = await import('./validating-policies.ts');
    return new ValidatingPolicies(context, settings);
  },
} as const satisfies PluginEntry;

/** Files may hold policies, whose folder the settings name. */
function settingsOf(sort: Sort): Pick<PluginEntry, 'check' | 'read' | 'readManifests'> {
  const readManifests = async (from: ManifestFiles, tools: PluginTools): Promise<Manifests> => {
    const { readStaticPolicies } = await import('./static-policies.ts');
    return readStaticPolicies(sort, from, tools);
  };
  return {
    check: async (settings, gates) => {
      if (Object.keys(settings).length === 0) return [];
      const { checkStaticSettings } = await import('./static-policies.ts');
      return checkStaticSettings(sort, settings, gates);
    },
    read: async (settings, tools) => {
      const { withManifests } = await import('../../static-manifests.ts');
      return withManifests(settings, (from) => readManifests(from, tools));
    },
    readManifests,
  };
}

/**
 * Policies are not held against policies, so that a wrong one can be removed, but those in files
 * are; nor against reviews, without which nobody could ask anything.
 */
function mayHavePolicies(write: ProposedWrite, settings: PluginSettings | undefined): boolean {
  if (isOfPolicies(write)) return manifestsIn(settings) !== undefined;
  return !isReview(write);
}
