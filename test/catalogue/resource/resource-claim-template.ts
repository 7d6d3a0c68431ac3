import type { Change, KindCases } from '../../support/kind-cases.ts';

const request = (members: object): object => ({
  devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpus', ...members } }] },
});
const spec = (members: Change): Change => ({ spec: { spec: request({}), ...members } });

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'resource.cluster.io/v1',
  kind: 'ResourceClaimTemplate',
  minimal: spec({}),
  minimalStored: {
    spec: { metadata: {}, spec: request({ allocationMode: 'ExactCount', count: 1 }) },
  },
  full: spec({
    metadata: { labels: { a: 'b' }, annotations: { c: 'd' } },
    spec: request({ allocationMode: 'All' }),
  }),
  invalid: [
    [
      'metadata: labels and annotations alone',
      spec({ metadata: { name: 'a', finalizers: ['example.com/b'] } }),
      [
        'spec.metadata.name: Forbidden: cannot be set',
        'spec.metadata.finalizers: Forbidden: cannot be set',
      ],
    ],
    [
      'claim: as claims are',
      spec({ spec: request({ count: -1 }) }),
      [
        'spec.spec.devices.requests[0].exactly.count: Invalid value: -1: ' +
          'must be greater than zero',
      ],
    ],
  ],
};
