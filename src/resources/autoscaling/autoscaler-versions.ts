/** The other versions of HorizontalPodAutoscaler, from and to v2 (README.md#autoscaling). */
import type {
  HorizontalPodAutoscalerBehavior,
  HorizontalPodAutoscalerCondition,
  MetricSpec,
  MetricStatus,
} from '#messages/autoscaling.v2';
import type { ApiObject, KindVersion } from '../kind.ts';
import {
  annotate,
  BEHAVIOR,
  behaviorJson,
  CONDITIONS,
  conditionsJson,
  CURRENT_METRICS,
  currentMetricsJson,
  dropAnnotations,
  METRICS,
  metricsJson,
  takeAnnotations,
} from './autoscaler-annotations.ts';
import {
  cpuMetric,
  newMetricSpec,
  newMetricStatus,
  oldMetricSpec,
  oldMetricStatus,
  type OldMetricSpec,
  type OldMetricStatus,
} from './metrics-v1.ts';

/** Members of v2, and those that the old versions have in their place. */
interface Autoscaler extends ApiObject {
  spec?: {
    metrics?: MetricSpec[] | OldMetricSpec[];
    behavior?: HorizontalPodAutoscalerBehavior;
    targetCPUUtilizationPercentage?: number;
  };
  status?: {
    currentMetrics?: MetricStatus[] | OldMetricStatus[];
    conditions?: HorizontalPodAutoscalerCondition[];
    currentCPUUtilizationPercentage?: number;
  };
}

export const AUTOSCALER_V1: KindVersion = {
  version: 'v1',
  message: 'autoscaling.v1.HorizontalPodAutoscaler',
  toStored: fromV1,
  fromStored: toV1,
};

/** v2beta2 has the members of v2, but always writes some that v2 leaves out. */
export const AUTOSCALER_V2BETA2: KindVersion = {
  version: 'v2beta2',
  message: 'autoscaling.v2beta2.HorizontalPodAutoscaler',
  toStored: (object) => object,
  fromStored: (object) => object,
};

export const AUTOSCALER_V2BETA1: KindVersion = {
  version: 'v2beta1',
  message: 'autoscaling.v2beta1.HorizontalPodAutoscaler',
  toStored: fromV2beta1,
  fromStored: toV2beta1,
};

function fromV1(autoscaler: Autoscaler): ApiObject {
  const { metrics = [], currentMetrics, behavior, conditions } = takeAnnotations(autoscaler);
  const spec = (autoscaler.spec ??= {});
  const status = (autoscaler.status ??= {});
  const { targetCPUUtilizationPercentage: cpu } = spec;
  delete spec.targetCPUUtilizationPercentage;
  const all = cpu === undefined ? metrics : [...metrics, cpuMetric(cpu)];
  // Without metrics, v2 sets its default.
  if (all.length > 0) spec.metrics = all;
  if (behavior !== undefined) spec.behavior = behavior;
  const { currentCPUUtilizationPercentage: currentCpu } = status;
  delete status.currentCPUUtilizationPercentage;
  // The annotation has all metrics, and `v1` one number only: the annotation wins.
  if (currentMetrics !== undefined) status.currentMetrics = currentMetrics;
  else if (currentCpu !== undefined) {
    const current = { averageUtilization: currentCpu };
    status.currentMetrics = [{ type: 'Resource', resource: { name: 'cpu', current } }];
  }
  if (conditions !== undefined) status.conditions = conditions;
  return autoscaler;
}

function toV1(autoscaler: Autoscaler): ApiObject {
  const { spec = {}, status = {} } = autoscaler;
  const metrics = (spec.metrics ?? []) as MetricSpec[];
  const current = (status.currentMetrics ?? []) as MetricStatus[];
  const { behavior } = spec;
  const { conditions = [] } = status;
  for (const member of ['metrics', 'behavior'] as const) delete spec[member];
  for (const member of ['currentMetrics', 'conditions'] as const) delete status[member];
  dropAnnotations(autoscaler.metadata);
  const others = metrics.filter((metric) => cpuTarget(metric) === undefined);
  const target = metrics.map(cpuTarget).find((one) => one !== undefined);
  if (target !== undefined) spec.targetCPUUtilizationPercentage = target;
  const utilization = current.map(cpuUtilization).find((one) => one !== undefined);
  if (utilization !== undefined) status.currentCPUUtilizationPercentage = utilization;
  if (others.length > 0) annotate(autoscaler, METRICS, metricsJson(others));
  if (current.length > 0) annotate(autoscaler, CURRENT_METRICS, currentMetricsJson(current));
  if (behavior !== undefined) annotate(autoscaler, BEHAVIOR, behaviorJson(behavior));
  if (conditions.length > 0) annotate(autoscaler, CONDITIONS, conditionsJson(conditions));
  return autoscaler;
}

function cpuTarget({ type, resource }: MetricSpec): number | undefined {
  if (type !== 'Resource' || resource?.name !== 'cpu') return undefined;
  return resource.target?.averageUtilization;
}

function cpuUtilization({ type, resource }: MetricStatus): number | undefined {
  if (type !== 'Resource' || resource?.name !== 'cpu') return undefined;
  return resource.current?.averageUtilization;
}

function fromV2beta1(autoscaler: Autoscaler): ApiObject {
  const { behavior } = takeAnnotations(autoscaler);
  const { spec, status } = autoscaler;
  if (spec?.metrics) spec.metrics = (spec.metrics as OldMetricSpec[]).map(newMetricSpec);
  if (spec && behavior !== undefined) spec.behavior = behavior;
  if (status?.currentMetrics) {
    const metrics = status.currentMetrics as OldMetricStatus[];
    status.currentMetrics = metrics.map(newMetricStatus);
  }
  return autoscaler;
}

function toV2beta1(autoscaler: Autoscaler): ApiObject {
  const { spec, status } = autoscaler;
  dropAnnotations(autoscaler.metadata);
  if (spec?.metrics) spec.metrics = (spec.metrics as MetricSpec[]).map(oldMetricSpec);
  if (spec?.behavior) {
    annotate(autoscaler, BEHAVIOR, behaviorJson(spec.behavior));
    delete spec.behavior;
  }
  if (status?.currentMetrics) {
    const metrics = status.currentMetrics as MetricStatus[];
    status.currentMetrics = metrics.map(oldMetricStatus);
  }
  return autoscaler;
}
