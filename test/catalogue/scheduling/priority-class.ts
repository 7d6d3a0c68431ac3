import type { KindCases } from '../../support/kind-cases.ts';

const RESERVED =
  "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system " +
  'use only. error: ';

export const CASES: KindCases = {
  apiVersion: 'scheduling.cluster.io/v1',
  kind: 'PriorityClass',
  minimal: {},
  minimalStored: { value: 0, preemptionPolicy: 'PreemptLowerPriority' },
  full: { value: 1_000_000_000, globalDefault: true, description: 'x', preemptionPolicy: 'Never' },
  invalid: [
    [
      'class: values of users',
      { value: 1_000_000_001 },
      ['value: Forbidden: maximum allowed value of a user defined priority is 1000000000'],
    ],
    [
      'class: preemption policies',
      { preemptionPolicy: 'Always' },
      [
        'preemptionPolicy: Unsupported value: "Always": ' +
          'supported values: "PreemptLowerPriority", "Never"',
      ],
    ],
    [
      'reference: an empty policy is none',
      { preemptionPolicy: '' },
      ['preemptionPolicy: Required value'],
    ],
    [
      'class: reserved names',
      { metadata: { name: 'system-mine' } },
      [`${RESERVED}system-mine is not a known system priority class`],
    ],
    [
      'class: values of reserved names',
      { metadata: { name: 'system-node-critical' }, value: 1 },
      [`${RESERVED}value of system-node-critical PriorityClass must be 2000001000`],
    ],
    [
      'class: reserved names are no default',
      { metadata: { name: 'system-cluster-critical' }, value: 2_000_000_000, globalDefault: true },
      [`${RESERVED}globalDefault of system-cluster-critical PriorityClass must be false`],
    ],
    [
      'class: reserved names of the system',
      { metadata: { name: 'system-cluster-critical' }, value: 2_000_000_000 },
      [],
    ],
  ],
  updates: [
    [
      'class: value immutable',
      {},
      { value: 1 },
      ['Value: Forbidden: may not be changed in an update.'],
    ],
    [
      'class: policy immutable',
      {},
      { preemptionPolicy: 'Never' },
      ['preemptionPolicy: Invalid value: "Never": field is immutable'],
    ],
    [
      'reference: of a policy that nobody knows it is told that it may not change',
      {},
      { preemptionPolicy: 'Sometimes' },
      ['preemptionPolicy: Invalid value: "Sometimes": field is immutable'],
    ],
    ['class: the rest may change', {}, { description: 'x', globalDefault: true }, []],
  ],
};
