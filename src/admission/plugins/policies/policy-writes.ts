/** Writes of policies themselves. */
import { ownGroup } from '../../../semantics/dialect/own-names.ts';
import type { ProposedWrite } from '../../proposal.ts';

/** Whether a policy or a binding is written. */
export function isOfPolicies({
  group,
  resource,
}: Pick<ProposedWrite, 'group' | 'resource'>): boolean {
  return (
    group === ownGroup('admissionregistration.cluster.io') &&
    /^(validating|mutating)admissionpolic/.test(resource)
  );
}
