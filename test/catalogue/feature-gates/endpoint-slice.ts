import type { Change, KindCases } from '../../support/kind-cases.ts';

const hinted = (...names: readonly string[]): Change => ({
  endpoints: [{ addresses: ['192.0.2.1'], hints: { forZones: names.map((name) => ({ name })) } }],
});

export const CASES: KindCases = {
  featureGates: ['TopologyAwareHints'],
  apiVersion: 'discovery.cluster.io/v1',
  kind: 'EndpointSlice',
  minimal: { addressType: 'IPv4' },
  minimalStored: { addressType: 'IPv4', endpoints: null, ports: null },
  full: { addressType: 'IPv4', ...hinted('z1', 'z2') },
  fullStored: {
    addressType: 'IPv4',
    endpoints: [
      {
        addresses: ['192.0.2.1'],
        conditions: {},
        hints: { forZones: [{ name: 'z1' }, { name: 'z2' }] },
      },
    ],
    ports: null,
  },
  invalid: [
    [
      'hints name each zone once',
      hinted('z', 'z'),
      ['endpoints[0].hints.forZones[1].name: Duplicate value: "z"'],
    ],
    [
      'hints name at most 8 zones',
      hinted(...[...Array(9).keys()].map((index) => `z${index}`)),
      ['endpoints[0].hints.forZones: Too many: 9: must have at most 8 items'],
    ],
    [
      'zones are label values',
      hinted('-'),
      [
        `endpoints[0].hints.forZones[0].name: Invalid value: "-": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
      ],
    ],
  ],
};
