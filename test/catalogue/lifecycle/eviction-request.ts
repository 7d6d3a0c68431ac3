import type { Change, KindCases } from '../../support/kind-cases.ts';

const IMMUTABLE = 'Invalid value: null: field is immutable';
const UID = '11111111-2222-3333-4444-555555555555';
const TARGET = { pod: { name: 'web', uid: UID } };
const MINIMAL = { target: TARGET, requester: 'example.com/drain', intent: 'Eviction' };

const spec = (members: Change): Change => ({ spec: members });
const status = (members: Change): Change => ({ status: members });
const condition = (type: string): Change => ({
  type,
  status: 'True',
  reason: 'Some',
  message: '',
  lastTransitionTime: '2024-01-02T03:04:05Z',
});

export const CASES: KindCases = {
  release: 37,
  featureGates: ['EvictionRequestAPI'],
  apiVersion: 'lifecycle.cluster.io/v1alpha1',
  kind: 'EvictionRequest',
  minimal: { spec: MINIMAL },
  minimalStored: { spec: MINIMAL, status: {} },
  full: { spec: { ...MINIMAL, intent: 'Withdrawn' } },
  fullStored: { spec: { ...MINIMAL, intent: 'Withdrawn' }, status: {} },
  invalid: [
    [
      'all of it is needed',
      spec({ target: undefined, requester: undefined, intent: undefined }),
      [
        'spec.target: Invalid value: "": must specify one of: `pod`',
        'spec.requester: Required value',
        'spec.intent: Required value',
      ],
    ],
    [
      'and of a pod',
      spec({ target: { pod: { name: undefined, uid: undefined } } }),
      ['spec.target.pod.name: Required value', 'spec.target.pod.uid: Required value'],
    ],
    [
      'its uid is one',
      spec({ target: { pod: { uid: 'A' } } }),
      ['spec.target.pod.uid: Invalid value: "A": must be a lowercase UUID in 8-4-4-4-12 format'],
    ],
    [
      'requesters have a domain',
      spec({ requester: 'drain' }),
      ['spec.requester: Invalid value: "drain": must include a prefix (e.g. \'example.com/key\')'],
    ],
    [
      'which is none of the system',
      spec({ requester: 'Node.Cluster.io./drain' }),
      [
        'spec.requester: Invalid value: "Node.Cluster.io./drain": domain names *.cluster.io are ' +
          'reserved',
        'spec.requester: Invalid value: "Node.Cluster.io./drain": prefix part a lowercase RFC ' +
          "1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and " +
          "must start and end with an alphanumeric character (e.g. 'example.com', regex used for " +
          "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    ],
    [
      'an intent is one of two',
      spec({ intent: 'Perhaps' }),
      ['spec.intent: Unsupported value: "Perhaps": supported values: "Eviction", "Withdrawn"'],
    ],
  ],
  updates: [
    ['a request may be withdrawn', {}, spec({ intent: 'Withdrawn' }), []],
    [
      'target and requester stay',
      {},
      spec({ target: { pod: { name: 'db' } }, requester: 'example.com/other' }),
      [`spec.target: ${IMMUTABLE}`, `spec.requester: ${IMMUTABLE}`],
    ],
  ],
  statusUpdates: [
    [
      'a generation is told',
      {},
      status({ observedGeneration: 0, conditions: [condition('Failed')] }),
      ['status.observedGeneration: Invalid value: 0: must be greater than or equal to 1'],
    ],
    [
      'conditions are few',
      {},
      status({ conditions: Array.from({ length: 101 }, (_, index) => condition(`C${index}`)) }),
      ['status.conditions: Too many: 101: must have at most 100 items'],
    ],
  ],
};
