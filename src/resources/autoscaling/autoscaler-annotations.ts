/**
 * Annotations that hold what old autoscaling versions have no members for (README.md#autoscaling):
 * JSON, as the reference writes it.
 */
import type {
  HorizontalPodAutoscalerBehavior,
  HorizontalPodAutoscalerCondition,
  HPAScalingRules,
  MetricSpec,
  MetricStatus,
} from '#messages/autoscaling.v2';
import type { LabelSelector } from '#messages/meta.v1';
import { textMap } from '../../base/text/text-map.ts';
import { stringifyGo } from '../../codec/json/go-json.ts';
import { ownRelease } from '../../release/release.ts';
import { ownName } from '../../semantics/dialect/own-names.ts';
import type { ApiObject } from '../kind.ts';
import { readAnnotation, type AnnotationSchema } from './annotation-json.ts';
import {
  newMetricSpec,
  newMetricStatus,
  oldMetricSpec,
  oldMetricStatus,
  type OldMetricSpec,
  type OldMetricStatus,
} from './metrics-v1.ts';

const PREFIX = ownName('autoscaling.alpha.cluster.io/');
export const METRICS = `${PREFIX}metrics`;
export const CURRENT_METRICS = `${PREFIX}current-metrics`;
export const BEHAVIOR = `${PREFIX}behavior`;
export const CONDITIONS = `${PREFIX}conditions`;
const HAS_TOLERANCE = ownRelease().has('tolerancesOfAutoscalers');
const ALL = [
  METRICS,
  CURRENT_METRICS,
  BEHAVIOR,
  CONDITIONS,
  ...(HAS_TOLERANCE ? [`${PREFIX}scale-down-tolerance`, `${PREFIX}scale-up-tolerance`] : []),
];

const SELECTOR: AnnotationSchema = {
  matchLabels: 'strings',
  matchExpressions: [{ key: 'string', operator: 'string', values: ['string'] }],
};
const REFERENCE: AnnotationSchema = { kind: 'string', name: 'string', apiVersion: 'string' };
const metricsOf = (value: 'target' | 'current'): AnnotationSchema => {
  const resource = {
    name: 'string',
    [`${value}AverageUtilization`]: 'int32',
    [`${value}AverageValue`]: 'quantity',
  } as const;
  return [
    {
      type: 'string',
      object: {
        target: REFERENCE,
        metricName: 'string',
        [`${value}Value`]: 'quantity',
        selector: SELECTOR,
        averageValue: 'quantity',
      },
      pods: {
        metricName: 'string',
        [`${value}AverageValue`]: 'quantity',
        selector: SELECTOR,
      },
      resource,
      containerResource: { ...resource, container: 'string' },
      external: {
        metricName: 'string',
        metricSelector: SELECTOR,
        [`${value}Value`]: 'quantity',
        [`${value}AverageValue`]: 'quantity',
      },
    },
  ];
};
const METRIC_SPECS = metricsOf('target');
const METRIC_STATUSES = metricsOf('current');
const RULES: AnnotationSchema = {
  stabilizationWindowSeconds: 'int32',
  selectPolicy: 'string',
  policies: [{ type: 'string', value: 'int32', periodSeconds: 'int32' }],
  ...(HAS_TOLERANCE && { tolerance: 'quantity' }),
};
const HAS_GENERATIONS = ownRelease().has('generationsOfAutoscalers');
const CONDITION_LIST: AnnotationSchema = [
  {
    type: 'string',
    status: 'string',
    lastTransitionTime: 'time',
    reason: 'string',
    message: 'string',
    ...(HAS_GENERATIONS && { observedGeneration: 'int32' }),
  },
];

/** The values that were read from the annotations of an object. */
export interface FromAnnotations {
  readonly metrics: MetricSpec[] | undefined;
  readonly currentMetrics: MetricStatus[] | undefined;
  readonly behavior: HorizontalPodAutoscalerBehavior | undefined;
  readonly conditions: HorizontalPodAutoscalerCondition[] | undefined;
}

