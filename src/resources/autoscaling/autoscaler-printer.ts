/** A HorizontalPodAutoscaler in a Table. */
import type { MetricSpec, MetricStatus, MetricTarget } from '#messages/autoscaling.v2';
import { ownRelease } from '../../release/release.ts';
import { AGE, count, NAME, nameBelow, NONE, shortText, UNKNOWN, UNSET } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';
import { MEMBER_OF_TYPE, type CurrentMetric } from './metrics.ts';

const SHOWN_MAX = 2;
/** The stored form of the reference has a zero where a status lacks a value. */
const NO_VALUE = '0';

// prettier-ignore
export const AUTOSCALER_PRINTER = definePrinter([
  NAME,
  text('Reference', 'The object that is scaled, by kind and name.',
    'spec.scaleTargetRef.kind spec.scaleTargetRef.name', nameBelow),
  text('Targets', 'For each metric its current value and the one to keep to.',
    'spec.metrics status.currentMetrics', targetsText),
  text('MinPods', 'The least number of replicas it scales to; 1 when unset.', 'spec.minReplicas',
    (least?: number) => String(least ?? UNSET)),
  text('MaxPods', 'The largest number of replicas it scales to.', 'spec.maxReplicas', count),
  text('Replicas', 'How many replicas there were when it last looked.', 'status.currentReplicas',
    count),
  AGE,
]);

/** Current values are those at the same place in the status. */
function targetsText(
  metrics: readonly MetricSpec[] = [],
  current: readonly MetricStatus[] = [],
): string {
  if (metrics.length === 0) return NONE;
  const shown = metrics
    .slice(0, SHOWN_MAX)
    .map((metric, index) => metricText(metric, current[index] ?? {}))
    .join(', ');
  return shortText(shown, metrics.length - SHOWN_MAX);
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
      return `${resourceName(metric[member])}${
        target.averageValue === undefined
          ? utilizationText(target, status[member])
          : averageText(target, status[member])
      }`;
  }
}

function resourceName(source: { readonly name?: string } | undefined): string {
  return ownRelease().has('namedResourcesOfAutoscalers') ? `${source?.name ?? ''}: ` : '';
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
