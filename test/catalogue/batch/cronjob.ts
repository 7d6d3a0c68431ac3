import type { Change, KindCases } from '../../support/kind-cases.ts';
import { negative, storedTemplate, template } from '../../support/workload-cases.ts';

const JOB = 'spec.jobTemplate.spec';
const RESTART_POLICY = `${JOB}.template.spec.restartPolicy`;
const CHOOSE_POLICY = `${RESTART_POLICY}: Required value: valid values: "OnFailure", "Never"`;

const job = (spec: Change): Change => ({ spec: { jobTemplate: { spec } } });

type Row = KindCases['invalid'][number];

function scheduled(rule: string, schedule: string, problem: string): Row {
  const errors =
    problem === '' ? [] : [`spec.schedule: Invalid value: ${JSON.stringify(schedule)}: ${problem}`];
  return [`${rule}: ${schedule}`, { spec: { schedule } }, errors];
}

/** The grammar is in src/semantics/README.md#schedules. */
const SCHEDULES: readonly Row[] = [
  ...[
    '0 * * * *',
    '*/15 0-6,8 1,15 * 1-5',
    '59 23 31 12 6',
    '0 0 1 JAN-mar Sun,SAT',
    '5/20 ? * * ?',
    '0-30/5 * * * *',
    '@yearly',
    '@annually',
    '@monthly',
    '@weekly',
    '@daily',
    '@midnight',
    '@hourly',
    '@every 1h30m',
    'TZ=UTC 0 4 * * *',
    'CRON_TZ=Asia/Tokyo 0 4 * * *',
  ].map((schedule) => scheduled('14.2 schedule', schedule, '')),
  scheduled('14.2 schedule', 'x', 'expected exactly 5 fields, found 1: [x]'),
  scheduled('14.2 schedule', '* * * *', 'expected exactly 5 fields, found 4: [* * * *]'),
  scheduled('14.2 schedule', '0 * * * * *', 'expected exactly 5 fields, found 6: [0 * * * * *]'),
  scheduled('14.2 schedule', '60 * * * *', 'end of range (60) above maximum (59): 60'),
  scheduled('14.2 schedule', '* 24 * * *', 'end of range (24) above maximum (23): 24'),
  scheduled('14.2 schedule', '* * 0 * *', 'beginning of range (0) below minimum (1): 0'),
  scheduled('14.2 schedule', '* * 32 * *', 'end of range (32) above maximum (31): 32'),
  scheduled('14.2 schedule', '* * * 13 *', 'end of range (13) above maximum (12): 13'),
  scheduled('14.2 schedule', '* * * * 7', 'end of range (7) above maximum (6): 7'),
  scheduled('14.2 schedule', '9-3 * * * *', 'beginning of range (9) beyond end of range (3): 9-3'),
  scheduled('14.2 schedule', '*/0 * * * *', 'step of range should be a positive number: */0'),
  scheduled('14.2 schedule', '1-2-3 * * * *', 'too many hyphens: 1-2-3'),
  scheduled('14.2 schedule', '1/2/3 * * * *', 'too many slashes: 1/2/3'),
  scheduled(
    '14.2 schedule',
    '* * * * FUN',
    'failed to parse int from FUN: strconv.Atoi: parsing "FUN": invalid syntax',
  ),
  scheduled('14.2 schedule', '@fortnightly', 'unrecognized descriptor: @fortnightly'),
  scheduled(
    '14.2 schedule',
    '@every day',
    'failed to parse duration @every day: time: invalid duration "day"',
  ),
  scheduled(
    '14.2 schedule',
    'TZ=Nowhere/Land 0 4 * * *',
    'provided bad location Nowhere/Land: unknown time zone Nowhere/Land',
  ),
];

