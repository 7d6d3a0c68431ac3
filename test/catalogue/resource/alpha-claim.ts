import type { Change, KindCases } from '../../support/kind-cases.ts';

const spec = (members: Change): Change => ({ spec: { resourceClassName: 'gpus', ...members } });
const status = (members: Change): Change => ({ status: members });
const HANDLE = { driverName: 'gpu.example.com', data: 'a' };
const allocated = (members: Change = {}): Change => ({
  driverName: 'gpu.example.com',
  allocation: { resourceHandles: [HANDLE], ...members },
});
const user = (uid: string): object => ({ resource: 'pods', name: 'pod', uid });

export const CASES: KindCases = {
  release: 30,
  apiVersion: 'resource.cluster.io/v1alpha2',
  kind: 'ResourceClaim',
  minimal: spec({}),
  minimalStored: { ...spec({ allocationMode: 'WaitForFirstConsumer' }), status: {} },
  full: spec({
    parametersRef: { apiGroup: 'example.com', kind: 'Parameters', name: 'a' },
    allocationMode: 'Immediate',
  }),
  fullStored: {
    ...spec({
      parametersRef: { apiGroup: 'example.com', kind: 'Parameters', name: 'a' },
      allocationMode: 'Immediate',
    }),
    status: {},
  },
  invalid: [
    [
      'mode: is known',
      spec({ allocationMode: 'Never' }),
      [
        'spec.allocationMode: Unsupported value: "Never": ' +
          'supported values: "Immediate", "WaitForFirstConsumer"',
      ],
    ],
    [
      'parameters: are named',
      spec({ parametersRef: { kind: '', name: '' } }),
      ['spec.parametersRef.kind: Required value', 'spec.parametersRef.name: Required value'],
    ],
  ],
  updates: [['labels may change', {}, { metadata: { labels: { a: 'b' } } }, []]],
  statusUpdates: [
    ['allocation', {}, status(allocated()), []],
    [
      'allocation: of a driver',
      {},
      status({ allocation: {} }),
      ['status.driverName: Required value: must be specified when `allocation` is set'],
    ],
    [
      'allocation: of bounded length',
      {},
      status(allocated({ resourceHandles: [{ ...HANDLE, data: 'a'.repeat(16_385) }] })),
      ['status.allocation.resourceHandles[0].data: Too long: may not be longer than 16384'],
    ],
    [
      'users: one, unless it may be shared',
      {},
      status({ ...allocated(), reservedFor: [user('1'), user('2')] }),
      ['status.reservedFor: Forbidden: may not be reserved more than once'],
    ],
    [
      'users: several of what may be shared',
      {},
      status({ ...allocated({ shareable: true }), reservedFor: [user('1'), user('2')] }),
      [],
    ],
    [
      'deallocation: of what is allocated',
      {},
      status({ deallocationRequested: true }),
      ['status: Forbidden: `allocation` must be set when `deallocationRequested` is set'],
    ],
  ],
};
