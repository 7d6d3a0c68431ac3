/** Facts that decide how a container is checked. */
import type { PodSpec } from '#messages/core.v1';
import type { PodRules } from '../../pod-rules.ts';
import type { Volumes } from '../../volumes/volume.ts';

export interface ContainerRules extends PodRules {
  /** The pod that it is of. */
  readonly spec: PodSpec;
  /** The valid volumes of the pod. */
  readonly volumes: Volumes;
}
