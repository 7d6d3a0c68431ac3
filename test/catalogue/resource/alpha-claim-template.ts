import type { Change, KindCases } from '../../support/kind-cases.ts';

const spec = (members: Change): Change => ({
  spec: { spec: { resourceClassName: 'gpus' }, ...members },
});

export const CASES: KindCases = {
  release: 30,
  apiVersion: 'resource.cluster.io/v1alpha2',
  kind: 'ResourceClaimTemplate',
  minimal: spec({}),
  minimalStored: {
    spec: {
      metadata: { creationTimestamp: null },
      spec: { resourceClassName: 'gpus', allocationMode: 'WaitForFirstConsumer' },
    },
  },
  full: spec({
    metadata: { labels: { a: 'b' } },
    spec: { resourceClassName: 'gpus', allocationMode: 'Immediate' },
  }),
  fullStored: spec({
    metadata: { creationTimestamp: null, labels: { a: 'b' } },
    spec: { resourceClassName: 'gpus', allocationMode: 'Immediate' },
  }),
  invalid: [
    [
      'metadata: labels and annotations alone',
      spec({ metadata: { name: 'a' } }),
      ['spec.metadata.name: Forbidden: cannot be set'],
    ],
  ],
};
