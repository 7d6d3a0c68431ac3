/**
 * The rules of events (README.md#events): those of old, and the strict ones of
 * `events.cluster.io/v1`. Paths are those of the stored shape in every version.
 */
import type { Event } from '#messages/core.v1';
import { ownGroupVersion, ownNamespace } from '../../semantics/dialect/own-names.ts';
import {
  addProblems,
  invalid,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { qualifiedName } from '../../semantics/metadata/names.ts';

/** The version with strict rules for events. */
export const STRICT_VERSION = ownGroupVersion('events.cluster.io/v1');
const NAME_BYTES_MAX = 128;
const MESSAGE_BYTES_MAX = 1024;
/** Where events about objects without a namespace may be. */
const CLUSTER_NAMESPACES: readonly (string | undefined)[] = [
  'default',
  ownNamespace('cluster-system'),
];

/** The errors of a new event that came in this version. */
export function eventCreateErrors(event: Event, groupVersion: string): FieldError[] {
  const errors: FieldError[] = [];
  checkAnyVersion(event, errors);
  if (groupVersion === STRICT_VERSION) checkNew(event, errors);
  return errors;
}

/** The errors of an update. Nothing is immutable in one: clients count and reword events. */
export function eventUpdateErrors(event: Event): FieldError[] {
  const errors: FieldError[] = [];
  checkAnyVersion(event, errors);
  return errors;
}

/** An event without `eventTime` is in the old form, which has few rules. */
function checkAnyVersion(event: Event, errors: FieldError[]): void {
  const { namespace } = event.metadata;
  const about = event.involvedObject?.namespace ?? '';
  if (!event.eventTime) {
    const agrees = about === '' ? namespace === 'default' : about === namespace;
    if (!agrees) errors.push(namespaceMismatch(about));
    return;
  }
  if (about === '' && !CLUSTER_NAMESPACES.includes(namespace)) {
    errors.push(namespaceMismatch(about));
  }
  const controller = event.reportingComponent ?? '';
  const field = 'reportingController';
  if (controller === '') errors.push(required(field));
  addProblems(qualifiedName(controller), field, controller, errors);
  for (const member of ['reportingInstance', 'action', 'reason'] as const) {
    const value = event[member] ?? '';
    if (value === '') errors.push(required(member));
    checkLength(value, NAME_BYTES_MAX, member, errors);
  }
  checkLength(event.message ?? '', MESSAGE_BYTES_MAX, 'message', errors);
}

function namespaceMismatch(namespace: string): FieldError {
  return invalid('involvedObject.namespace', namespace, 'does not match event.namespace');
}

function checkLength(text: string, bytesMax: number, field: string, errors: FieldError[]): void {
  if (Buffer.byteLength(text) <= bytesMax) return;
  errors.push(invalid(field, '', `can have at most ${bytesMax} characters`));
}

function checkNew(event: Event, errors: FieldError[]): void {
  checkSeries(event.series, errors);
  if (!event.eventTime) errors.push(required('eventTime'));
  const { type = '', source } = event;
  if (type !== 'Normal' && type !== 'Warning') {
    errors.push(invalid('type', '', `has invalid value: ${type}`));
  }
  const superseded = {
    firstTimestamp: event.firstTimestamp,
    lastTimestamp: event.lastTimestamp,
    count: event.count,
    source: source?.component || source?.host,
  };
  for (const [field, value] of Object.entries(superseded)) {
    if (value) errors.push(invalid(field, '', 'needs to be unset'));
  }
}

function checkSeries(series: Event['series'], errors: FieldError[]): void {
  if (series === undefined) return;
  if ((series.count ?? 0) < 2) {
    errors.push(invalid('series.count', '', 'should be at least 2'));
  }
  if (!series.lastObservedTime) errors.push(required('series.lastObservedTime'));
}
