// SPEC "Lease" and API-FACTS 3.4, 3.7, 14.2.
import t from 'tap';
import { LEASE } from '../../src/resources/coordination/lease.ts';
import { KindRules } from './kind-rules.ts';

const rules = new KindRules(LEASE, {
  spec: { holderIdentity: 'me', leaseDurationSeconds: 15, leaseTransitions: 0 },
});

t.test('rules of a Lease', async (t) => {
  rules.checkCreates(t, [
    ['14.2: all spec fields are optional', { spec: undefined }, []],
    [
      '14.2: leaseDurationSeconds',
      { spec: { leaseDurationSeconds: 0 } },
      ['spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0'],
    ],
    [
      '14.2: leaseTransitions, in the original spelling',
      { spec: { leaseTransitions: -1 } },
      ['spec.leaseTransitions: Invalid value: -1: must to greater or equal than 0'],
    ],
    ['3.7: finalizers need no domain', { metadata: { finalizers: ['mine'] } }, []],
  ]);
});

t.test('updates of a Lease', async (t) => {
  rules.checkUpdates(t, [
    ['everything in spec may change', {}, { spec: { holderIdentity: 'you' } }, []],
    [
      '3.4: no unconditional update',
      {},
      { metadata: { resourceVersion: '0' } },
      ['metadata.resourceVersion: Invalid value: 0x0: must be specified for an update'],
    ],
  ]);
});
