/** Checks changes of claims by an agent, which may tell how far a volume has grown. */
import { deepEqual } from '../../../base/deep-equal.ts';
import { quoteText } from '../../../codec/json/strict-quote.ts';
import type { FeatureGates } from '../../../release/feature-gates.ts';
import { ownRelease } from '../../../release/release.ts';
import type { ApiObject } from '../../../resources/kind.ts';
import type { Proposal } from '../../proposal.ts';
import { refused } from '../../refused.ts';
import type { NodeFacts } from './node-facts.ts';

interface Claim extends ApiObject {
  spec?: object;
  status?: object;
}

const GROWN: readonly string[] = ['capacity', 'conditions'];
const GROWING: readonly string[] = [
  'resizeStatus',
  'allocatedResourceStatuses',
  'allocatedResources',
];
/** Differ without a client's doing. */
const UNSEEN: readonly string[] = ['resourceVersion', 'managedFields'];

export function checkClaim(proposal: Proposal, node: string, { gates }: NodeFacts): void {
  const { operation, subresource, object, oldObject } = proposal;
  if (subresource !== 'status') throw refused(proposal, 'may only update PVC status');
  if (operation !== 'UPDATE') {
    throw refused(proposal, `unexpected operation ${quoteText(operation)}`);
  }
  const claim = settledParts(object as Claim, gates);
  const stored = settledParts(oldObject as Claim, gates);
  const changed = [...new Set([...claim.keys(), ...stored.keys()])].filter(
    (path) => !deepEqual(claim.get(path), stored.get(path)),
  );
  if (changed.length === 0) return;
  const sizes = ownRelease().has('claimQuantityNamed') ? 'status.quantity' : 'status.capacity';
  const what = `is not allowed to update fields other than ${sizes} and status.conditions`;
  throw refused(proposal, `node ${quoteText(node)} ${what}: ${changed.join(', ')}`);
}

/** The parts that an agent may not change, by path. */
function settledParts(
  { metadata, spec = {}, status = {} }: Claim,
  gates: FeatureGates,
): ReadonlyMap<string, unknown> {
  const free = gates.has('RecoverVolumeExpansionFailure') ? [...GROWN, ...GROWING] : GROWN;
  const part = (name: string, members: object, without: readonly string[]) =>
    Object.entries(members)
      .filter(([member, value]) => !without.includes(member) && !isEmpty(value))
      .map(([member, value]) => [`${name}.${member}`, value] as const);
  return new Map([
    ...part('metadata', metadata, UNSEEN),
    ...part('spec', spec, []),
    ...part('status', status, free),
  ]);
}

/** Empty labels are none. */
function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
