import type { KindCases } from '../../support/kind-cases.ts';

export const CASES: KindCases = {
  release: 30,
  apiVersion: 'resource.cluster.io/v1alpha2',
  kind: 'PodSchedulingContext',
  minimal: { spec: {} },
  minimalStored: { spec: {}, status: {} },
  full: { spec: { selectedNode: 'node-1', potentialNodes: ['node-1', 'node-2'] } },
  fullStored: {
    spec: { selectedNode: 'node-1', potentialNodes: ['node-1', 'node-2'] },
    status: {},
  },
  invalid: [
    [
      'nodes: each once',
      { spec: { potentialNodes: ['a', 'a'] } },
      ['spec.potentialNodes[1]: Duplicate value: "a"'],
    ],
    [
      'nodes: at most 128',
      { spec: { potentialNodes: Array.from({ length: 129 }, (_, index) => `n${index}`) } },
      ['spec.potentialNodes: Too long: may not be longer than 128'],
    ],
  ],
  statusUpdates: [
    [
      'claims: where they cannot be',
      {},
      { status: { resourceClaims: [{ name: 'a', unsuitableNodes: ['node-1'] }] } },
      [],
    ],
    [
      'claims: each once',
      {},
      { status: { resourceClaims: [{ name: 'a' }, { name: 'a' }] } },
      ['status.claims[1]: Duplicate value: "a"'],
    ],
  ],
};
