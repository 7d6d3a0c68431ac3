/** Whether a policy or a binding is for a write (README.md#who-is-asked). */
import { ruled, selects, type Matched } from '../../matching.ts';
import type { NamespaceReplica } from '../../namespace-replica.ts';
import type { Proposal } from '../../proposal.ts';
import type { PolicyCriteria } from './configured-policy.ts';

/**
 * The type and version that the criteria name of a write; undefined where they are not for it.
 * Throws StatusError 404 where they ask for labels of a namespace that is not there.
 */
export function matched(
  criteria: PolicyCriteria,
  proposal: Proposal,
  namespaces: Pick<NamespaceReplica, 'get'>,
): Matched | undefined {
  const found = named(criteria, proposal);
  return found !== undefined && selects(criteria, proposal, namespaces) ? found : undefined;
}

/** Matches as `matched` does, whatever the labels are. */
function named(criteria: PolicyCriteria, proposal: Proposal): Matched | undefined {
  const { rules, excluded, takesEquivalent } = criteria;
  if (excluded.length > 0 && ruled({ rules: excluded, takesEquivalent }, proposal) !== undefined) {
    return undefined;
  }
  if (rules.length > 0) return ruled(criteria, proposal);
  const { group, version, resource, forms } = proposal;
  return { resource: { group, version, resource }, groupVersion: forms.groupVersion };
}

/** Whether such writes may concern the criteria, whatever the objects are called. */
export function mayConcern(
  { rules, takesEquivalent }: PolicyCriteria,
  proposal: Proposal,
): boolean {
  if (rules.length === 0) return true;
  const ofAnyName = rules.map((rule) => ({ ...rule, names: [] }));
  return ruled({ rules: ofAnyName, takesEquivalent }, proposal) !== undefined;
}
