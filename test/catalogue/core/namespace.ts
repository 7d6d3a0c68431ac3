import type { KindCases } from '../../support/kind-cases.ts';
import { LABEL_HINT, NAME_PART_HINT } from '../../support/name-hints.ts';

const STORED = { spec: { finalizers: ['cluster'] }, status: { phase: 'Active' } };

export const CASES: KindCases = {
  apiVersion: 'v1',
  kind: 'Namespace',
  minimal: {},
  minimalStored: STORED,
  full: { spec: { finalizers: ['example.com/own'] } },
  fullStored: {
    spec: { finalizers: ['example.com/own', 'cluster'] },
    status: { phase: 'Active' },
  },
  invalid: [
    [
      '14.2: the name is a label',
      { metadata: { name: 'a.b' } },
      [`metadata.name: Invalid value: "a.b": ${LABEL_HINT}`],
    ],
    [
      '3.7: a label has at most 63 characters, as a name and as the value of one',
      { metadata: { name: 'a'.repeat(64) } },
      [
        `metadata.name: Invalid value: "${'a'.repeat(64)}": must be no more than 63 characters`,
        `metadata.labels: Invalid value: "${'a'.repeat(64)}": must be no more than 63 characters`,
      ],
    ],
    [
      '14.2: finalizers are qualified',
      { spec: { finalizers: ['mine'] } },
      [
        'spec.finalizers: Invalid value: "mine": ' +
          'name is neither a standard finalizer name nor is it fully qualified',
      ],
    ],
    [
      '3.7: finalizers are qualified names',
      { spec: { finalizers: ['example.com/a b'] } },
      [`spec.finalizers: Invalid value: "example.com/a b": ${NAME_PART_HINT}`],
    ],
    ['4.5: a status is reset on create', { status: { phase: 'Terminating' } }, []],
  ],
  updates: [
    ['4.5: spec.finalizers are kept from stored', {}, { spec: { finalizers: ['mine'] } }, []],
    ['4.5: the status is kept from stored', {}, { status: { phase: 'Terminating' } }, []],
    [
      '4.5: the label with the name cannot be changed',
      {},
      { metadata: { labels: { 'cluster.io/metadata.name': 'other' } } },
      [],
    ],
  ],
  statusUpdates: [
    [
      '4.5: phase must be Active without deletionTimestamp',
      {},
      { status: { phase: 'Terminating' } },
      [
        'status.Phase: Invalid value: "Terminating": ' +
          "may only be 'Active' if `deletionTimestamp` is empty",
      ],
    ],
    [
      'reference: no more is told of a phase that there is not',
      {},
      { status: { phase: 'A_B' } },
      [
        'status.Phase: Invalid value: "A_B": ' +
          "may only be 'Active' if `deletionTimestamp` is empty",
      ],
    ],
    [
      '4.5: conditions',
      {},
      {
        status: {
          conditions: [
            {
              type: 'NamespaceContentRemaining',
              status: 'True',
              lastTransitionTime: '2024-05-01T00:00:00Z',
              reason: 'SomeResourcesRemain',
              message: 'm',
            },
          ],
        },
      },
      [],
    ],
  ],
};
