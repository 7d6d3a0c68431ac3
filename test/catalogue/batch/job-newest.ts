// The newest release treats some Jobs otherwise.
import type { KindCases } from '../../support/kind-cases.ts';
import {
  negative,
  ofPod,
  plainTemplate,
  SELECTOR,
  template,
} from '../../support/workload-cases.ts';

const IMMUTABLE = 'field is immutable';
const INDEXED = { completionMode: 'Indexed', completions: 5, parallelism: 5 };
const ON_EXIT = { operator: 'In', values: [1] };
const FAIL = { action: 'FailJob', onExitCodes: ON_EXIT };
const RULES = 'spec.podFailurePolicy.rules';
const SUCCESS = 'spec.successPolicy.rules';
const ACTIONS = '"Count", "FailIndex", "FailJob", "Ignore"';
const START = '2024-01-02T03:04:05Z';
const END = '2024-01-02T03:05:05Z';
const CONDITIONS = 'status.conditions: Invalid value';

function condition(...types: readonly string[]): readonly object[] {
  return types.map((type) => ({ type, status: 'True' }));
}

const COMPLETE = {
  startTime: START,
  completionTime: END,
  succeeded: 1,
  conditions: condition('SuccessCriteriaMet', 'Complete'),
};

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'batch/v1',
  kind: 'Job',
  minimal: {
    spec: {
      manualSelector: true,
      selector: SELECTOR,
      template: template({ restartPolicy: 'Never' }),
    },
  },
  minimalStored: {
    spec: {
      parallelism: 1,
      completions: 1,
      backoffLimit: 6,
      selector: SELECTOR,
      manualSelector: true,
      template: plainTemplate({ restartPolicy: 'Never' }),
      completionMode: 'NonIndexed',
      suspend: false,
      podReplacementPolicy: 'TerminatingOrFailed',
    },
    status: {},
  },
  full: {
    spec: {
      parallelism: 5,
      completions: 5,
      activeDeadlineSeconds: 60,
      podFailurePolicy: {
        rules: [
          {
            action: 'FailIndex',
            onExitCodes: { containerName: 'c', operator: 'In', values: [1, 3] },
          },
          { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] },
        ],
      },
      successPolicy: { rules: [{ succeededIndexes: '0,2-4', succeededCount: 2 }] },
      backoffLimitPerIndex: 1,
      maxFailedIndexes: 2,
      selector: SELECTOR,
      manualSelector: true,
      template: plainTemplate({ restartPolicy: 'Never' }),
      ttlSecondsAfterFinished: 0,
      completionMode: 'Indexed',
      suspend: true,
      managedBy: 'example.com/jobs',
    },
    status: {},
  },
  fullStored: {
    spec: {
      parallelism: 5,
      completions: 5,
      activeDeadlineSeconds: 60,
      podFailurePolicy: {
        rules: [
          {
            action: 'FailIndex',
            onExitCodes: { containerName: 'c', operator: 'In', values: [1, 3] },
          },
          { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
        ],
      },
      successPolicy: { rules: [{ succeededIndexes: '0,2-4', succeededCount: 2 }] },
      backoffLimit: 2_147_483_647,
      backoffLimitPerIndex: 1,
      maxFailedIndexes: 2,
      selector: SELECTOR,
      manualSelector: true,
      template: plainTemplate({ restartPolicy: 'Never' }),
      ttlSecondsAfterFinished: 0,
      completionMode: 'Indexed',
      suspend: true,
      podReplacementPolicy: 'Failed',
      managedBy: 'example.com/jobs',
    },
    status: {},
  },
  invalid: [
    [
      'limits of indexes are for jobs with indexes',
      { spec: { backoffLimitPerIndex: 1, maxFailedIndexes: 1 } },
      [
        'spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode',
        'spec.maxFailedIndexes: Invalid value: 1: requires indexed completion mode',
      ],
    ],
    [
      'limits of indexes are not negative',
      { spec: { ...INDEXED, backoffLimitPerIndex: -1, maxFailedIndexes: -2 } },
      [negative('spec.backoffLimitPerIndex'), negative('spec.maxFailedIndexes', -2)],
    ],
    [
      'indexes fail only where each has a limit',
      { spec: { ...INDEXED, maxFailedIndexes: 6 } },
      [
        'spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified',
        'spec.maxFailedIndexes: Invalid value: 6: must be less than or equal to completions',
      ],
    ],
    [
      'very many indexes have closer bounds',
      {
        spec: {
          completionMode: 'Indexed',
          completions: 100_001,
          parallelism: 10_001,
          backoffLimitPerIndex: 0,
        },
      },
      [
        'spec.maxFailedIndexes: Required value: must be specified when completions is above 100000',
        'spec.parallelism: Invalid value: 10001: must be less than or equal to 10000 when ' +
          'completions are above 100000 and used with backoff limit per index',
      ],
    ],
    [
      'who manages a job is a path after a domain',
      { spec: { managedBy: 'jobs' } },
      [
        'spec.managedBy: Invalid value: "jobs": ' +
          'must be a domain-prefixed path (such as "acme.io/foo")',
      ],
    ],
    [
      'its path has characters of URLs',
      { spec: { managedBy: `example.com/${'a'.repeat(60)}?` } },
      [
        `spec.managedBy: Invalid value: "${'a'.repeat(60)}?": Invalid path ` +
          "(regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')",
        'spec.managedBy: Too long: may not be more than 63 bytes',
      ],
    ],
    [
      'with a policy of failures pods are replaced once they have failed',
      {
        spec: { podFailurePolicy: { rules: [FAIL] }, podReplacementPolicy: 'TerminatingOrFailed' },
      },
      [
        'spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": ' +
          'supported values: "Failed"',
      ],
    ],
    [
      'when pods are replaced',
      { spec: { podReplacementPolicy: 'Never' } },
      [
        'spec.podReplacementPolicy: Unsupported value: "Never": ' +
          'supported values: "Failed", "TerminatingOrFailed"',
      ],
    ],
    [
      'pods with a policy of failures never restart',
      {
        spec: {
          podFailurePolicy: { rules: [FAIL] },
          template: template({ restartPolicy: 'OnFailure' }),
        },
      },
      [
        'spec.template.spec.restartPolicy: Invalid value: "OnFailure": ' +
          'only "Never" is supported when podFailurePolicy is specified',
      ],
    ],
    [
      'a rule of failures has an action and one requirement',
      {
        spec: {
          podFailurePolicy: {
            rules: [
              { onExitCodes: ON_EXIT },
              { action: 'Retry', onExitCodes: ON_EXIT },
              { action: 'FailIndex', onExitCodes: ON_EXIT },
              { action: 'Count' },
              { ...FAIL, onPodConditions: [{ type: 'Ready' }] },
            ],
          },
        },
      },
      [
        `${RULES}[0].action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]`,
        `${RULES}[1].action: Unsupported value: "Retry": supported values: ${ACTIONS}`,
        `${RULES}[2].action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set`,
        `${RULES}[3]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required`,
        `${RULES}[4]: Invalid value: specifying both OnExitCodes and OnPodConditions is not supported`,
      ],
    ],
    [
      'exit codes are in order, each once, of a container of the pod',
      {
        spec: {
          podFailurePolicy: {
            rules: [
              { action: 'Count', onExitCodes: { operator: 'In', values: [0, 3, 2, 2] } },
              { action: 'Count', onExitCodes: { operator: 'Is', containerName: 'd' } },
              { action: 'Count', onExitCodes: { values: [1] } },
            ],
          },
        },
      },
      [
        `${RULES}[0].onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator`,
        `${RULES}[0].onExitCodes.values[3]: Duplicate value: 2`,
        `${RULES}[0].onExitCodes.values: Invalid value: [0,3,2,2]: must be ordered`,
        `${RULES}[1].onExitCodes.operator: Unsupported value: "Is": supported values: "In", "NotIn"`,
        `${RULES}[1].onExitCodes.containerName: Invalid value: "d": ` +
          'must be one of the container or initContainer names in the pod template',
        `${RULES}[1].onExitCodes.values: Invalid value: null: at least one value is required`,
        `${RULES}[2].onExitCodes.operator: Required value: valid values: ["In" "NotIn"]`,
      ],
    ],
    [
      'conditions of pods have names and a status',
      {
        spec: {
          podFailurePolicy: {
            rules: [{ action: 'Count', onPodConditions: [{ type: 'A', status: 'Yes' }] }],
          },
        },
      },
      [
        `${RULES}[0].onPodConditions[0].status: Unsupported value: "Yes": ` +
          'supported values: "False", "True", "Unknown"',
      ],
    ],
    [
      'at most 20 rules',
      { spec: { podFailurePolicy: { rules: Array.from({ length: 21 }, () => FAIL) } } },
      [`${RULES}: Too many: 21: must have at most 20 items`],
    ],
    [
      'a policy of success is for jobs with indexes',
      { spec: { successPolicy: { rules: [{ succeededCount: 1 }] } } },
      [
        'spec.successPolicy: Invalid value: ' +
          '{"Rules":[{"SucceededIndexes":null,"SucceededCount":1}]}: requires indexed completion mode',
      ],
    ],
    [
      'it has a rule',
      { spec: { ...INDEXED, successPolicy: {} } },
      [
        `${SUCCESS}: Required value: ` +
          'at least one rules must be specified when the successPolicy is specified',
      ],
    ],
    [
      'its rules name indexes of the job, in order',
      {
        spec: {
          ...INDEXED,
          successPolicy: {
            rules: [
              {},
              { succeededIndexes: '3,1' },
              { succeededIndexes: '1-5' },
              { succeededIndexes: '1-2-3' },
              { succeededIndexes: 'x' },
              { succeededIndexes: '1-2', succeededCount: 6 },
              { succeededCount: -1 },
            ],
          },
        },
      },
      [
        `${SUCCESS}[0]: Required value: ` +
          'at least one of succeededCount or succeededIndexes must be specified',
        `${SUCCESS}[1].succeededIndexes: Invalid value: "3,1": error parsing succeededIndexes: ` +
          'non-increasing order, previous: 3, current: 1',
        `${SUCCESS}[2].succeededIndexes: Invalid value: "1-5": error parsing succeededIndexes: ` +
          'too large index: "5"',
        `${SUCCESS}[3].succeededIndexes: Invalid value: "1-2-3": error parsing succeededIndexes: ` +
          'the fragment "1-2-3" violates the requirement that an index interval can have at most ' +
          "two parts separated by '-'",
        `${SUCCESS}[4].succeededIndexes: Invalid value: "x": error parsing succeededIndexes: ` +
          'cannot convert string to integer for index: "x"',
        `${SUCCESS}[5].succeededCount: Invalid value: 6: ` +
          'must be less than or equal to 5 (the number of specified completions)',
        `${SUCCESS}[5].succeededCount: Invalid value: 6: must be less than or equal to 2 ` +
          '(the number of indexes in the specified succeededIndexes field)',
        negative(`${SUCCESS}[6].succeededCount`),
      ],
    ],
  ],
  updates: [
    ['what a name is made of may be anything later', {}, { metadata: { generateName: 'A_B' } }, []],
    ['labels are generated for new jobs alone', {}, { spec: { manualSelector: null } }, []],
    [
      'completions of an indexed job change with its parallelism',
      { spec: INDEXED },
      { spec: { completions: 3, parallelism: 3 } },
      [],
    ],
    [
      'and not alone',
      { spec: INDEXED },
      { spec: { completions: 3 } },
      ['spec.completions: Invalid value: 3: can only be modified in tandem with spec.parallelism'],
    ],
    [
      'limits and managers stay',
      { spec: { ...INDEXED, backoffLimitPerIndex: 1, managedBy: 'a.b/c' } },
      { spec: { backoffLimitPerIndex: 2, managedBy: 'a.b/d' } },
      [
        `spec.backoffLimitPerIndex: Invalid value: 2: ${IMMUTABLE}`,
        `spec.managedBy: Invalid value: "a.b/d": ${IMMUTABLE}`,
      ],
    ],
    [
      'a suspended job may get other resources',
      { spec: { suspend: true } },
      ofPod({
        containers: [{ name: 'c', image: 'web:1', resources: { requests: { cpu: '1' } } }],
      }),
      [],
    ],
  ],
  statusUpdates: [
    ['a job that succeeds', {}, { status: COMPLETE }, []],
    [
      'what is complete has neither failed nor is about to',
      {},
      {
        status: {
          ...COMPLETE,
          conditions: condition('SuccessCriteriaMet', 'Complete', 'Failed', 'FailureTarget'),
        },
      },
      [
        `${CONDITIONS}: cannot set Complete=True and Failed=true conditions`,
        `${CONDITIONS}: cannot set Complete=True and FailureTarget=true conditions`,
        `${CONDITIONS}: cannot set SuccessCriteriaMet=True and Failed=true conditions`,
        `${CONDITIONS}: cannot set SuccessCriteriaMet=True and FailureTarget=true conditions`,
      ],
    ],
    [
      'a job says that it is about to end',
      {},
      { status: { startTime: START, conditions: condition('Failed') } },
      [`${CONDITIONS}: cannot set Failed=True condition without the FailureTarget=true condition`],
    ],
    [
      'a job that has ended has no pods, and times',
      {},
      {
        status: {
          active: 1,
          terminating: 1,
          ready: 2,
          uncountedTerminatedPods: { failed: ['a'] },
          conditions: condition('SuccessCriteriaMet', 'Complete'),
        },
      },
      [
        'status.completionTime: Required value: completionTime is required for Complete jobs',
        'status.active: Invalid value: 1: active>0 is invalid for finished job',
        'status.startTime: Required value: startTime is required for finished job',
        'status.uncountedTerminatedPods: Invalid value: {"Succeeded":null,"Failed":["a"]}: ' +
          'must be empty for finished job',
        'status.terminating: Invalid value: 1: terminating>0 is invalid for finished job',
        'status.ready: Invalid value: 2: cannot set more ready pods than active',
      ],
    ],
    [
      'a job ends after its start, if it is complete',
      {},
      { status: { startTime: END, completionTime: START } },
      [
        `status.completionTime: Invalid value: "${START}": ` +
          'cannot set completionTime when there is no Complete=True condition',
        `status.completionTime: Invalid value: "${START}": must be equal to or after \`startTime\``,
      ],
    ],
    [
      'indexes are those of the job, and no limit is none that failed',
      { spec: INDEXED },
      { status: { completedIndexes: '1,7', failedIndexes: '1' } },
      [
        'status.completedIndexes: Invalid value: "1,7": error parsing completedIndexes: ' +
          'too large index: "7"',
        'status.failedIndexes: Invalid value: "1": ' +
          'cannot set non-null failedIndexes when backoffLimitPerIndex is null',
        'status.failedIndexes: Invalid value: "1": ' +
          'failedIndexes and completedIndexes overlap at index: 1',
      ],
    ],
  ],
};
