/** A HorizontalPodAutoscaler in a Table (README.md#tables). */
import type {
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricStatus,
  MetricTarget,
} from '#messages/autoscaling.v2';
import {
  AGE_COLUMN,
  ageOf,
  column,
  NAME_COLUMN,
  nameOf,
  NONE,
  UNKNOWN,
  UNSET,
} from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';
import { MEMBER_OF_TYPE, type CurrentMetric } from './metrics.ts';

const SHOWN_MAX = 2;
/** The stored form of the reference has a zero where a status lacks a value. */
const NO_VALUE = '0';

export const AUTOSCALER_PRINTER = definePrinter<HorizontalPodAutoscaler>()({
  columns: [
    NAME_COLUMN,
    column('Reference', 'string', 'The object that is scaled, by kind and name.'),
    column('Targets', 'string', 'For each metric its current value and the one to keep to.'),
    column('MinPods', 'string', 'The least number of replicas it scales to; 1 when unset.'),
    column('MaxPods', 'string', 'The largest number of replicas it scales to.'),
    column('Replicas', 'string', 'How many replicas there were when it last looked.'),
    AGE_COLUMN,
  ],
  members: {
    spec: { scaleTargetRef: true, metrics: true, minReplicas: true, maxReplicas: true },
    status: { currentMetrics: true, currentReplicas: true },
  },
  cells(object) {
    const { spec = {}, status = {} } = object;
    const { kind = '', name = '' } = spec.scaleTargetRef ?? {};
    return [
      nameOf(object),
      `${kind}/${name}`,
      targetsText(spec.metrics ?? [], status.currentMetrics ?? []),
      spec.minReplicas === undefined ? UNSET : String(spec.minReplicas),
      spec.maxReplicas ?? 0,
      status.currentReplicas ?? 0,
      ageOf(object),
    ];
  },
});

/** Current values are those at the same place in the status. */
function targetsText(metrics: readonly MetricSpec[], current: readonly MetricStatus[]): string {
  if (metrics.length === 0) return NONE;
  const shown = metrics
    .slice(0, SHOWN_MAX)
    .map((metric, index) => metricText(metric, current[index] ?? {}))
    .join(', ');
  const hidden = metrics.length - SHOWN_MAX;
  return hidden > 0 ? `${shown} + ${hidden} more...` : shown;
}

function metricText(metric: MetricSpec, status: MetricStatus): string {
  const member = MEMBER_OF_TYPE.get(metric.type ?? '');
  if (member === undefined) return '<unknown type>';
  const { target = {} } = metric[member] ?? {};
  switch (member) {
    case 'object':
    case 'external':
      return valueText(target, status[member]);
    case 'pods':
      return averageText(target, status[member]);
    case 'resource':
    case 'containerResource':
      if (target.averageValue !== undefined) return averageText(target, status[member]);
      return utilizationText(target, status[member]);
  }
}

/** An average, when it is for each pod, is unknown until the status has one. */
function valueText({ value, averageValue }: MetricTarget, source?: CurrentMetric): string {
  const { current = {} } = source ?? {};
  if (averageValue !== undefined) return `${current.averageValue ?? UNKNOWN}/${averageValue} (avg)`;
  const now = source === undefined ? UNKNOWN : (current.value ?? NO_VALUE);
  return `${now}/${value ?? NO_VALUE}`;
}

function averageText({ averageValue }: MetricTarget, source?: CurrentMetric): string {
  const now = source === undefined ? UNKNOWN : (source.current?.averageValue ?? NO_VALUE);
  return `${now}/${averageValue ?? NO_VALUE}`;
}

function utilizationText({ averageUtilization }: MetricTarget, source?: CurrentMetric): string {
  const now = source?.current?.averageUtilization;
  return `${percentText(now, UNKNOWN)}/${percentText(averageUtilization, '<auto>')}`;
}

function percentText(percent: number | undefined, missing: string): string {
  return percent === undefined ? missing : `${percent}%`;
}
