import type { IntOrString } from '../../semantics/int-or-percent.ts';
import type { ApiObject } from '../kind.ts';
import type { WorkloadSpec } from '../workload.ts';

export interface RollingUpdate {
  maxUnavailable?: IntOrString;
  maxSurge?: IntOrString;
}

export interface UpdateStrategy {
  type?: string;
  rollingUpdate?: RollingUpdate;
}

interface DaemonSetStatus {
  currentNumberScheduled?: number;
  desiredNumberScheduled?: number;
  numberReady?: number;
  updatedNumberScheduled?: number;
  numberAvailable?: number;
  collisionCount?: number;
}

export interface DaemonSet extends ApiObject {
  spec?: WorkloadSpec & { updateStrategy?: UpdateStrategy };
  status?: DaemonSetStatus;
}
