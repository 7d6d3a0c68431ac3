/**
 * The rules of events (README.md#events): those of old, and the strict ones of
 * `events.cluster.io/v1`. Paths are those of the stored shape in every version.
 */
import type { Event, ObjectReference } from '#messages/core.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import { ownRelease } from '../../release/release.ts';
import { ownGroupVersion, ownNamespace } from '../../semantics/dialect/own-names.ts';
import {
  addProblems,
  FIELD_IMMUTABLE,
  invalid,
  invalidPrinted,
  printValue,
  required,
  showsJson,
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
  checkAnyVersion(event, groupVersion, errors);
  if (groupVersion === STRICT_VERSION) checkNew(event, errors);
  return errors;
}

/**
 * The errors of an update. In the old group nothing is immutable: clients count and reword events.
 * The reference held no others fixed either before it compared them with what is stored.
 */
export function eventUpdateErrors(event: Event, stored: Event, groupVersion: string): FieldError[] {
  const errors: FieldError[] = [];
  checkAnyVersion(event, groupVersion, errors);
  if (groupVersion === STRICT_VERSION && ownRelease().has('fixedEvents')) {
    checkFixed(event, stored, errors);
  }
  return errors;
}

/** An event without `eventTime` is in the old form, which has few rules. */
function checkAnyVersion(event: Event, groupVersion: string, errors: FieldError[]): void {
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
  const isOld = groupVersion === 'v1' && ownRelease().has('reportingComponents');
  const field = isOld ? 'reportingComponent' : 'reportingController';
  if (controller === '') errors.push(required(field));
  addProblems(qualifiedName(controller), field, controller, errors);
  for (const member of ['reportingInstance', 'action', 'reason'] as const) {
    const value = event[member] ?? '';
    if (value === '') errors.push(required(member));
    checkLength(value, NAME_BYTES_MAX, member, errors);
  }
  checkLength(event.message ?? '', MESSAGE_BYTES_MAX, 'message', errors);
}

const FIXED_TEXTS = ['reason', 'message', 'type', 'action', 'reportingInstance'] as const;
const FIXED_TIMES = ['firstTimestamp', 'lastTimestamp', 'eventTime'] as const;

/** All but the series stays; a changed series has rules. */
function checkFixed(event: Event, stored: Event, errors: FieldError[]): void {
  if (!deepEqual(event.series, stored.series)) checkSeries(event.series, errors);
  const about = event.involvedObject ?? {};
  if (!deepEqual(about, stored.involvedObject ?? {})) {
    errors.push(invalidPrinted('involvedObject', printReference(about), FIELD_IMMUTABLE));
  }
  const { related } = event;
  const cameOrWent = (related === undefined) !== (stored.related === undefined);
  if (cameOrWent || !deepEqual(related, stored.related)) {
    errors.push(invalidPrinted('related', printReference(related), FIELD_IMMUTABLE));
  }
  for (const member of FIXED_TEXTS) {
    const value = event[member] ?? '';
    if (value !== (stored[member] ?? '')) errors.push(invalid(member, value, FIELD_IMMUTABLE));
  }
  const controller = event.reportingComponent ?? '';
  if (controller !== (stored.reportingComponent ?? '')) {
    errors.push(invalid('reportingController', controller, FIELD_IMMUTABLE));
  }
  const { component = '', host = '' } = event.source ?? {};
  const { component: storedComponent = '', host: storedHost = '' } = stored.source ?? {};
  if (component !== storedComponent || host !== storedHost) {
    errors.push(invalidPrinted('source', printSource(component, host), FIELD_IMMUTABLE));
  }
  for (const member of FIXED_TIMES) {
    const time = event[member] ?? undefined;
    if (time === (stored[member] ?? undefined)) continue;
    errors.push(invalid(member, time, FIELD_IMMUTABLE));
  }
  const count = event.count ?? 0;
  if (count !== (stored.count ?? 0)) errors.push(invalid('count', count, FIELD_IMMUTABLE));
}

/** The members of a reference as the reference server names them. */
const REFERENCE_MEMBERS = [
  ['Kind', 'kind'],
  ['Namespace', 'namespace'],
  ['Name', 'name'],
  ['UID', 'uid'],
  ['APIVersion', 'apiVersion'],
  ['ResourceVersion', 'resourceVersion'],
  ['FieldPath', 'fieldPath'],
] as const;

function printReference(reference: ObjectReference | undefined): string {
  if (reference === undefined) return printValue(undefined);
  return printMembers(
    'core.ObjectReference',
    REFERENCE_MEMBERS.map(([name, member]) => [name, reference[member] ?? '']),
  );
}

function printSource(component: string, host: string): string {
  return printMembers('core.EventSource', [
    ['Component', component],
    ['Host', host],
  ]);
}

function printMembers(type: string, members: readonly (readonly [string, string])[]): string {
  if (showsJson()) return JSON.stringify(Object.fromEntries(members));
  return `${type}{${members.map(([name, value]) => `${name}:${quoteText(value)}`).join(', ')}}`;
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
