// SPEC "CronJob" and API-FACTS 14.2.
import t from 'tap';
import { CRON_JOB } from '../../src/resources/batch/cron-job.ts';
import { KindRules, type Change } from './kind-rules.ts';

const template = { spec: { restartPolicy: 'OnFailure', containers: [{ name: 'c', image: 'i' }] } };
const rules = new KindRules(CRON_JOB, {
  spec: {
    schedule: '15 3 * * 1-5',
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
    jobTemplate: { spec: { template } },
  },
});
const job = (change: Change): Change => ({ spec: { jobTemplate: { spec: change } } });
const RESTART_POLICY =
  'spec.jobTemplate.spec.template.spec.restartPolicy: Required value: ' +
  'valid values: "OnFailure", "Never"';

t.test('rules of a CronJob', async (t) => {
  rules.checkCreates(t, [
    [
      'SPEC: spec holds a schedule and a job template',
      { spec: undefined },
      ['spec.schedule: Required value', RESTART_POLICY],
    ],
    ['SPEC: schedule is required', { spec: { schedule: '' } }, ['spec.schedule: Required value']],
    [
      'SPEC: a cron-format schedule',
      { spec: { schedule: 'x' } },
      ['spec.schedule: Invalid value: "x": expected exactly 5 fields, found 1: [x]'],
    ],
    [
      'SPEC: concurrencyPolicy',
      { spec: { concurrencyPolicy: 'Never' } },
      [
        'spec.concurrencyPolicy: Unsupported value: "Never": ' +
          'supported values: "Allow", "Forbid", "Replace"',
      ],
    ],
    [
      'SPEC: limits are non-negative',
      {
        spec: {
          startingDeadlineSeconds: -1,
          successfulJobsHistoryLimit: -2,
          failedJobsHistoryLimit: -3,
        },
      },
      [
        'spec.startingDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0',
        'spec.successfulJobsHistoryLimit: Invalid value: -2: must be greater than or equal to 0',
        'spec.failedJobsHistoryLimit: Invalid value: -3: must be greater than or equal to 0',
      ],
    ],
    ['zero is non-negative', { spec: { successfulJobsHistoryLimit: 0 } }, []],
    [
      '14.2: pods may not restart always',
      job({ template: { spec: { restartPolicy: 'Always' } } }),
      [RESTART_POLICY],
    ],
    ['14.2: or never', job({ template: { spec: { restartPolicy: 'Never' } } }), []],
    [
      '14.2: selectors are generated',
      job({ selector: {}, manualSelector: true }),
      [
        'spec.jobTemplate.spec.selector: Invalid value: {}: `selector` will be auto-generated',
        'spec.jobTemplate.spec.manualSelector: Unsupported value: true: ' +
          'supported values: "nil", "false"',
      ],
    ],
    ['a manual selector that is off', job({ manualSelector: false }), []],
    [
      '14.2: an indexed job needs completions',
      job({ completionMode: 'Indexed', parallelism: 100_001 }),
      [
        'spec.jobTemplate.spec.completions: Required value: when completion mode is Indexed',
        'spec.jobTemplate.spec.parallelism: Invalid value: 100001: ' +
          'must be less than or equal to 100000 when completion mode is Indexed',
      ],
    ],
  ]);
});

t.test('14.2: the name is at most 52 characters on create', async (t) => {
  const name = (length: number): Change => ({ metadata: { name: 'n'.repeat(length) } });
  t.same(rules.create(name(52)), []);
  t.same(rules.create(name(53)), [
    `metadata.name: Invalid value: "${'n'.repeat(53)}": must be no more than 52 characters`,
  ]);
  t.same(rules.update(name(53), { spec: { suspend: true } }), [], 'an update may keep it');
});
