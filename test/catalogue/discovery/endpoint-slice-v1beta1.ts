import type { KindCases } from '../../support/kind-cases.ts';

const ENDPOINT = { addresses: ['192.0.2.1'], conditions: {} };
const TOPOLOGY = {
  'cluster.io/hostname': 'node-1',
  'topology.cluster.io/zone': 'z1',
  rack: 'r1',
};

export const CASES: KindCases = {
  apiVersion: 'discovery.cluster.io/v1beta1',
  kind: 'EndpointSlice',
  minimal: { addressType: 'IPv6' },
  minimalStored: { addressType: 'IPv6', endpoints: null, ports: null },
  full: {
    addressType: 'IPv4',
    endpoints: [
      {
        addresses: ['192.0.2.1'],
        conditions: { ready: true, serving: true, terminating: false },
        hostname: 'a',
        targetRef: { kind: 'Pod', name: 'a' },
        topology: TOPOLOGY,
        nodeName: 'node-1',
      },
      { ...ENDPOINT, topology: { 'cluster.io/hostname': 'other' }, nodeName: 'node-2' },
    ],
    ports: [{ name: 'http', protocol: 'TCP', port: 80, appProtocol: 'http' }],
  },
  invalid: [
    [
      'at most 16 entries of a topology besides zone and node',
      {
        endpoints: [
          {
            ...ENDPOINT,
            topology: Object.fromEntries([...Array(17).keys()].map((n) => [`k${n}`, ''])),
          },
        ],
        addressType: 'IPv4',
      },
      ['endpoints[0].deprecatedTopology: Too many: 17: must have at most 16 items'],
    ],
    [
      'a topology is made of labels',
      { endpoints: [{ ...ENDPOINT, topology: { rack: '-' } }], addressType: 'IPv4' },
      [
        `endpoints[0].deprecatedTopology: Invalid value: "-": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
      ],
    ],
  ],
};
