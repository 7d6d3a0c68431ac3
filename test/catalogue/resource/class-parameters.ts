import type { KindCases } from '../../support/kind-cases.ts';

const DRIVER = 'gpu.example.com';

export const CASES: KindCases = {
  release: 30,
  apiVersion: 'resource.cluster.io/v1alpha2',
  kind: 'ResourceClassParameters',
  minimal: {},
  minimalStored: {},
  full: {
    generatedFrom: { apiGroup: 'example.com', kind: 'A', name: 'b', namespace: 'c' },
    vendorParameters: [{ driverName: DRIVER, parameters: { a: 1 } }],
    filters: [{ driverName: DRIVER, namedResources: { selector: 'attributes.int["a"] > 1' } }],
  },
  invalid: [
    [
      'filters: one of each driver',
      {
        filters: [
          { driverName: DRIVER, namedResources: { selector: 'true' } },
          { driverName: DRIVER, namedResources: { selector: '' } },
        ],
      },
      [
        'filters[1].namedResources.selector: Required value',
        'filters[1].driverName: Duplicate value: "gpu.example.com"',
      ],
    ],
  ],
};
