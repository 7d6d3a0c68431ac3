/**
 * Converts metrics between autoscaling/v2 and the form of autoscaling/v2beta1, which the
 * annotations of autoscaling/v1 have too (README.md#autoscaling). Members that are always written
 * there are always set here.
 */
import type {
  CrossVersionObjectReference,
  MetricIdentifier,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from '#messages/autoscaling.v2';
import type { LabelSelector } from '#messages/meta.v1';
import { quantitySign } from '../../codec/leaves/quantity.ts';
import type { CurrentMetric, MetricMember, MetricSource } from './metrics.ts';

/** All sources in one, as `MetricSource` is. */
export interface OldMetricSource {
  target?: CrossVersionObjectReference | undefined;
  name?: string | undefined;
  metricName?: string | undefined;
  metricSelector?: LabelSelector | undefined;
  targetAverageUtilization?: number | undefined;
  targetValue?: string | undefined;
  targetAverageValue?: string | undefined;
  selector?: LabelSelector | undefined;
  averageValue?: string | undefined;
  container?: string | undefined;
}

export interface OldCurrentMetric {
  target?: CrossVersionObjectReference | undefined;
  name?: string | undefined;
  metricName?: string | undefined;
  metricSelector?: LabelSelector | undefined;
  currentAverageUtilization?: number | undefined;
  currentValue?: string | undefined;
  currentAverageValue?: string | undefined;
  selector?: LabelSelector | undefined;
  averageValue?: string | undefined;
  container?: string | undefined;
}

type OldMetric<Source> = { type?: string | undefined } & { [member in MetricMember]?: Source };
export type OldMetricSpec = OldMetric<OldMetricSource>;
export type OldMetricStatus = OldMetric<OldCurrentMetric>;

const MEMBERS: readonly MetricMember[] = [
  'object',
  'pods',
  'resource',
  'containerResource',
  'external',
];
const DEFAULT_CPU_UTILIZATION = 80;

/** The metric of an autoscaler that names none. */
export function defaultMetric(): MetricSpec {
  return cpuMetric(DEFAULT_CPU_UTILIZATION);
}

/** The metric that v1 has as one number: how much of the CPU that was asked for is used. */
export function cpuMetric(averageUtilization: number): MetricSpec {
  const target = { type: 'Utilization', averageUtilization };
  return { type: 'Resource', resource: { name: 'cpu', target } };
}

/** A metric of v2 as v2beta1 says it. */
export function oldMetricSpec(metric: MetricSpec): OldMetricSpec {
  return converted(metric, oldSource);
}

/** And back. */
export function newMetricSpec(metric: OldMetricSpec): MetricSpec {
  return converted(metric, newSource);
}

/** A current metric of v2 as v2beta1 says it. */
export function oldMetricStatus(metric: MetricStatus): OldMetricStatus {
  return converted(metric, oldCurrent);
}

/** And back. */
export function newMetricStatus(metric: OldMetricStatus): MetricStatus {
  return converted(metric, newCurrent);
}

/** A metric with the same type, whose sources are those that `convert` makes. */
function converted<From, To>(
  metric: { type?: string | undefined } & { [member in MetricMember]?: From },
  convert: (source: From, member: MetricMember) => To,
): { type?: string } & { [member in MetricMember]?: To } {
  const result: { type?: string } & { [member in MetricMember]?: To } = { type: metric.type ?? '' };
  for (const member of MEMBERS) {
    const source = metric[member];
    if (source !== undefined) result[member] = convert(source, member);
  }
  return result;
}

function oldSource(source: MetricSource, member: MetricMember): OldMetricSource {
  const { target = {}, metric = {}, name = '', container = '' } = source;
  const { averageUtilization: targetAverageUtilization, averageValue, value } = target;
  const { name: metricName = '', selector } = metric;
  const raw = { name, targetAverageUtilization, targetAverageValue: averageValue };
  switch (member) {
    case 'object':
      return {
        target: oldReference(source.describedObject),
        metricName,
        targetValue: value ?? '0',
        selector,
        averageValue,
      };
    case 'pods':
      return { metricName, targetAverageValue: averageValue ?? '0', selector };
    case 'resource':
      return raw;
    case 'containerResource':
      return { ...raw, container };
    case 'external':
      return {
        metricName,
        metricSelector: selector,
        targetValue: value,
        targetAverageValue: averageValue,
      };
  }
}

function newSource(source: OldMetricSource, member: MetricMember): MetricSource {
  const { targetAverageUtilization: utilization, targetAverageValue, targetValue } = source;
  const named = present({ name: source.name }) as MetricSource;
  switch (member) {
    case 'object': {
      const { averageValue } = source;
      // The value is always written there, even when it is the average that counts.
      const counts = averageValue === undefined || quantitySign(targetValue ?? '0') !== 0;
      const value = counts ? (targetValue ?? '0') : undefined;
      const type = averageValue === undefined ? 'Value' : 'AverageValue';
      return {
        describedObject: source.target ?? {},
        target: newTarget({ type, value, averageValue }),
        metric: identifier(source.metricName, source.selector),
      };
    }
    case 'pods':
      return {
        metric: identifier(source.metricName, source.selector),
        target: newTarget({ type: 'AverageValue', averageValue: targetAverageValue ?? '0' }),
      };
    case 'resource':
    case 'containerResource': {
      const type = utilization === undefined ? 'AverageValue' : 'Utilization';
      const averages = { averageValue: targetAverageValue, averageUtilization: utilization };
      const target = newTarget({ type, ...averages });
      if (member === 'resource') return { ...named, target };
      return { ...named, target, container: source.container ?? '' };
    }
    case 'external': {
      const type = targetValue === undefined ? 'AverageValue' : 'Value';
      return {
        metric: identifier(source.metricName, source.metricSelector),
        target: newTarget({ type, value: targetValue, averageValue: targetAverageValue }),
      };
    }
  }
}

function oldCurrent(source: CurrentMetric, member: MetricMember): OldCurrentMetric {
  const { current = {}, metric = {}, name = '', container = '' } = source;
  const { averageUtilization: currentAverageUtilization, averageValue, value } = current;
  const { name: metricName = '', selector } = metric;
  const raw = { name, currentAverageUtilization, currentAverageValue: averageValue ?? '0' };
  switch (member) {
    case 'object':
      return {
        target: oldReference(source.describedObject),
        metricName,
        currentValue: value ?? '0',
        selector,
        averageValue,
      };
    case 'pods':
      return { metricName, currentAverageValue: averageValue ?? '0', selector };
    case 'resource':
      return raw;
    case 'containerResource':
      return { ...raw, container };
    case 'external':
      return {
        metricName,
        metricSelector: selector,
        currentValue: value ?? '0',
        currentAverageValue: averageValue,
      };
  }
}

function newCurrent(source: OldCurrentMetric, member: MetricMember): CurrentMetric {
  const { metricName, currentAverageUtilization, currentAverageValue, currentValue } = source;
  const named = present({ name: source.name }) as CurrentMetric;
  switch (member) {
    case 'object':
      return {
        describedObject: source.target ?? {},
        current: newValue({ value: currentValue ?? '0', averageValue: source.averageValue }),
        metric: identifier(metricName, source.selector),
      };
    case 'pods':
      return {
        metric: identifier(metricName, source.selector),
        current: newValue({ averageValue: currentAverageValue ?? '0' }),
      };
    case 'resource':
    case 'containerResource': {
      const current = newValue({
        averageValue: currentAverageValue ?? '0',
        averageUtilization: currentAverageUtilization,
      });
      if (member === 'resource') return { ...named, current };
      return { ...named, current, container: source.container ?? '' };
    }
    case 'external':
      return {
        metric: identifier(metricName, source.metricSelector),
        current: newValue({ value: currentValue ?? '0', averageValue: currentAverageValue }),
      };
  }
}

/** In the order of the members, since annotations show it. */
function oldReference({
  kind = '',
  name = '',
  apiVersion,
}: CrossVersionObjectReference = {}): CrossVersionObjectReference {
  return { kind, name, ...(apiVersion ? { apiVersion } : {}) };
}

function identifier(
  name: string | undefined,
  selector: LabelSelector | undefined,
): MetricIdentifier {
  return present({ name, selector }) as MetricIdentifier;
}

function newTarget(members: {
  readonly [member in keyof MetricTarget]: MetricTarget[member] | undefined;
}): MetricTarget {
  return present(members) as MetricTarget;
}

function newValue(members: {
  readonly [member in keyof MetricValueStatus]: MetricValueStatus[member] | undefined;
}): MetricValueStatus {
  return present(members) as MetricValueStatus;
}

/** Without the members that are undefined. */
function present(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
