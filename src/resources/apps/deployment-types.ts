import type { IntOrString } from '../../semantics/int-or-percent.ts';
import type { ApiObject } from '../kind.ts';
import type { ReplicaCounts, WorkloadSpec } from '../workload.ts';

export interface RollingUpdate {
  maxUnavailable?: IntOrString;
  maxSurge?: IntOrString;
}

export interface DeploymentStrategy {
  type?: string;
  rollingUpdate?: RollingUpdate;
}

export interface Deployment extends ApiObject {
  spec?: WorkloadSpec & { strategy?: DeploymentStrategy; progressDeadlineSeconds?: number };
  status?: ReplicaCounts & { collisionCount?: number };
}
