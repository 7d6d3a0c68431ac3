import type { KindCases } from '../../support/kind-cases.ts';
import { NAME_PART_HINT } from '../../support/name-hints.ts';

const TIME = '2024-05-01T10:11:12Z';
const MICRO_TIME = '2024-05-01T10:11:12.123456Z';
const MISMATCH = 'does not match event.namespace';
const NEW = {
  eventTime: MICRO_TIME,
  reportingComponent: 'example.com/controller',
  reportingInstance: 'controller-1',
  action: 'Scaling',
  reason: 'Scaled',
};
const ABOUT = {
  kind: 'Pod',
  namespace: 'default',
  name: 'pod-1',
  uid: 'u',
  apiVersion: 'v1',
  resourceVersion: '7',
  fieldPath: 'spec.containers{a}',
};

export const CASES: KindCases = {
  apiVersion: 'v1',
  kind: 'Event',
  minimal: {},
  minimalStored: {
    involvedObject: {},
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    eventTime: null,
    reportingComponent: '',
    reportingInstance: '',
  },
  full: {
    involvedObject: ABOUT,
    reason: 'Scaled',
    message: 'm',
    source: { component: 'c', host: 'h' },
    firstTimestamp: TIME,
    lastTimestamp: TIME,
    count: 3,
    type: 'Anything',
    eventTime: MICRO_TIME,
    series: { count: 1, lastObservedTime: MICRO_TIME },
    action: 'Scaling',
    related: { kind: 'Node', name: 'n' },
    reportingComponent: 'example.com/controller',
    reportingInstance: 'controller-1',
  },
  invalid: [
    ['3.7: any path segment is a name', { metadata: { name: 'Pod_1:x' } }, []],
    [
      '3.7: a name is one path segment',
      { metadata: { name: 'a/b' } },
      ['metadata.name: Invalid value: "a/b": may not contain \'/\''],
    ],
    [
      '14.2: the involved object is in the namespace of the event',
      { involvedObject: { namespace: 'other' } },
      [`involvedObject.namespace: Invalid value: "other": ${MISMATCH}`],
    ],
    [
      '14.2: an empty involved namespace is allowed in default only',
      { metadata: { namespace: 'other' } },
      [`involvedObject.namespace: Invalid value: "": ${MISMATCH}`],
    ],
    [
      '14.2: with eventTime, the involved object may be in another namespace',
      { ...NEW, involvedObject: { namespace: 'other' } },
      [],
    ],
    [
      '14.2: with eventTime, cluster-scoped objects have their events in two namespaces',
      { ...NEW, metadata: { namespace: 'other' } },
      [`involvedObject.namespace: Invalid value: "": ${MISMATCH}`],
    ],
    [
      '14.2: with eventTime, cluster-scoped objects: cluster-system',
      { ...NEW, metadata: { namespace: 'cluster-system' } },
      [],
    ],
    [
      '14.2: with eventTime, the new-style fields are required',
      { eventTime: MICRO_TIME },
      [
        'reportingController: Required value',
        'reportingController: Invalid value: "": name part must be non-empty',
        `reportingController: Invalid value: "": ${NAME_PART_HINT}`,
        'reportingInstance: Required value',
        'action: Required value',
        'reason: Required value',
      ],
    ],
    [
      '14.1: lengths, with eventTime',
      {
        ...NEW,
        reportingInstance: 'x'.repeat(129),
        action: 'x'.repeat(129),
        reason: 'x'.repeat(129),
        message: 'x'.repeat(1025),
      },
      [
        'reportingInstance: Invalid value: "": can have at most 128 characters',
        'action: Invalid value: "": can have at most 128 characters',
        'reason: Invalid value: "": can have at most 128 characters',
        'message: Invalid value: "": can have at most 1024 characters',
      ],
    ],
    ['14.1: lengths, without eventTime', { message: 'x'.repeat(1025) }, []],
  ],
  updates: [
    [
      '14.2: all of it may change',
      {},
      { involvedObject: { name: 'x' }, count: 2, lastTimestamp: TIME, message: 'm', type: 'T' },
      [],
    ],
    [
      '14.2: the namespaces agree after an update too',
      {},
      { involvedObject: { namespace: 'other' } },
      [`involvedObject.namespace: Invalid value: "other": ${MISMATCH}`],
    ],
    ['3.4: an update needs no version', {}, { metadata: { resourceVersion: '0' } }, []],
  ],
};
