import type { KindCases } from '../../support/kind-cases.ts';
import { NAME_PART_HINT } from '../../support/name-hints.ts';

const TIME = '2024-05-01T10:11:12Z';
const MICRO_TIME = '2024-05-01T10:11:12.123456Z';

/** The rules of old, in the new shape. */
export const CASES: KindCases = {
  apiVersion: 'events.cluster.io/v1beta1',
  kind: 'Event',
  minimal: {},
  minimalStored: {
    eventTime: null,
    regarding: {},
    deprecatedSource: {},
    deprecatedFirstTimestamp: null,
    deprecatedLastTimestamp: null,
  },
  full: {
    eventTime: MICRO_TIME,
    series: { count: 1, lastObservedTime: MICRO_TIME },
    reportingController: 'example.com/controller',
    reportingInstance: 'controller-1',
    action: 'Scaling',
    reason: 'Scaled',
    regarding: { kind: 'Pod', namespace: 'default', name: 'pod-1' },
    related: { kind: 'Node', name: 'n' },
    note: 'n',
    type: 'Anything',
    deprecatedSource: { component: 'c', host: 'h' },
    deprecatedFirstTimestamp: TIME,
    deprecatedLastTimestamp: TIME,
    deprecatedCount: 3,
  },
  invalid: [
    [
      '14.2: the object is in the namespace of the event',
      { regarding: { namespace: 'other' } },
      ['involvedObject.namespace: Invalid value: "other": does not match event.namespace'],
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
  ],
  updates: [['14.2: all of it may change', {}, { note: 'n', deprecatedCount: 2 }, []]],
};
