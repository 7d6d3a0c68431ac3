import type { Change, KindCases } from '../../support/kind-cases.ts';

const REJECTS = { limitResponse: { type: 'Reject' } };
const limited = (members: Change): Change => ({ spec: { limited: members } });

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'flowcontrol.apiserver.cluster.io/v1',
  kind: 'PriorityLevelConfiguration',
  minimal: { spec: { type: 'Limited', limited: REJECTS } },
  minimalStored: {
    spec: {
      type: 'Limited',
      limited: { nominalConcurrencyShares: 30, ...REJECTS, lendablePercent: 0 },
    },
    status: {},
  },
  full: {
    spec: {
      type: 'Limited',
      limited: {
        nominalConcurrencyShares: 0,
        limitResponse: { type: 'Queue', queuing: { queues: 16 } },
        lendablePercent: 50,
        borrowingLimitPercent: 200,
      },
    },
  },
  fullStored: {
    spec: {
      type: 'Limited',
      limited: {
        nominalConcurrencyShares: 0,
        limitResponse: {
          type: 'Queue',
          queuing: { queues: 16, handSize: 8, queueLengthLimit: 50 },
        },
        lendablePercent: 50,
        borrowingLimitPercent: 200,
      },
    },
    status: {},
  },
  invalid: [
    [
      'level: shares and percents have bounds',
      limited({
        nominalConcurrencyShares: -1,
        lendablePercent: 101,
        borrowingLimitPercent: -1,
      }),
      [
        'spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer',
        'spec.limited.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive',
        'spec.limited.borrowingLimitPercent: Invalid value: -1: ' +
          'if specified, must be a non-negative integer',
      ],
    ],
    [
      'level: zero is a share',
      limited({ nominalConcurrencyShares: 0, borrowingLimitPercent: 0 }),
      [],
    ],
    [
      'level: one that is limited is not exempt',
      { spec: { exempt: {} } },
      ['spec.exempt: Forbidden'],
    ],
    [
      'level: the share of the exempt one is free',
      {
        metadata: { name: 'exempt' },
        spec: {
          type: 'Exempt',
          limited: undefined,
          exempt: { nominalConcurrencyShares: 10, lendablePercent: 20 },
        },
      },
      [],
    ],
    [
      'level: with bounds',
      {
        metadata: { name: 'exempt' },
        spec: {
          type: 'Exempt',
          limited: undefined,
          exempt: { nominalConcurrencyShares: -1, lendablePercent: 101 },
        },
      },
      [
        'spec.exempt.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer',
        'spec.exempt.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive',
      ],
    ],
    [
      'level: exempt by name',
      { spec: { type: 'Exempt', limited: undefined } },
      [
        'spec.type: Invalid value: "Exempt": ' +
          "must be 'Exempt' if and only if `name` is 'exempt'",
      ],
    ],
    [
      'level: types are required',
      { spec: { type: '', limited: undefined } },
      ['spec.type: Required value'],
    ],
    [
      'level: those of responses too',
      limited({ limitResponse: { type: '' } }),
      ['spec.limited.limitResponse.type: Required value'],
    ],
    [
      'level: what belongs to another type, by words of the types',
      { spec: { type: 'x', exempt: {}, limited: { limitResponse: { type: '' } } } },
      [
        'spec.type: Unsupported value: "x": supported values: "Exempt", "Limited"',
        'spec.exempt: Forbidden',
        'spec.limited: Forbidden',
        'spec.limited.limitResponse.type: Required value',
      ],
    ],
    [
      'level: what a type needs',
      { spec: { type: 'Limited', exempt: {}, limited: undefined } },
      ['spec.exempt: Forbidden', 'spec.limited: Required value'],
    ],
    [
      'level: queuing without a queue',
      limited({ limitResponse: { type: 'Reject', queuing: {} } }),
      ['spec.limited.limitResponse.queuing: Forbidden'],
    ],
    [
      'level: a queue without queuing',
      limited({ limitResponse: { type: 'Queue', queuing: undefined } }),
      ['spec.limited.limitResponse.queuing: Required value'],
    ],
    [
      'level: zero is not marked here',
      {
        metadata: {
          annotations: { 'flowcontrol.cluster.io/v1beta3-preserve-zero-concurrency-shares': '' },
        },
      },
      [
        "metadata.annotations: Forbidden: annotation 'flowcontrol.cluster.io/" +
          "v1beta3-preserve-zero-concurrency-shares' is forbidden",
      ],
    ],
  ],
};
