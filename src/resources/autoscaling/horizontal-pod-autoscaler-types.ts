import type { ApiObject } from '../kind.ts';
import type { Behavior } from './autoscaler-behavior.ts';
import type { MetricSpec, MetricStatus, ObjectReference } from './metrics.ts';

export interface HorizontalPodAutoscaler extends ApiObject {
  spec?: {
    scaleTargetRef?: ObjectReference;
    minReplicas?: number;
    maxReplicas?: number;
    metrics?: MetricSpec[];
    behavior?: Behavior;
  };
  status?: {
    currentReplicas?: number;
    desiredReplicas?: number;
    currentMetrics?: MetricStatus[];
    conditions?: unknown[];
  };
}
