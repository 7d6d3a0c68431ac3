// The newest release treats some EndpointSlices otherwise.
import type { KindCases } from '../../support/kind-cases.ts';

const ENDPOINT = 'endpoints[0]';
const NINE = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
const named = (...names: readonly string[]): readonly object[] => names.map((name) => ({ name }));

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'discovery.cluster.io/v1',
  kind: 'EndpointSlice',
  minimal: { addressType: 'IPv4' },
  minimalStored: { addressType: 'IPv4', endpoints: null, ports: null },
  full: {
    addressType: 'IPv6',
    endpoints: [
      {
        addresses: ['2001:db8::1'],
        conditions: {},
        hints: { forZones: named('z1'), forNodes: named('node-1') },
      },
    ],
    ports: [{ name: 'http', protocol: 'TCP', port: 80 }],
  },
  invalid: [
    ['an endpoint has addresses', { endpoints: [{}] }, [`${ENDPOINT}.addresses: Required value`]],
    [
      'addresses of the older family are read strictly, and have to be of it',
      { endpoints: [{ addresses: ['1.2.3.04', '2001:db8::1', 'a', '127.0.0.1'] }] },
      [
        `${ENDPOINT}.addresses[0]: Invalid value: "1.2.3.04": must not have leading 0s`,
        `${ENDPOINT}.addresses: Invalid value: "2001:db8::1": must be an IPv4 address`,
        `${ENDPOINT}.addresses[2]: Invalid value: "a": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)`,
        `${ENDPOINT}.addresses[3]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)`,
      ],
    ],
    [
      'those of the newer one have one form',
      { addressType: 'IPv6', endpoints: [{ addresses: ['2001:DB8::1', '1.2.3.4'] }] },
      [
        `${ENDPOINT}.addresses[0]: Invalid value: "2001:DB8::1": must be in canonical form ("2001:db8::1")`,
        `${ENDPOINT}.addresses: Invalid value: "1.2.3.4": must be an IPv6 address`,
      ],
    ],
    [
      'nodes are named once',
      { endpoints: [{ addresses: ['192.0.2.1'], hints: { forNodes: named('a', 'a') } }] },
      [`${ENDPOINT}.hints.forNodes[1].name: Duplicate value: "a"`],
    ],
    [
      'eight nodes at most',
      { endpoints: [{ addresses: ['192.0.2.1'], hints: { forNodes: named(...NINE) } }] },
      [`${ENDPOINT}.hints.forNodes: Too many: 9: must have at most 8 items`],
    ],
  ],
};
