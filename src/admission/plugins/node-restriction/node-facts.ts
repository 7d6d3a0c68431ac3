/** Facts for the rules about agents besides the proposal and the name of the node. */
import type { ShardObjects } from '../../../replicas/shard-objects.ts';
import type { FeatureGates } from '../../../resources/feature-gates.ts';

export interface NodeFacts {
  readonly objects: (resource: 'nodes' | 'pods') => Pick<ShardObjects, 'get'>;
  readonly gates: FeatureGates;
}
