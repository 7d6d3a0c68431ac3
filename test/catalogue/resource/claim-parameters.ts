import type { KindCases } from '../../support/kind-cases.ts';

const requests = (...all: readonly object[]): object => ({
  driverRequests: [{ driverName: 'gpu.example.com', requests: all }],
});
const AT = 'driverRequests[0].requests';

export const CASES: KindCases = {
  release: 30,
  apiVersion: 'resource.cluster.io/v1alpha2',
  kind: 'ResourceClaimParameters',
  minimal: {},
  minimalStored: {},
  full: {
    generatedFrom: { apiGroup: 'example.com', kind: 'A', name: 'b' },
    shareable: true,
    driverRequests: [
      {
        driverName: 'gpu.example.com',
        vendorParameters: { a: 1 },
        requests: [
          { vendorParameters: { b: 2 }, namedResources: { selector: 'attributes.bool["a"]' } },
        ],
      },
    ],
  },
  invalid: [
    [
      'requests: some',
      { ...requests() },
      [`${AT}: Required value: empty entries with no requests are not allowed`],
    ],
    [
      'requests: of a model',
      { ...requests({}) },
      [`${AT}[0]: Required value: exactly one structured model field must be set`],
    ],
    [
      'selectors: are true or false',
      { ...requests({ namedResources: { selector: '1' } }) },
      [`${AT}[0].namedResources.selector: Invalid value: "1": must evaluate to bool`],
    ],
  ],
};
