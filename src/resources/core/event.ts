/**
 * Event (README.md#events and src/semantics/README.md#field-selectors): stored as the core group
 * has it, and served in the shape of `events.cluster.io` too.
 */
import type { Event, ObjectReference } from '#messages/core.v1';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import { eventFromStored, eventToStored } from '../events/event-conversion.ts';
import { defineKind, type KindVersion } from '../kind.ts';
import { EVENT_PRINTER } from './event-printer.ts';
import { eventCreateErrors, eventUpdateErrors, STRICT_VERSION } from './event-validation.ts';

const about =
  (member: keyof ObjectReference) =>
  ({ involvedObject }: Event): string =>
    involvedObject?.[member] ?? '';

const IN_EVENTS_GROUP = {
  group: ownGroup('events.cluster.io'),
  message: 'events.v1.Event',
  fieldNames: {
    'regarding.kind': 'involvedObject.kind',
    'regarding.namespace': 'involvedObject.namespace',
    'regarding.name': 'involvedObject.name',
    'regarding.uid': 'involvedObject.uid',
    'regarding.apiVersion': 'involvedObject.apiVersion',
    'regarding.resourceVersion': 'involvedObject.resourceVersion',
    'regarding.fieldPath': 'involvedObject.fieldPath',
    reportingController: 'reportingComponent',
  },
  hiddenFields: ['source'],
  toStored: eventToStored,
  fromStored: eventFromStored,
} as const satisfies Partial<KindVersion>;

export const EVENT = defineKind<Event>({
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  shortNames: ['ev'],
  namespaced: true,
  message: 'core.v1.Event',
  nameRule: 'pathSegment',
  putCreates: true,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  defaultPropagation: 'none',
  checksFinalizerNames: false,
  strictMetadataIn: STRICT_VERSION,
  selectableFields: {
    'involvedObject.kind': about('kind'),
    'involvedObject.namespace': about('namespace'),
    'involvedObject.name': about('name'),
    'involvedObject.uid': about('uid'),
    'involvedObject.apiVersion': about('apiVersion'),
    'involvedObject.resourceVersion': about('resourceVersion'),
    'involvedObject.fieldPath': about('fieldPath'),
    reason: ({ reason }) => reason ?? '',
    reportingComponent: ({ reportingComponent }) => reportingComponent ?? '',
    source: ({ source, reportingComponent }) => source?.component || (reportingComponent ?? ''),
    type: ({ type }) => type ?? '',
  },
  indexedFields: ['involvedObject.name'],
  otherVersions: [
    { ...IN_EVENTS_GROUP, version: 'v1' },
    {
      ...IN_EVENTS_GROUP,
      version: 'v1beta1',
    },
  ],
  printer: EVENT_PRINTER,

  validateCreate: eventCreateErrors,
  validateUpdate: eventUpdateErrors,
});
