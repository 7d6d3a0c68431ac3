/** Facts that decide how the members of a pod are checked, besides the release. */
import type { PodSpec } from '#messages/core.v1';
import type { FeatureGates } from '../../release/feature-gates.ts';

export interface PodRules {
  readonly gates: FeatureGates;
  /** The specification that is replaced: what is wrong in it already may stay. */
  readonly stored?: PodSpec | undefined;
  /** Whether it is a pod of its own, and no template. */
  readonly isPod?: boolean;
  /** Whether the node agent made the pod from a file. */
  readonly isStatic?: boolean;
}
