/** Pods get priorities from classes. */
import {
  made,
  namespaceRow,
  patched,
  pod,
  refusedRow,
  removed,
  type AdmissionRow,
} from './rows.ts';

const HOME = '/api/v1/namespaces/priorities';
const PODS = `${HOME}/pods`;
const CLASSES = '/apis/scheduling.cluster.io/v1/priorityclasses';
const GROUP = '.scheduling.cluster.io';

const LOWER = 'PreemptLowerPriority';
const computed = (what: string, given: string | number, wanted: string | number): string =>
  `the ${what} (${given}) must not be provided in pod spec; ` +
  `priority admission controller computed ${wanted} from the given PriorityClass name`;
const priorityClass = (name: string, value: number, members: object = {}) => ({
  metadata: { name },
  value,
  ...members,
});
const onlyOne = (name: string): string =>
  `PriorityClass ${name} is already marked as default. Only one default can exist`;

export const PRIORITY_ROWS: readonly AdmissionRow[] = [
  namespaceRow('priorities'),
  made('a class', CLASSES, priorityClass('calm', 7, { preemptionPolicy: 'Never' })),
  made('a pod of no class', PODS, pod('plain'), {
    has: { spec: { priority: 0, preemptionPolicy: LOWER } },
    lacks: ['spec.priorityClassName'],
  }),
  made(
    'of a class of the system',
    PODS,
    pod('vital', { priorityClassName: 'system-node-critical' }),
    {
      has: { spec: { priority: 2_000_001_000, preemptionPolicy: LOWER } },
    },
  ),
  made('of another class', PODS, pod('calm', { priorityClassName: 'calm' }), {
    has: { spec: { priorityClassName: 'calm', priority: 7, preemptionPolicy: 'Never' } },
  }),
  made(
    'that says what the class says',
    PODS,
    pod('same', { priorityClassName: 'calm', priority: 7, preemptionPolicy: 'Never' }),
  ),
  refusedRow(
    'of a class that there is not',
    PODS,
    pod('lost', { priorityClassName: 'none' }),
    'no PriorityClass with name none was found',
  ),
  refusedRow(
    'that says another priority',
    PODS,
    pod('other', { priorityClassName: 'calm', priority: 8 }),
    computed('integer value of priority', 8, 7),
  ),
  refusedRow(
    'that says one without a class',
    PODS,
    pod('other', { priority: 1 }),
    computed('integer value of priority', 1, 0),
  ),
  refusedRow(
    'that says another policy',
    PODS,
    pod('other', { priorityClassName: 'calm', preemptionPolicy: LOWER }),
    computed('string value of PreemptionPolicy', LOWER, 'Never'),
  ),
  refusedRow(
    'that says one without a class',
    PODS,
    pod('other', { preemptionPolicy: 'Never' }),
    computed('string value of PreemptionPolicy', 'Never', LOWER),
  ),
  patched(
    'who writes a pod again need not say them',
    `${PODS}/calm`,
    { metadata: { labels: { a: 'b' } }, spec: { priority: null, preemptionPolicy: null } },
    { has: { metadata: { labels: { a: 'b' } }, spec: { priority: 7, preemptionPolicy: 'Never' } } },
  ),
  removed(`${CLASSES}/calm`),
  patched(
    'though the class is gone',
    `${PODS}/calm`,
    { metadata: { labels: { a: 'c' } }, spec: { priority: null } },
    { has: { spec: { priorityClassName: 'calm', priority: 7 } } },
  ),

  made('a class for the others', CLASSES, priorityClass('usual', 5, { globalDefault: true })),
  made('is that of a pod without one', PODS, pod('usual'), {
    has: { spec: { priorityClassName: 'usual', priority: 5, preemptionPolicy: LOWER } },
  }),
  refusedRow(
    'another such class',
    CLASSES,
    priorityClass('second', 6, { globalDefault: true }),
    onlyOne('usual'),
    GROUP,
  ),
  made('that is not for others', CLASSES, priorityClass('second', 6)),
  {
    what: 'and may not become so',
    method: 'PATCH',
    path: `${CLASSES}/second`,
    body: { globalDefault: true },
    status: 403,
    message: `priorityclasses${GROUP} "second" is forbidden: ${onlyOne('usual')}`,
  },
  patched('the one may be written', `${CLASSES}/usual`, { description: 'x' }),
  patched('and stop being so', `${CLASSES}/usual`, { globalDefault: false }),
  patched('then the other may', `${CLASSES}/second`, { globalDefault: true }),
  made('and is that of pods', PODS, pod('second'), { has: { spec: { priority: 6 } } }),
  removed(`${CLASSES}/second`),
  removed(`${CLASSES}/usual`),
  made('without such a class', PODS, pod('last'), {
    has: { spec: { priority: 0 } },
    lacks: ['spec.priorityClassName'],
  }),
];
