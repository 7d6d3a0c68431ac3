import type { KindCases } from '../../support/kind-cases.ts';

const LABEL_HINT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const SUBDOMAIN_HINT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

const ENDPOINT = { addresses: ['192.0.2.1'] };
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const FULL_ENDPOINT = {
  addresses: ['192.0.2.1', '192.0.2.2'],
  conditions: { ready: true, serving: false, terminating: false },
  hostname: 'a',
  targetRef: { kind: 'Pod', namespace: 'default', name: 'a', uid: 'u' },
  nodeName: 'node-1',
  zone: 'z1',
};

const HINTS = { forZones: [{ name: 'z1' }] };

export const CASES: KindCases = {
  apiVersion: 'discovery.cluster.io/v1',
  kind: 'EndpointSlice',
  minimal: { addressType: 'IPv4' },
  minimalStored: { addressType: 'IPv4', endpoints: null, ports: null },
  full: {
    addressType: 'IPv4',
    endpoints: [{ ...FULL_ENDPOINT, hints: HINTS, deprecatedTopology: { rack: 'r1' } }],
    ports: [
      { name: 'http', protocol: 'TCP', port: 80, appProtocol: 'example.com/http' },
      { port: 53 },
    ],
  },
  // EndpointSlice v1 does not write the topology.
  fullStored: {
    addressType: 'IPv4',
    endpoints: [FULL_ENDPOINT],
    ports: [
      { name: 'http', protocol: 'TCP', port: 80, appProtocol: 'example.com/http' },
      { name: '', protocol: 'TCP', port: 53 },
    ],
  },
  invalid: [
    ['addressType required', { addressType: undefined }, ['addressType: Required value']],
    [
      'addressType is a known one',
      { addressType: 'IP' },
      ['addressType: Unsupported value: "IP": supported values: "FQDN", "IPv4", "IPv6"'],
    ],
    [
      'at most 1000 endpoints',
      { endpoints: times(1001, () => ENDPOINT) },
      ['endpoints: Too many: 1001: must have at most 1000 items'],
    ],
    [
      'at least one address of an endpoint',
      { endpoints: [{ addresses: [] }] },
      ['endpoints[0].addresses: Required value: must contain at least 1 address'],
    ],
    [
      'at most 100 addresses of an endpoint',
      { endpoints: [{ addresses: times(101, (index) => `192.0.2.${index}`) }] },
      ['endpoints[0].addresses: Too many: 101: must have at most 100 items'],
    ],
    [
      'IPv4 addresses',
      { endpoints: [{ addresses: ['2001:db8::1', '127.0.0.1', 'x'] }] },
      [
        'endpoints[0].addresses[0]: Invalid value: "2001:db8::1": must be a valid IPv4 address',
        'endpoints[0].addresses[1]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
        'endpoints[0].addresses[2]: Invalid value: "x": must be a valid IPv4 address',
        'endpoints[0].addresses[2]: Invalid value: "x": must be a valid IP address',
      ],
    ],
    [
      'IPv6 addresses',
      { addressType: 'IPv6', endpoints: [{ addresses: ['2001:db8::1', '192.0.2.1'] }] },
      ['endpoints[0].addresses[1]: Invalid value: "192.0.2.1": must be a valid IPv6 address'],
    ],
    [
      'names as addresses',
      {
        addressType: 'FQDN',
        endpoints: [{ addresses: ['a.example.com.', '', 'example', 'A.b', `${'a'.repeat(64)}.b`] }],
      },
      [
        'endpoints[0].addresses[1]: Required value',
        'endpoints[0].addresses[2]: Invalid value: "example": should be a domain with at least two segments separated by dots',
        `endpoints[0].addresses[3]: Invalid value: "A.b": ${SUBDOMAIN_HINT}`,
        `endpoints[0].addresses[4]: Invalid value: "${'a'.repeat(64)}": must be no more than 63 characters`,
      ],
    ],
    [
      'host and node names',
      { endpoints: [{ ...ENDPOINT, hostname: 'a.b', nodeName: '' }] },
      [
        `endpoints[0].hostname: Invalid value: "a.b": ${LABEL_HINT}`,
        `endpoints[0].nodeName: Invalid value: "": ${SUBDOMAIN_HINT}`,
      ],
    ],
    ['at most 100 ports', { ports: times(101, (port) => ({ name: `p${port}`, port })) }, []],
    ['names of ports are unique', { ports: [{}, {}] }, ['ports[1].name: Duplicate value: ""']],
    [
      'members of a port',
      { ports: [{ name: 'A', protocol: 'IP', appProtocol: 'a/b/c' }] },
      [
        'ports[0].protocol: Unsupported value: "IP": supported values: "SCTP", "TCP", "UDP"',
        `ports[0].appProtocol: Invalid value: "a/b/c": a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
        `ports[0].name: Invalid value: "A": ${LABEL_HINT}`,
      ],
    ],
  ],
  updates: [
    ['endpoints and ports may change', {}, { endpoints: [ENDPOINT], ports: [{ port: 1 }] }, []],
    [
      'addressType immutable',
      {},
      { addressType: 'IPv6' },
      ['addressType: Invalid value: "IPv6": field is immutable'],
    ],
  ],
};
