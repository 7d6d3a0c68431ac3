// How the pods of Jobs of CronJobs are scheduled together.
import type { Change, KindCases } from '../../support/kind-cases.ts';
import { plainTemplate, template } from '../../support/workload-cases.ts';

const FIELD = 'spec.jobTemplate.spec.scheduling';
const JOB = { template: template({ restartPolicy: 'Never' }) };

const scheduling = (members: Change): Change => ({
  spec: { jobTemplate: { spec: { scheduling: members } } },
});

export const CASES: KindCases = {
  release: 37,
  featureGates: ['WorkloadWithJob'],
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  minimal: { spec: { schedule: '@hourly', jobTemplate: { spec: JOB } } },
  minimalStored: {
    spec: {
      schedule: '@hourly',
      concurrencyPolicy: 'Allow',
      suspend: false,
      jobTemplate: {
        metadata: {},
        spec: { template: plainTemplate({ restartPolicy: 'Never' }) },
      },
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    },
    status: {},
  },
  full: {
    spec: {
      schedule: '@hourly',
      jobTemplate: { spec: { ...JOB, scheduling: { schedulingPolicy: { gang: {} } } } },
    },
  },
  fullStored: {
    spec: {
      schedule: '@hourly',
      concurrencyPolicy: 'Allow',
      suspend: false,
      jobTemplate: {
        metadata: {},
        spec: {
          template: plainTemplate({ restartPolicy: 'Never' }),
          scheduling: { schedulingPolicy: { gang: {} } },
        },
      },
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    },
    status: {},
  },
  invalid: [
    [
      'a gang is at most as large as the parallelism',
      scheduling({ schedulingPolicy: { gang: { minCount: 2 } } }),
      [
        `${FIELD}.schedulingPolicy.gang.minCount: Invalid value: 2: must not be greater than ` +
          'parallelism (1)',
      ],
    ],
    [
      'a mode is one of two',
      scheduling({ disruptionMode: {} }),
      [`${FIELD}.disruptionMode: Invalid value: "": must specify one of: \`single\`, \`all\``],
    ],
  ],
  updates: [
    [
      'nothing comes later',
      {},
      scheduling({ schedulingPolicy: { basic: {} } }),
      [`${FIELD}: Invalid value: null: field cannot be set once created`],
    ],
  ],
};
