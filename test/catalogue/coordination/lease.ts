import type { KindCases } from '../../support/kind-cases.ts';
import { SUBDOMAIN_HINT } from '../../support/name-hints.ts';

export const CASES: KindCases = {
  apiVersion: 'coordination.cluster.io/v1',
  kind: 'Lease',
  minimal: {},
  minimalStored: { spec: {} },
  full: {
    spec: {
      holderIdentity: 'node-1',
      leaseDurationSeconds: 15,
      acquireTime: '2024-05-01T10:11:12.123456Z',
      renewTime: '2024-05-01T10:11:13.000000Z',
      leaseTransitions: 0,
    },
  },
  invalid: [
    [
      '3.7: the name is a DNS subdomain',
      { metadata: { name: 'Lease' } },
      [`metadata.name: Invalid value: "Lease": ${SUBDOMAIN_HINT}`],
    ],
    ['Lease: an empty holderIdentity', { spec: { holderIdentity: '' } }, []],
    [
      '14.2: leaseDurationSeconds > 0',
      { spec: { leaseDurationSeconds: 0 } },
      ['spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0'],
    ],
    [
      '14.2: leaseTransitions ≥ 0, in the original spelling',
      { spec: { leaseTransitions: -1 } },
      ['spec.leaseTransitions: Invalid value: -1: must to greater or equal than 0'],
    ],
    ['3.7: finalizers need no domain', { metadata: { finalizers: ['mine'] } }, []],
  ],
  updates: [
    [
      'Lease: another holder takes over',
      { spec: { holderIdentity: 'a', leaseTransitions: 1 } },
      {
        spec: {
          holderIdentity: 'b',
          leaseDurationSeconds: 1,
          acquireTime: '2024-05-01T10:11:12.000000Z',
          leaseTransitions: 2,
        },
      },
      [],
    ],
    [
      '3.4: no unconditional update',
      {},
      { metadata: { resourceVersion: '0' } },
      ['metadata.resourceVersion: Invalid value: 0x0: must be specified for an update'],
    ],
  ],
};