/** Removes the annotations that stand for members of v2, and returns what they said. */
export function takeAnnotations({ metadata }: ApiObject): FromAnnotations {
  const { annotations } = metadata;
  const take = (name: string, shape: AnnotationSchema): unknown => {
    const text = annotations?.[name];
    return text === undefined ? undefined : readAnnotation(text, shape);
  };
  const metrics = take(METRICS, METRIC_SPECS) as OldMetricSpec[] | undefined;
  const current = take(CURRENT_METRICS, METRIC_STATUSES) as OldMetricStatus[] | undefined;
  const behavior = take(BEHAVIOR, { scaleUp: RULES, scaleDown: RULES }) as
    HorizontalPodAutoscalerBehavior | undefined;
  const conditions = take(CONDITIONS, CONDITION_LIST) as
    HorizontalPodAutoscalerCondition[] | undefined;
  dropAnnotations(metadata);
  return {
    metrics: metrics?.map(newMetricSpec),
    currentMetrics: current?.map(newMetricStatus),
    behavior,
    conditions,
  };
}

/** Removes these annotations: objects of v2 have members for what they say. */
export function dropAnnotations(metadata: ApiObject['metadata']): void {
  const { annotations } = metadata;
  if (annotations === undefined) return;
  for (const name of ALL) delete annotations[name];
  if (Object.keys(annotations).length === 0) delete metadata.annotations;
}

/** Adds an annotation with the JSON of `value`. */
export function annotate({ metadata }: ApiObject, name: string, value: unknown): void {
  metadata.annotations ??= textMap();
  metadata.annotations[name] = stringifyGo(value);
}

/** The text of the annotation for metrics that v1 has no members for. */
export function metricsJson(metrics: readonly MetricSpec[]): unknown {
  return metrics.map(oldMetricSpec).map(withSortedLabels);
}

/** The text of the annotation for current metrics. */
export function currentMetricsJson(metrics: readonly MetricStatus[]): unknown {
  return metrics.map(oldMetricStatus).map(withSortedLabels);
}

/** As in the reference, which writes members in the order of its own type. */
export function behaviorJson({ scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior): unknown {
  return { ScaleUp: rulesJson(scaleUp), ScaleDown: rulesJson(scaleDown) };
}

function rulesJson(rules: HPAScalingRules | undefined): unknown {
  if (rules === undefined) return null;
  const { stabilizationWindowSeconds = null, selectPolicy = null, policies } = rules;
  return {
    StabilizationWindowSeconds: stabilizationWindowSeconds,
    SelectPolicy: selectPolicy,
    Policies:
      policies?.map(({ type = '', value = 0, periodSeconds = 0 }) => ({
        Type: type,
        Value: value,
        PeriodSeconds: periodSeconds,
      })) ?? null,
    ...(HAS_TOLERANCE && { Tolerance: rules.tolerance ?? null }),
  };
}

/** The text of the annotation for conditions. */
export function conditionsJson(conditions: readonly HorizontalPodAutoscalerCondition[]): unknown {
  return conditions.map(({ type = '', status = '', lastTransitionTime = null, ...rest }) => ({
    type,
    status,
    lastTransitionTime,
    ...(rest.reason ? { reason: rest.reason } : {}),
    ...(rest.message ? { message: rest.message } : {}),
    ...(rest.observedGeneration === undefined
      ? {}
      : { observedGeneration: rest.observedGeneration }),
  }));
}

/** Maps are written with their keys in order. */
function withSortedLabels<Metric extends OldMetricSpec | OldMetricStatus>(metric: Metric): Metric {
  for (const source of [metric.object, metric.pods, metric.external]) {
    if (source?.selector) source.selector = sorted(source.selector);
    if (source?.metricSelector) source.metricSelector = sorted(source.metricSelector);
  }
  return metric;
}

/** Sorts the labels by name, and leaves out empty members. */
function sorted({ matchLabels = {}, matchExpressions = [] }: LabelSelector): LabelSelector {
  const entries = Object.entries(matchLabels).sort(([a], [b]) => (a < b ? -1 : 1));
  const requirements = matchExpressions.map(({ values = [], ...requirement }) => ({
    ...requirement,
    ...(values.length > 0 && { values }),
  }));
  return {
    ...(entries.length > 0 && { matchLabels: Object.fromEntries(entries) }),
    ...(requirements.length > 0 && { matchExpressions: requirements }),
  };
}
