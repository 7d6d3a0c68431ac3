import type { Change, KindCases } from '../../support/kind-cases.ts';

const TAINT = {
  key: 'example.com/broken',
  effect: 'NoSchedule',
  timeAdded: '2024-01-01T00:00:00Z',
};
const taint = (members: Change): Change => ({ spec: { taint: { ...TAINT, ...members } } });
const selector = (members: Change): Change => ({ spec: { deviceSelector: members } });
const CONDITION = {
  type: 'EvictionInProgress',
  status: 'True',
  lastTransitionTime: '2024-01-01T00:00:00Z',
  reason: 'A',
  message: '',
};
const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or " +
  "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used " +
  "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'resource.cluster.io/v1',
  kind: 'DeviceTaintRule',
  minimal: taint({}),
  minimalStored: { ...taint({}), status: {} },
  full: {
    spec: {
      deviceSelector: { driver: 'gpu.example.com', pool: 'a/b', device: 'gpu-0' },
      taint: { ...TAINT, value: 'yes' },
    },
  },
  fullStored: {
    spec: {
      deviceSelector: { driver: 'gpu.example.com', pool: 'a/b', device: 'gpu-0' },
      taint: { ...TAINT, value: 'yes' },
    },
    status: {},
  },
  invalid: [
    ['effect: to inform alone', taint({ effect: 'None' }), []],
    ['effect: is said', taint({ effect: '' }), ['spec.taint.effect: Required value']],
    [
      'effect: is known',
      taint({ effect: 'Never' }),
      [
        'spec.taint.effect: Unsupported value: "Never": ' +
          'supported values: "NoExecute", "NoSchedule", "None"',
      ],
    ],
    [
      'key: is said',
      taint({ key: '' }),
      [
        'spec.taint.key: Invalid value: "": name part must be non-empty',
        "spec.taint.key: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', " +
          "and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  " +
          "or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
    ],
    [
      'selector: pools are subdomains between slashes',
      selector({ pool: 'a/B' }),
      [`spec.deviceSelector.pool: Invalid value: "B": ${SUBDOMAIN}`],
    ],
    [
      'selector: drivers are named',
      selector({ driver: '' }),
      ['spec.deviceSelector.driver: Required value'],
    ],
  ],
  updates: [['taints may change', {}, taint({ value: 'no' }), []]],
  statusUpdates: [
    ['conditions', {}, { status: { conditions: [CONDITION] } }, []],
    [
      'conditions: at most eight',
      {},
      {
        status: {
          conditions: Array.from({ length: 9 }, (_, index) => ({
            ...CONDITION,
            type: `A${index}`,
          })),
        },
      },
      ['status.conditions: Too many: 9: must have at most 8 items'],
    ],
  ],
};
