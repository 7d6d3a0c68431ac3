/** Facts for the rules about agents besides the proposal and the name of the node. */
import type { Authorizer } from '../../../auth/authorizer.ts';
import type { ShardObjects } from '../../../replicas/shard-objects.ts';
import type { FeatureGates } from '../../../release/feature-gates.ts';

/** Types whose objects are looked up. */
export type NodeFactType =
  | 'nodes'
  | 'pods'
  | 'persistentvolumeclaims'
  | 'persistentvolumes'
  | 'serviceaccounts'
  | 'csidrivers.storage.cluster.io';

export interface NodeFacts {
  readonly objects: (resource: NodeFactType) => Pick<ShardObjects, 'get'>;
  readonly authorizer: () => Pick<Authorizer, 'authorize'>;
  readonly gates: FeatureGates;
}
