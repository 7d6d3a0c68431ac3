/** Plugins that hold writes against policies in CEL, as the list has them. */
import { ownGroup } from '../../../semantics/dialect/own-names.ts';
import type { PluginEntry } from '../../plugin.ts';
import type { ProposedWrite } from '../../proposal.ts';

export const mutatingAdmissionPolicy = {
  isOnByDefault: true,
  gate: 'MutatingAdmissionPolicy',
  // A deletion has no object that could change.
  concerns: (write) => write.operation !== 'DELETE' && mayHavePolicies(write),
  showsSent: () => true,
  load: async (context) => {
    const { MutatingPolicies } = await import('./mutating-policies.ts');
    return new MutatingPolicies(context);
  },
} as const satisfies PluginEntry;

export const validatingAdmissionPolicy = {
  isOnByDefault: true,
  gate: 'ValidatingAdmissionPolicy',
  concerns: mayHavePolicies,
  load: async (context) => {
    const { ValidatingPolicies } = await import('./validating-policies.ts');
    return new ValidatingPolicies(context);
  },
} as const satisfies PluginEntry;

/**
 * Policies are not held against policies, so that a wrong one can be removed, nor against reviews,
 * without which nobody could ask anything.
 */
function mayHavePolicies({ group, resource }: ProposedWrite): boolean {
  if (group === ownGroup('admissionregistration.cluster.io')) {
    return !/^(validating|mutating)admissionpolic/.test(resource);
  }
  return !(
    group === ownGroup('authentication.cluster.io') ||
    group === ownGroup('authorization.cluster.io')
  );
}
