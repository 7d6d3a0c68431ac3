import type { KindCases } from '../../support/kind-cases.ts';

export const CASES: KindCases = {
  release: 30,
  apiVersion: 'resource.cluster.io/v1alpha2',
  kind: 'ResourceClass',
  minimal: { driverName: 'gpu.example.com' },
  minimalStored: { driverName: 'gpu.example.com' },
  full: {
    driverName: 'gpu.example.com',
    parametersRef: { apiGroup: 'example.com', kind: 'A', name: 'b', namespace: 'c' },
    suitableNodes: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }],
    },
    structuredParameters: true,
  },
  invalid: [
    ['driver: is named', { driverName: '' }, ['driverName: Required value']],
    [
      'parameters: are named',
      { parametersRef: { kind: '', name: '' } },
      ['parametersRef.kind: Required value', 'parametersRef.name: Required value'],
    ],
  ],
};
