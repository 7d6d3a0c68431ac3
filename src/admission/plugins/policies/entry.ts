/** Plugins that hold writes against policies in CEL, as the list has them. */
import { isOfPolicies, isReview } from '../../concerns.ts';
import type { Sort } from './static-policies.ts';
import type { PluginEntry, PluginSettings } from '../../plugin.ts';
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
function settingsOf(sort: Sort): Pick<PluginEntry, 'check' | 'read'> {
  return {
    check: async (settings, gates) => {
      if (Object.keys(settings).length === 0) return [];
      const { checkStaticSettings } = await import('./static-policies.ts');
      return checkStaticSettings(sort, settings, gates);
    },
    read: async (settings, tools) => {
      const { readStaticPolicies } = await import('./static-policies.ts');
      return readStaticPolicies(sort, settings, tools);
    },
  };
}

/**
 * Policies are not held against policies, so that a wrong one can be removed, but those in files
 * are; nor against reviews, without which nobody could ask anything.
 */
function mayHavePolicies(write: ProposedWrite, settings: PluginSettings | undefined): boolean {
  if (isOfPolicies(write)) return settings?.['policies'] !== undefined;
  return !isReview(write);
}
