// Selectors are the client's here: the generated ones hold the uid (test/resources/job.test.ts).
import type { KindCases } from '../../support/kind-cases.ts';
import {
  negative,
  notSelected,
  ofPod,
  SELECTOR,
  storedTemplate,
  template,
} from '../../support/workload-cases.ts';

const RESTART_POLICY = 'spec.template.spec.restartPolicy';
const IMMUTABLE = 'field is immutable';
const UNCOUNTED = 'status.uncountedTerminatedPods';

export const CASES: KindCases = {
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
      template: storedTemplate({ restartPolicy: 'Never' }),
      completionMode: 'NonIndexed',
      suspend: false,
    },
    status: {},
  },
  full: {
    spec: {
      parallelism: 0,
      completions: 7,
      activeDeadlineSeconds: 60,
      backoffLimit: 0,
      selector: SELECTOR,
      manualSelector: true,
      template: storedTemplate({ restartPolicy: 'OnFailure' }),
      ttlSecondsAfterFinished: 0,
      completionMode: 'Indexed',
      suspend: true,
    },
    status: {},
  },
  invalid: [
    [
      'the pods of an indexed job are named after it',
      {
        metadata: { name: 'a.b' },
        spec: { completionMode: 'Indexed', completions: 3, parallelism: 1 },
      },
      [
        'metadata.name: Invalid value: "a.b": will not able to create pod with invalid DNS ' +
          'label: a.b-2',
      ],
    ],
    [
      'with an index of one digit names have 61 characters',
      {
        metadata: { name: 'x'.repeat(62) },
        spec: { completionMode: 'Indexed', completions: 3, parallelism: 1 },
      },
      [
        `metadata.name: Invalid value: "${'x'.repeat(62)}": will not able to create pod with ` +
          `invalid DNS label: ${'x'.repeat(62)}-2`,
      ],
    ],
    [
      '14.2: completions are not defaulted beside a parallelism',
      { spec: { parallelism: 2, completionMode: 'Indexed' } },
      ['spec.completions: Required value: when completion mode is Indexed'],
    ],
    ['14.2: a parallelism alone', { spec: { parallelism: 2 } }, []],
    [
      '14.2: counts are not negative',
      {
        spec: {
          parallelism: -1,
          completions: -2,
          activeDeadlineSeconds: -3,
          backoffLimit: -4,
          ttlSecondsAfterFinished: -5,
        },
      },
      [
        negative('spec.parallelism'),
        negative('spec.completions', -2),
        negative('spec.activeDeadlineSeconds', -3),
        negative('spec.backoffLimit', -4),
        negative('spec.ttlSecondsAfterFinished', -5),
      ],
    ],
    [
      '13.4: completion modes',
      { spec: { completionMode: 'Sorted' } },
      [
        'spec.completionMode: Unsupported value: "Sorted": ' +
          'supported values: "NonIndexed", "Indexed"',
      ],
    ],
    [
      '14.1: the parallelism of an indexed job',
      { spec: { completionMode: 'Indexed', completions: 1, parallelism: 100_001 } },
      [
        'spec.parallelism: Invalid value: 100001: ' +
          'must be less than or equal to 100000 when completion mode is Indexed',
      ],
    ],
    [
      'reference: a pod has containers',
      ofPod({ containers: [] }),
      ['spec.template.spec.containers: Required value'],
    ],
    [
      'reference: a restart policy has to be chosen',
      ofPod({ restartPolicy: undefined }),
      [`${RESTART_POLICY}: Required value: valid values: "OnFailure", "Never"`],
    ],
    [
      'reference: pods that always run never complete',
      ofPod({ restartPolicy: 'Always' }),
      [`${RESTART_POLICY}: Required value: valid values: "OnFailure", "Never"`],
    ],
    [
      'reference: a manual selector is required',
      { spec: { selector: undefined } },
      ['spec.selector: Required value', notSelected('{"app":"web"}')],
    ],
    [
      'reference: the selector selects the template',
      { spec: { template: { metadata: { labels: { app: 'api' } } } } },
      [notSelected('{"app":"api"}')],
    ],
    [
      '3.7: an operator that selectors do not have',
      { spec: { selector: { matchExpressions: [{ key: 'a', operator: 'Gt' }] } } },
      [
        'spec.selector.matchExpressions[0].operator: Invalid value: "Gt": ' +
          'not a valid selector operator',
      ],
    ],
  ],
  updates: [
    [
      '14.2: completions are immutable',
      {},
      { spec: { completions: 2 } },
      [`spec.completions: Invalid value: 2: ${IMMUTABLE}`],
    ],
    [
      '14.2: the completion mode is immutable',
      {},
      { spec: { completionMode: 'Indexed' } },
      [`spec.completionMode: Invalid value: "Indexed": ${IMMUTABLE}`],
    ],
    [
      '14.2: the selector is immutable',
      {},
      { spec: { selector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] } } },
      [
        'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"app":"web"}, ' +
          'MatchExpressions:[]v1.LabelSelectorRequirement{v1.LabelSelectorRequirement' +
          `{Key:"app", Operator:"Exists", Values:[]string(nil)}}}: ${IMMUTABLE}`,
      ],
    ],
    [
      '14.2: while it is suspended, pods may get another place',
      { spec: { suspend: true } },
      {
        spec: {
          template: {
            metadata: { labels: { more: 'labels' }, annotations: { a: 'b' } },
            spec: {
              nodeSelector: { disk: 'ssd' },
              tolerations: [{ key: 'k', operator: 'Exists' }],
              affinity: {
                nodeAffinity: {
                  requiredDuringSchedulingIgnoredDuringExecution: {
                    nodeSelectorTerms: [
                      { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] },
                    ],
                  },
                },
              },
            },
          },
        },
      },
      [],
    ],
    [
      '14.2: the rest is mutable',
      {},
      {
        spec: {
          parallelism: 3,
          suspend: true,
          activeDeadlineSeconds: 9,
          backoffLimit: 1,
          ttlSecondsAfterFinished: 4,
        },
      },
      [],
    ],
  ],
  statusUpdates: [
    [
      'reference: a status',
      {},
      {
        status: {
          startTime: '2024-01-02T03:04:05Z',
          active: 1,
          completedIndexes: '1-3',
          uncountedTerminatedPods: { succeeded: ['a'], failed: ['b'] },
          conditions: [{ type: 'Complete', status: 'True' }],
        },
      },
      [],
    ],
    [
      'reference: counts are not negative',
      {},
      { status: { active: -1, succeeded: -2, failed: -3, ready: -4 } },
      [
        negative('status.active'),
        negative('status.succeeded', -2),
        negative('status.failed', -3),
        negative('status.ready', -4),
      ],
    ],
    [
      'reference: pods are counted once',
      {},
      { status: { uncountedTerminatedPods: { succeeded: ['', 'a', 'a'], failed: ['b', 'a'] } } },
      [
        `${UNCOUNTED}.succeeded[0]: Invalid value: "": must not be empty`,
        `${UNCOUNTED}.succeeded[2]: Duplicate value: "a"`,
        `${UNCOUNTED}.failed[1]: Duplicate value: "a"`,
      ],
    ],
  ],
};
