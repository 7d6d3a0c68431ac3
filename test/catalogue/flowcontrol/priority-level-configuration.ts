import type { Change, KindCases } from '../../support/kind-cases.ts';

const LIMITED = { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } };
const queuing = (members: Change): Change => ({
  spec: { limited: { limitResponse: { type: 'Queue', queuing: members } } },
});
const RESPONSE = 'spec.limited.limitResponse';

export const CASES: KindCases = {
  apiVersion: 'flowcontrol.apiserver.cluster.io/v1beta2',
  kind: 'PriorityLevelConfiguration',
  minimal: { spec: LIMITED },
  minimalStored: {
    spec: {
      type: 'Limited',
      limited: { assuredConcurrencyShares: 30, limitResponse: { type: 'Reject' } },
    },
    status: {},
  },
  full: {
    spec: {
      type: 'Limited',
      limited: {
        assuredConcurrencyShares: 5,
        limitResponse: { type: 'Queue', queuing: { queues: 16 } },
      },
    },
  },
  fullStored: {
    spec: {
      type: 'Limited',
      limited: {
        assuredConcurrencyShares: 5,
        limitResponse: {
          type: 'Queue',
          queuing: { queues: 16, handSize: 8, queueLengthLimit: 50 },
        },
      },
    },
    status: {},
  },
  invalid: [
    [
      'level: exempt by name',
      { spec: { type: 'Exempt', limited: undefined } },
      [
        'spec.type: Invalid value: "Exempt": ' +
          "type must be 'Exempt' if and only if name is 'exempt'",
      ],
    ],
    [
      'level: exempt is not limited',
      { metadata: { name: 'exempt' }, spec: { type: 'Exempt' } },
      [
        'spec.limited: Forbidden: must be nil if the type is not Limited',
        'spec: Invalid value: {"type":"Exempt","limited":{"limitResponse":{"type":"Reject"},' +
          '"assuredConcurrencyShares":30}}: spec of \'exempt\' must equal the fixed value',
      ],
    ],
    [
      'level: catch-all is what it is',
      {
        metadata: { name: 'catch-all' },
        spec: {
          type: 'Limited',
          limited: { assuredConcurrencyShares: 5, limitResponse: { type: 'Reject' } },
        },
      },
      [],
    ],
    [
      'level: catch-all has its share',
      { metadata: { name: 'catch-all' } },
      [
        'spec: Invalid value: {"type":"Limited","limited":{"limitResponse":{"type":"Reject"},' +
          '"assuredConcurrencyShares":30}}: spec of \'catch-all\' must equal the fixed value',
      ],
    ],
    [
      'level: types',
      { spec: { type: 'Some' } },
      ['spec.type: Unsupported value: "Some": supported values: "Exempt", "Limited"'],
    ],
    [
      'level: limited by what',
      { spec: { limited: undefined } },
      ['spec.limited: Required value: must not be empty when type is Limited'],
    ],
    [
      'level: shares',
      { spec: { limited: { assuredConcurrencyShares: -1 } } },
      ['spec.limited.assuredConcurrencyShares: Invalid value: -1: must be positive'],
    ],
    [
      'level: responses',
      { spec: { limited: { limitResponse: { type: 'Wait' } } } },
      [`${RESPONSE}.type: Unsupported value: "Wait": supported values: "Queue", "Reject"`],
    ],
    [
      'level: queues of a queue',
      { spec: { limited: { limitResponse: { type: 'Queue' } } } },
      [
        `${RESPONSE}.queuing: Required value: ` +
          'must not be empty if limited.limitResponse.type is Limited',
      ],
    ],
    [
      'level: no queues without',
      { spec: { limited: { limitResponse: { queuing: {} } } } },
      [
        `${RESPONSE}.queuing: Forbidden: ` +
          'must be nil if limited.limitResponse.type is not Limited',
      ],
    ],
    [
      'level: positive',
      queuing({ queues: -1, handSize: -1, queueLengthLimit: -1 }),
      [
        `${RESPONSE}.queuing.queueLengthLimit: Invalid value: -1: must be positive`,
        `${RESPONSE}.queuing.queues: Invalid value: -1: must be positive`,
        `${RESPONSE}.queuing.handSize: Invalid value: -1: must be positive`,
      ],
    ],
    [
      'level: hand of the queues',
      queuing({ queues: 4, handSize: 5 }),
      [`${RESPONSE}.queuing.handSize: Invalid value: 5: should not be greater than queues (4)`],
    ],
    [
      'level: bits of the hash',
      queuing({ queues: 512, handSize: 8 }),
      [
        `${RESPONSE}.queuing.handSize: Invalid value: 8: required entropy bits of deckSize 512 ` +
          'and handSize 8 should not be greater than 60',
      ],
    ],
  ],
  updates: [['level: may change', {}, { spec: { limited: { assuredConcurrencyShares: 9 } } }, []]],
  statusUpdates: [
    [
      'level: a status update leaves all metadata alone',
      {},
      { metadata: { deletionGracePeriodSeconds: 1, generateName: 'A/' } },
      [],
    ],
  ],
};
