import type { Change, KindCases } from '../../support/kind-cases.ts';
import { NAME_PART_HINT, SUBDOMAIN_HINT } from '../../support/name-hints.ts';

const TIME = '2024-05-01T10:11:12Z';
const MICRO_TIME = '2024-05-01T10:11:12.123456Z';
const MINIMAL = {
  eventTime: MICRO_TIME,
  reportingController: 'example.com/controller',
  reportingInstance: 'controller-1',
  action: 'Scaling',
  reason: 'Scaled',
  type: 'Normal',
};
/** Members that an event of this shape always shows. */
const SUPERSEDED = {
  deprecatedSource: {},
  deprecatedFirstTimestamp: null,
  deprecatedLastTimestamp: null,
};
const FULL = {
  ...MINIMAL,
  type: 'Warning',
  series: { count: 2, lastObservedTime: MICRO_TIME },
  regarding: {
    kind: 'Pod',
    namespace: 'default',
    name: 'pod-1',
    uid: 'u',
    apiVersion: 'v1',
    resourceVersion: '7',
    fieldPath: 'spec.containers{a}',
  },
  related: { kind: 'Node', name: 'n' },
  note: 'x'.repeat(1024),
};
const required = (member: string): Causes => [`${member}: Required value`];
const unset = (member: string): Causes => [`${member}: Invalid value: "": needs to be unset`];
type Causes = readonly string[];
const FINALIZER_ERROR =
  'metadata.finalizers[0]: Invalid value: "a": name is neither a standard finalizer name nor is ' +
  'it fully qualified';
/** Nothing is immutable, though the rules of the version say so. */
const changeable = (member: string, value: unknown): readonly [string, Change, Change, Causes] => [
  `update: ${member} may change`,
  {},
  { [member]: value },
  [],
];

export const CASES: KindCases = {
  apiVersion: 'events.cluster.io/v1',
  kind: 'Event',
  minimal: MINIMAL,
  minimalStored: { ...MINIMAL, ...SUPERSEDED, regarding: {} },
  full: FULL,
  fullStored: { ...FULL, ...SUPERSEDED },
  invalid: [
    [
      'Event: "type is limited to Normal and Warning"',
      { type: 'Error' },
      ['type: Invalid value: "": has invalid value: Error'],
    ],
    [
      'Event: a type is there',
      { type: undefined },
      ['type: Invalid value: "": has invalid value: '],
    ],
    ['Event: type Warning', { type: 'Warning' }, []],
    ['Event: "required on create": action', { action: undefined }, required('action')],
    ['Event: "required on create": reason', { reason: '' }, required('reason')],
    [
      'Event: "required on create": reportingController',
      { reportingController: undefined },
      [
        'reportingController: Required value',
        'reportingController: Invalid value: "": name part must be non-empty',
        `reportingController: Invalid value: "": ${NAME_PART_HINT}`,
      ],
    ],
    [
      'Event: "required on create": reportingInstance',
      { reportingInstance: undefined },
      required('reportingInstance'),
    ],
    ['Event: "eventTime replaces firstTimestamp"', { eventTime: undefined }, required('eventTime')],
    [
      'Event: deprecatedFirstTimestamp is "not permitted"',
      { deprecatedFirstTimestamp: TIME },
      unset('firstTimestamp'),
    ],
    [
      'Event: deprecatedLastTimestamp is "not permitted"',
      { deprecatedLastTimestamp: TIME },
      unset('lastTimestamp'),
    ],
    ['Event: deprecatedCount is "not permitted"', { deprecatedCount: 1 }, unset('count')],
    [
      'Event: deprecatedSource.component is "not permitted"',
      { deprecatedSource: { component: 'c' } },
      unset('source'),
    ],
    [
      'Event: deprecatedSource.host is "not permitted"',
      { deprecatedSource: { host: 'h' } },
      unset('source'),
    ],
    [
      'Event: "involvedObject is renamed regarding": the old name is unknown',
      { involvedObject: { name: 'x' } },
      [],
    ],
    [
      '14.2: reportingController is a qualified name',
      { reportingController: 'a b' },
      [`reportingController: Invalid value: "a b": ${NAME_PART_HINT}`],
    ],
    [
      '14.2: series.count ≥ 2',
      { series: { count: 1, lastObservedTime: MICRO_TIME } },
      ['series.count: Invalid value: "": should be at least 2'],
    ],
    [
      'Event: "series.lastObservedTime replaces lastTimestamp"',
      { series: { count: 2 } },
      required('series.lastObservedTime'),
    ],
    [
      '14.1: lengths',
      {
        reportingInstance: 'x'.repeat(129),
        action: 'x'.repeat(129),
        reason: 'x'.repeat(129),
        note: 'x'.repeat(1025),
      },
      [
        'reportingInstance: Invalid value: "": can have at most 128 characters',
        'action: Invalid value: "": can have at most 128 characters',
        'reason: Invalid value: "": can have at most 128 characters',
        'message: Invalid value: "": can have at most 1024 characters',
      ],
    ],
    [
      '14.2: events about cluster-scoped objects are in one of two namespaces',
      { metadata: { namespace: 'other' } },
      ['involvedObject.namespace: Invalid value: "": does not match event.namespace'],
    ],
    [
      'the name is a DNS subdomain',
      { metadata: { name: 'Pod_1' } },
      [`metadata.name: Invalid value: "Pod_1": ${SUBDOMAIN_HINT}`],
    ],
    [
      'so is what a name would be generated from, though there is one',
      { metadata: { generateName: 'G' } },
      [`metadata.generateName: Invalid value: "G": ${SUBDOMAIN_HINT}`],
    ],
    ['short finalizers are checked', { metadata: { finalizers: ['a'] } }, [FINALIZER_ERROR]],
  ],
  updates: [
    [
      '14.2: update: series may change',
      {},
      { series: { count: 2, lastObservedTime: MICRO_TIME } },
      [],
    ],
    ['14.2: update: metadata may change', {}, { metadata: { labels: { a: 'b' } } }, []],
    changeable('series', { count: 1 }),
    changeable('regarding', { name: 'x', namespace: 'default' }),
    changeable('reason', 'Other'),
    changeable('note', 'other'),
    changeable('deprecatedSource', { component: 'c' }),
    changeable('deprecatedFirstTimestamp', TIME),
    changeable('deprecatedLastTimestamp', TIME),
    changeable('deprecatedCount', 2),
    changeable('type', 'Other'),
    changeable('eventTime', '2024-05-01T10:11:13.000000Z'),
    changeable('action', 'Other'),
    changeable('related', { name: 'x' }),
    changeable('reportingController', 'other'),
    changeable('reportingInstance', 'other'),
    [
      'update: short finalizers are checked',
      {},
      { metadata: { finalizers: ['a'] } },
      [FINALIZER_ERROR],
    ],
    ['update: names are path segments', {}, { metadata: { generateName: 'G' } }, []],
    ['update: what is required stays so', {}, { reason: '' }, ['reason: Required value']],
    ['3.4: an update needs no version', {}, { metadata: { resourceVersion: '0' } }, []],
  ],
};
