import type { KindCases } from '../../support/kind-cases.ts';

const LABEL_HINT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const SUBDOMAIN_HINT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

const ADDRESS = { ip: '192.0.2.1' };

export const CASES: KindCases = {
  apiVersion: 'v1',
  kind: 'Endpoints',
  minimal: {},
  minimalStored: {},
  full: {
    subsets: [
      {
        addresses: [
          {
            ip: '192.0.2.1',
            hostname: 'a',
            nodeName: 'node-1.example.com',
            targetRef: {
              kind: 'Pod',
              namespace: 'default',
              name: 'a',
              uid: 'u',
              apiVersion: 'v1',
              resourceVersion: '1',
              fieldPath: 'spec',
            },
          },
        ],
        notReadyAddresses: [{ ip: '2001:db8::2' }],
        ports: [
          { name: 'http', port: 80, protocol: 'TCP', appProtocol: 'example.com/http' },
          { name: 'dns', port: 53, protocol: 'UDP' },
        ],
      },
      { notReadyAddresses: [{ ip: '192.0.2.3' }], ports: [{ port: 132, protocol: 'SCTP' }] },
    ],
  },
  invalid: [
    ['protocol', { subsets: [{ addresses: [ADDRESS], ports: [{ port: 1 }] }] }, []],
    [
      'a subset has addresses',
      { subsets: [{ ports: [{ port: 1 }] }] },
      ['subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`'],
    ],
    [
      'addresses are IP addresses',
      { subsets: [{ addresses: [{ ip: '1.2.3' }], notReadyAddresses: [{}] }] },
      [
        'subsets[0].addresses[0].ip: Invalid value: "1.2.3": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'subsets[0].addresses[0].ip: Invalid value: "1.2.3": must be a valid IP address',
        'subsets[0].notReadyAddresses[0].ip: Invalid value: "": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'subsets[0].notReadyAddresses[0].ip: Invalid value: "": must be a valid IP address',
      ],
    ],
    [
      'addresses mean the same everywhere',
      {
        subsets: [
          {
            addresses: [
              { ip: '::' },
              { ip: '::1' },
              { ip: '127.1.2.3' },
              { ip: 'fe80::1' },
              { ip: '224.0.0.5' },
              { ip: '::ffff:127.0.0.1' },
            ],
          },
        ],
      },
      [
        'subsets[0].addresses[0].ip: Invalid value: "::": may not be unspecified (::)',
        'subsets[0].addresses[1].ip: Invalid value: "::1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
        'subsets[0].addresses[2].ip: Invalid value: "127.1.2.3": may not be in the loopback range (127.0.0.0/8, ::1/128)',
        'subsets[0].addresses[3].ip: Invalid value: "fe80::1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
        'subsets[0].addresses[4].ip: Invalid value: "224.0.0.5": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
        'subsets[0].addresses[5].ip: Invalid value: "::ffff:127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
      ],
    ],
    [
      'host and node names',
      { subsets: [{ addresses: [{ ...ADDRESS, hostname: 'a.b', nodeName: 'A' }] }] },
      [
        `subsets[0].addresses[0].hostname: Invalid value: "a.b": ${LABEL_HINT}`,
        `subsets[0].addresses[0].nodeName: Invalid value: "A": ${SUBDOMAIN_HINT}`,
      ],
    ],
    [
      'ports have names when there are several',
      {
        subsets: [
          {
            addresses: [ADDRESS],
            ports: [{ port: 1 }, { name: 'a', port: 70_000 }, { name: 'b' }],
          },
        ],
      },
      [
        'subsets[0].ports[0].name: Required value',
        'subsets[0].ports[1].port: Invalid value: 70000: must be between 1 and 65535, inclusive',
        'subsets[0].ports[2].port: Invalid value: 0: must be between 1 and 65535, inclusive',
      ],
    ],
    [
      'names and protocols of ports',
      {
        subsets: [
          {
            addresses: [ADDRESS],
            ports: [{ name: 'A', port: 1, protocol: 'IP', appProtocol: '/' }],
          },
        ],
      },
      [
        `subsets[0].ports[0].name: Invalid value: "A": ${LABEL_HINT}`,
        'subsets[0].ports[0].protocol: Unsupported value: "IP": supported values: "SCTP", "TCP", "UDP"',
        'subsets[0].ports[0].appProtocol: Invalid value: "/": prefix part must be non-empty',
        'subsets[0].ports[0].appProtocol: Invalid value: "/": name part must be non-empty',
        `subsets[0].ports[0].appProtocol: Invalid value: "/": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
      ],
    ],
  ],
  updates: [
    ['subsets may change', { subsets: [{ addresses: [ADDRESS] }] }, { subsets: [] }, []],
    [
      'and stay valid',
      { subsets: [{ addresses: [ADDRESS] }] },
      { subsets: [{}] },
      ['subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`'],
    ],
  ],
};
