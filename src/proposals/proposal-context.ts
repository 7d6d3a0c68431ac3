/** What a proposal is made from, besides what was sent: a shard has it, and so has a front. */
import type { AdmissionChain } from '../admission/chain.ts';
import type { NamespaceReplica } from '../admission/namespace-replica.ts';
import type { Authorizer } from '../auth/authorizer.ts';
import type { Randomness } from '../base/randomness.ts';
import type { View } from '../protocol/shard-protocol.ts';
import type { ResourceType } from '../types/resource-type.ts';

export interface ProposalContext {
  /** Replaced as a whole when what defines the type has changed. */
  readonly kind: ResourceType;
  /** The admission of writes. */
  readonly admission: AdmissionChain;
  /** The namespaces that the thread knows; undefined for a type without namespaces. */
  readonly namespaces: NamespaceReplica | undefined;
  /** Decides what users may do: made in the thread when it is first asked. */
  readonly authorizer: () => Authorizer;
  readonly nowMs: () => number;
  readonly random: Randomness;
}

/** The type as a request in a version sees it: as if that version were the stored one. */
export function kindOf({ kind }: Pick<ProposalContext, 'kind'>, { version }: View): ResourceType {
  return kind.writtenIn(version);
}