export const CASES: KindCases = {
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  minimal: {
    spec: {
      schedule: '0 * * * *',
      jobTemplate: { spec: { template: template({ restartPolicy: 'OnFailure' }) } },
    },
  },
  // Allow, false, 3 and 1 are defaults. Those of a Job are not set in the template.
  minimalStored: {
    spec: {
      schedule: '0 * * * *',
      concurrencyPolicy: 'Allow',
      suspend: false,
      jobTemplate: {
        metadata: { creationTimestamp: null },
        spec: { template: storedTemplate({ restartPolicy: 'OnFailure' }) },
      },
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    },
    status: {},
  },
  full: {
    spec: {
      schedule: '*/5 8-18 * * MON-FRI',
      startingDeadlineSeconds: 9007199254740991,
      concurrencyPolicy: 'Forbid',
      suspend: true,
      jobTemplate: {
        metadata: { creationTimestamp: null, labels: { a: 'b' }, annotations: { c: 'd' } },
        spec: {
          parallelism: 3,
          completions: 5,
          activeDeadlineSeconds: 60,
          backoffLimit: 0,
          manualSelector: false,
          template: storedTemplate({ restartPolicy: 'Never' }, {}),
          ttlSecondsAfterFinished: 100,
          completionMode: 'Indexed',
          suspend: false,
        },
      },
      successfulJobsHistoryLimit: 0,
      failedJobsHistoryLimit: 0,
    },
    status: {},
  },
  invalid: [
    [
      'CronJob: jobTemplate and schedule, required "yes"',
      { spec: undefined },
      [
        'spec.schedule: Required value',
        `${JOB}.template.spec.containers: Required value`,
        CHOOSE_POLICY,
      ],
    ],
    [
      'CronJob: schedule, required "yes"',
      { spec: { schedule: '' } },
      ['spec.schedule: Required value'],
    ],
    ...SCHEDULES,
    ...['Allow', 'Forbid', 'Replace'].map((policy): Row => {
      const rule = `CronJob: concurrencyPolicy "${policy}"`;
      return [rule, { spec: { concurrencyPolicy: policy } }, []];
    }),
    [
      'CronJob: concurrencyPolicy, no other',
      { spec: { concurrencyPolicy: 'Never' } },
      [
        'spec.concurrencyPolicy: Unsupported value: "Never": ' +
          'supported values: "Allow", "Forbid", "Replace"',
      ],
    ],
    [
      '14.2: a deadline is not negative',
      { spec: { startingDeadlineSeconds: -1 } },
      [negative('spec.startingDeadlineSeconds')],
    ],
    ['14.2: a deadline may be at once', { spec: { startingDeadlineSeconds: 0 } }, []],
    ['CronJob: suspend, boolean', { spec: { suspend: true } }, []],
    [
      'CronJob: successfulJobsHistoryLimit "Non-negative"',
      { spec: { successfulJobsHistoryLimit: -2 } },
      [negative('spec.successfulJobsHistoryLimit', -2)],
    ],
    [
      'CronJob: failedJobsHistoryLimit "Non-negative"',
      { spec: { failedJobsHistoryLimit: -3 } },
      [negative('spec.failedJobsHistoryLimit', -3)],
    ],
    [
      '14.2: pods may not run always',
      job({ template: { spec: { restartPolicy: 'Always' } } }),
      [CHOOSE_POLICY],
    ],
    [
      '14.2: or as is the default',
      job({ template: { spec: { restartPolicy: undefined } } }),
      [CHOOSE_POLICY],
    ],
    [
      '14.2: selectors are generated',
      job({ selector: { matchLabels: { a: 'b' } } }),
      [
        `${JOB}.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"a":"b"}, ` +
          'MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: ' +
          '`selector` will be auto-generated',
      ],
    ],
    [
      '14.2: none is manual',
      job({ manualSelector: true }),
      [`${JOB}.manualSelector: Unsupported value: true: supported values: "nil", "false"`],
    ],
    [
      '14.2: counts of a job are not negative',
      job({ parallelism: -1, completions: -2, activeDeadlineSeconds: -3, backoffLimit: -4 }),
      [
        negative(`${JOB}.parallelism`),
        negative(`${JOB}.completions`, -2),
        negative(`${JOB}.activeDeadlineSeconds`, -3),
        negative(`${JOB}.backoffLimit`, -4),
      ],
    ],
    [
      '14.2: an indexed job needs completions, and is not too wide',
      job({ completionMode: 'Indexed', parallelism: 100_001 }),
      [
        `${JOB}.completions: Required value: when completion mode is Indexed`,
        `${JOB}.parallelism: Invalid value: 100001: ` +
          'must be less than or equal to 100000 when completion mode is Indexed',
      ],
    ],
    [
      '14.2: a name of more than 52 characters, on create',
      { metadata: { name: 'n'.repeat(53) } },
      [`metadata.name: Invalid value: "${'n'.repeat(53)}": must be no more than 52 characters`],
    ],
    ['14.2: a name of 52 characters', { metadata: { name: 'n'.repeat(52) } }, []],
  ],
  updates: [
    [
      'CronJob: all of the spec is mutable',
      {},
      {
        spec: {
          schedule: '@daily',
          concurrencyPolicy: 'Replace',
          startingDeadlineSeconds: 10,
          suspend: true,
          successfulJobsHistoryLimit: 7,
          failedJobsHistoryLimit: 0,
          jobTemplate: { spec: { completions: 2, template: { spec: { restartPolicy: 'Never' } } } },
        },
      },
      [],
    ],
    [
      'CronJob: an update is checked like a new object',
      {},
      { spec: { schedule: 'never', failedJobsHistoryLimit: -1 } },
      [
        negative('spec.failedJobsHistoryLimit'),
        'spec.schedule: Invalid value: "never": expected exactly 5 fields, found 1: [never]',
      ],
    ],
  ],
  statusUpdates: [
    [
      'CronJobStatus: active, lastScheduleTime, lastSuccessfulTime',
      {},
      {
        status: {
          active: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'a-1', namespace: 'default' }],
          lastScheduleTime: '2024-01-02T03:04:05Z',
          lastSuccessfulTime: '2024-01-02T03:04:06Z',
        },
      },
      [],
    ],
    ['6.7: metadata is writable', {}, { metadata: { labels: { a: 'b' } } }, []],
  ],
};
