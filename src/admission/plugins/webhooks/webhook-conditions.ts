/** Leaves out webhooks by their conditions, whose code is loaded with the first of them. */
import type { AdmissionContext } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import type { Conversions } from '../../shown-objects.ts';
import type { Invocation } from './webhook-index.ts';

interface ConditionedWrite {
  readonly proposal: Proposal;
  readonly conversions: Conversions;
  readonly authorizer: AdmissionContext['authorizer'];
  /** As metrics name the sort of webhooks. */
  readonly type: 'admit' | 'validating';
}

/**
 * The questions whose conditions take the write as it is now. Rejects with StatusError 403 where
 * conditions cannot be evaluated, and their webhook fails closed.
 */
export async function takenByConditions(
  invocations: readonly Invocation[],
  { proposal, conversions, authorizer, type }: ConditionedWrite,
): Promise<readonly Invocation[]> {
  if (invocations.every(({ webhook }) => webhook.conditions.length === 0)) return invocations;
  const { takes } = await import('../../match-conditions.ts');
  const { WriteValues } = await import('../../write-values.ts');
  const values = new WriteValues(proposal, conversions, authorizer);
  const taken: Invocation[] = [];
  for (const one of invocations) {
    if (await takes(one.webhook, type, one, proposal, values)) taken.push(one);
  }
  return taken;
}
