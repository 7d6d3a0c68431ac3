// The newest release treats some Events of the newer group otherwise.
import type { KindCases } from '../../support/kind-cases.ts';

const EVENT = {
  eventTime: '2024-05-01T10:11:12.123456Z',
  reportingController: 'example.com/controller',
  reportingInstance: 'controller-1',
  action: 'Pull',
  reason: 'Pulled',
  type: 'Normal',
  regarding: { kind: 'Pod', namespace: 'default', name: 'a' },
};
const IMMUTABLE = 'field is immutable';

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'events.cluster.io/v1',
  kind: 'Event',
  minimal: EVENT,
  minimalStored: {
    ...EVENT,
    deprecatedFirstTimestamp: null,
    deprecatedLastTimestamp: null,
    deprecatedSource: {},
  },
  full: { ...EVENT, note: 'It is here.', related: { kind: 'Node', name: 'n' } },
  fullStored: {
    ...EVENT,
    note: 'It is here.',
    related: { kind: 'Node', name: 'n' },
    deprecatedFirstTimestamp: null,
    deprecatedLastTimestamp: null,
    deprecatedSource: {},
  },
  invalid: [],
  updates: [
    [
      'the series may go on',
      {},
      { series: { count: 2, lastObservedTime: '2024-05-01T10:12:12.123456Z' } },
      [],
    ],
    [
      'as a series',
      {},
      { series: { count: 1 } },
      [
        'series.count: Invalid value: "": should be at least 2',
        'series.lastObservedTime: Required value',
      ],
    ],
    [
      'all else stays',
      {},
      {
        regarding: { name: 'b' },
        related: { kind: 'Node' },
        note: 'It was here.',
        reason: 'Gone',
        eventTime: '2024-05-02T10:11:12.123456Z',
        deprecatedSource: { host: 'h' },
        deprecatedCount: 2,
      },
      [
        `involvedObject: Invalid value: {"Kind":"Pod","Namespace":"default","Name":"b","UID":"","APIVersion":"","ResourceVersion":"","FieldPath":""}: ${IMMUTABLE}`,
        `related: Invalid value: {"Kind":"Node","Namespace":"","Name":"","UID":"","APIVersion":"","ResourceVersion":"","FieldPath":""}: ${IMMUTABLE}`,
        `reason: Invalid value: "Gone": ${IMMUTABLE}`,
        `message: Invalid value: "It was here.": ${IMMUTABLE}`,
        `source: Invalid value: {"Component":"","Host":"h"}: ${IMMUTABLE}`,
        `eventTime: Invalid value: "2024-05-02T10:11:12.123456Z": ${IMMUTABLE}`,
        `count: Invalid value: 2: ${IMMUTABLE}`,
      ],
    ],
  ],
};
