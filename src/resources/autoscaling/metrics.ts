/** Checks the metrics of an autoscaler in autoscaling/v2 (README.md#autoscaling). */
import type {
  CrossVersionObjectReference,
  MetricIdentifier,
  MetricSpec,
  MetricTarget,
  MetricValueStatus,
} from '#messages/autoscaling.v2';
import { ownRelease } from '../../release/release.ts';
import { quantitySign } from '../../codec/leaves/quantity.ts';
import {
  addProblems,
  fieldForbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { dnsLabel, pathSegment } from '../../semantics/metadata/names.ts';
import { checkContainerResourceName } from '../core/resource-names.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';

/** All sources in one: which members there are depends on the type of the metric. */
export interface MetricSource {
  describedObject?: CrossVersionObjectReference;
  name?: string;
  target?: MetricTarget;
  container?: string;
  metric?: MetricIdentifier;
}

export interface CurrentMetric {
  describedObject?: CrossVersionObjectReference;
  name?: string;
  current?: MetricValueStatus;
  container?: string;
  metric?: MetricIdentifier;
}

export type MetricMember = 'object' | 'pods' | 'resource' | 'containerResource' | 'external';

export const MEMBER_OF_TYPE: ReadonlyMap<string, MetricMember> = new Map([
  ['ContainerResource', 'containerResource'],
  ['External', 'external'],
  ['Object', 'object'],
  ['Pods', 'pods'],
  ['Resource', 'resource'],
]);
const TYPES = [...MEMBER_OF_TYPE.keys()];
/** In the order in which the reference looks for them. */
const MEMBERS: readonly MetricMember[] = [
  'object',
  'external',
  'pods',
  'resource',
  'containerResource',
];
const TARGET_TYPES: ReadonlySet<string> = new Set(['Utilization', 'Value', 'AverageValue']);

/** Adds the problems of a reference to an object at the path `field`. */
export function checkReference(
  { kind = '', name = '' }: CrossVersionObjectReference,
  field: string,
  errors: FieldError[],
): void {
  checkSegment(kind, `${field}.kind`, '', errors);
  checkSegment(name, `${field}.name`, '', errors);
}

/** Adds an error unless the version of a reference can be read, and names a group. */
export function checkApiVersion(
  { apiVersion = '' }: CrossVersionObjectReference,
  field: string,
  mayLackGroup: boolean,
  errors: FieldError[],
): void {
  if (!ownRelease().has('checkedTargetsOfAutoscalers')) return;
  const problem = versionProblem(apiVersion, mayLackGroup);
  if (problem !== '') errors.push(invalid(`${field}.apiVersion`, apiVersion, problem));
}

function versionProblem(apiVersion: string, mayLackGroup: boolean): string {
  const parts = apiVersion === '/' ? [] : apiVersion.split('/');
  if (parts.length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  const group = parts.length === 2 ? parts[0] : '';
  return group === '' && !mayLackGroup ? 'apiVersion must specify API group' : '';
}

function checkSegment(value: string, field: string, missing: string, errors: FieldError[]): void {
  if (value === '') errors.push(required(field, missing));
  else addProblems(pathSegment(value), field, value, errors);
}

/** Adds the problems of the metrics in `spec`. */
export function checkMetrics(
  metrics: readonly MetricSpec[],
  stored: readonly MetricSpec[],
  gates: FeatureGates,
  errors: FieldError[],
): void {
  metrics.forEach((metric, index) => checkMetric(metric, `spec.metrics[${index}]`, gates, errors));
  // A value that is wrong already may stay.
  const isWrong = stored.some(
    ({ object }) => versionProblem(object?.describedObject?.apiVersion ?? '', true) !== '',
  );
  if (isWrong) return;
  metrics.forEach(({ object }, index) => {
    if (object === undefined) return;
    const field = `spec.metrics[${index}].object.describedObject`;
    checkApiVersion(object.describedObject ?? {}, field, true, errors);
  });
}

function checkMetric(
  metric: MetricSpec,
  field: string,
  gates: FeatureGates,
  errors: FieldError[],
): void {
  const { type = '' } = metric;
  const expected = MEMBER_OF_TYPE.get(type);
  if (type === '') errors.push(required(`${field}.type`, 'must specify a metric source type'));
  if (expected === undefined) errors.push(notSupported(`${field}.type`, type, TYPES));
  const present = MEMBERS.filter((member) => metric[member] !== undefined);
  const [first] = present;
  // When there are several sources, only the first is checked.
  if (first !== undefined) checkSource(first, metric[first] ?? {}, `${field}.${first}`, errors);
  if (expected !== undefined && !present.includes(expected)) {
    const isOff = expected === 'containerResource' && !gates.has('HPAContainerMetrics');
    const condition = isOff ? ' (only allowed when HPAContainerMetrics feature is enabled)' : '';
    const detail = `must populate information for the given metric source${condition}`;
    errors.push(required(`${field}.${expected}`, detail));
  }
  if (present.length === 1) return;
  for (const member of present) {
    if (member === expected) continue;
    const detail = 'must populate the given metric source only';
    errors.push(fieldForbidden(`${field}.${member}`, detail));
  }
}

function checkSource(
  member: MetricMember,
  source: MetricSource,
  field: string,
  errors: FieldError[],
): void {
  if (member === 'object') {
    checkReference(source.describedObject ?? {}, `${field}.describedObject`, errors);
  }
  if (member === 'resource' || member === 'containerResource') {
    if (!source.name) errors.push(required(`${field}.name`, 'must specify a resource name'));
    if (member === 'containerResource') checkContainer(source, field, errors);
  } else {
    const { name = '' } = source.metric ?? {};
    checkSegment(name, `${field}.metric.name`, 'must specify a metric name', errors);
  }
  const { target = {} } = source;
  checkTarget(target, `${field}.target`, errors);
  checkTargetValues(member, target, `${field}.target`, errors);
}

function checkContainer(
  { name = '', container = '' }: MetricSource,
  field: string,
  errors: FieldError[],
): void {
  if (name !== '') checkContainerResourceName(name, `${field}.name`, errors);
  if (container === '') {
    errors.push(required(`${field}.container`, 'must specify a container'));
  } else {
    addProblems(dnsLabel(container), `${field}.container`, container, errors);
  }
}

function checkTarget(target: MetricTarget, field: string, errors: FieldError[]): void {
  const { type = '', value, averageValue, averageUtilization } = target;
  if (type === '') errors.push(required(`${field}.type`, 'must specify a metric target type'));
  if (!TARGET_TYPES.has(type)) {
    const detail = 'must be either Utilization, Value, or AverageValue';
    errors.push(invalid(`${field}.type`, type, detail));
  }
  if (value !== undefined && quantitySign(value) !== 1) {
    errors.push(invalid(`${field}.value`, value, 'must be positive'));
  }
  if (averageValue !== undefined && quantitySign(averageValue) !== 1) {
    errors.push(invalid(`${field}.averageValue`, averageValue, 'must be positive'));
  }
  if (averageUtilization !== undefined && averageUtilization < 1) {
    const path = `${field}.averageUtilization`;
    errors.push(invalid(path, averageUtilization, 'must be greater than 0'));
  }
}

/** The values that a target must and may have depend on the source of the metric. */
function checkTargetValues(
  member: MetricMember,
  { value, averageValue, averageUtilization }: MetricTarget,
  field: string,
  errors: FieldError[],
): void {
  const averageField = `${field}.averageValue`;
  if (member === 'pods') {
    // A value that is not positive has an error already.
    if (averageValue !== undefined) return;
    errors.push(required(averageField, 'must specify a positive target averageValue'));
    return;
  }
  if (member === 'object' || member === 'external') {
    if (value === undefined && averageValue === undefined) {
      const ofObject = 'a target value or averageValue';
      const either =
        member === 'object' ? ofObject : 'a target value for metric or a per-pod target';
      errors.push(required(averageField, `must set either ${either}`));
    } else if (member === 'external' && value !== undefined && averageValue !== undefined) {
      const detail = 'may not set both a target value for metric and a per-pod target';
      errors.push(fieldForbidden(`${field}.value`, detail));
    }
    return;
  }
  if (averageUtilization === undefined && averageValue === undefined) {
    const detail = 'must set either a target raw value or a target utilization';
    errors.push(required(`${field}.averageUtilization`, detail));
  } else if (averageUtilization !== undefined && averageValue !== undefined) {
    const detail = 'may not set both a target raw value and a target utilization';
    errors.push(fieldForbidden(averageField, detail));
  }
}
