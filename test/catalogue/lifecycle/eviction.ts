import type { Change, KindCases } from '../../support/kind-cases.ts';

const UID = '11111111-2222-3333-4444-555555555555';
const MINIMAL = { target: { pod: { name: 'web', uid: UID } } };
const REQUESTERS = 'status.requesters';

const status = (members: Change): Change => ({ status: members });

export const CASES: KindCases = {
  release: 37,
  featureGates: ['EvictionRequestAPI'],
  apiVersion: 'lifecycle.cluster.io/v1alpha1',
  kind: 'Eviction',
  minimal: { spec: MINIMAL },
  minimalStored: { spec: MINIMAL, status: {} },
  full: { spec: MINIMAL },
  fullStored: { spec: MINIMAL, status: {} },
  invalid: [
    [
      'there is a target',
      { spec: { target: undefined } },
      ['spec.target: Invalid value: "": must specify one of: `pod`'],
    ],
    ['what its name is made of is not checked', { metadata: { generateName: 'A_' } }, []],
  ],
  updates: [
    [
      'it stays',
      {},
      { spec: { target: { pod: { name: 'db' } } } },
      ['spec.target: Invalid value: null: field is immutable'],
    ],
  ],
  statusUpdates: [
    [
      'requesters are told once',
      {},
      status({
        requesters: [
          { name: 'example.com/drain', intent: 'Eviction' },
          { name: 'example.com/drain', intent: 'Withdrawn' },
        ],
      }),
      [`${REQUESTERS}[1]: Duplicate value: {"name":"example.com/drain","intent":"Withdrawn"}`],
    ],
    [
      'and with all members',
      {},
      status({ requesters: [{}, {}] }),
      [
        `${REQUESTERS}[1]: Duplicate value: {"name":"","intent":""}`,
        `${REQUESTERS}[0].name: Required value`,
        `${REQUESTERS}[0].intent: Required value`,
        `${REQUESTERS}[1].name: Required value`,
        `${REQUESTERS}[1].intent: Required value`,
      ],
    ],
    [
      'with their intents',
      {},
      status({ requesters: [{ name: 'example.com/drain' }] }),
      [`${REQUESTERS}[0].intent: Required value`],
    ],
  ],
};
