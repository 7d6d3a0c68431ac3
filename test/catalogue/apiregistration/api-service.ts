import type { KindCases } from '../../support/kind-cases.ts';

const SPEC = {
  service: { namespace: 'a', name: 'b' },
  group: 'remote.example.com',
  version: 'v1',
  groupPriorityMinimum: 100,
  versionPriority: 10,
};

export const CASES: KindCases = {
  apiVersion: 'apiregistration.cluster.io/v1',
  kind: 'APIService',
  name: () => 'v1.remote.example.com',
  minimal: { spec: SPEC },
  minimalStored: {
    spec: { ...SPEC, service: { namespace: 'a', name: 'b', port: 443 } },
    status: {},
  },
  full: {
    spec: { ...SPEC, service: { namespace: 'a', name: 'b', port: 8443 }, caBundle: 'YWJj' },
  },
  fullStored: {
    spec: { ...SPEC, service: { namespace: 'a', name: 'b', port: 8443 }, caBundle: 'YWJj' },
    status: {},
  },
  invalid: [
    [
      '3.7: <version>.<group>',
      { metadata: { name: 'v2.remote.example.com' } },
      [
        'metadata.name: Invalid value: "v2.remote.example.com": ' +
          'must be `spec.version+"."+spec.group`: "v1.remote.example.com"',
      ],
    ],
    [
      '3.7: a name is generated from a segment of a path',
      { metadata: { generateName: 'a/b' } },
      [`metadata.generateName: Invalid value: "a/b": may not contain '/'`],
    ],
    [
      '3.7: <version>.<group> is all that a name may be generated from',
      { metadata: { generateName: 'v2.remote.example.com' } },
      [
        'metadata.generateName: Invalid value: "v2.remote.example.com": ' +
          'must be `spec.version+"."+spec.group`: "v1.remote.example.com"',
      ],
    ],
    [
      'service: group required',
      { metadata: { name: 'v2.' }, spec: { group: '', version: 'v2' } },
      ['spec.group: Required value: only v1 may have an empty group and it better be legacy kube'],
    ],
    [
      'service: version',
      { metadata: { name: '1.remote.example.com' }, spec: { version: '1' } },
      [
        'spec.version: Invalid value: "1": a DNS-1035 label must consist of lower case ' +
          "alphanumeric characters or '-', start with an alphabetic character, and end with an " +
          "alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is " +
          "'[a-z]([-a-z0-9]*[a-z0-9])?')",
      ],
    ],
    [
      'service: priorities',
      { spec: { groupPriorityMinimum: 20_001, versionPriority: 0 } },
      [
        'spec.groupPriorityMinimum: Invalid value: 20001: must be positive and less than 20000',
        'spec.versionPriority: Invalid value: 0: must be positive and less than 1000',
      ],
    ],
    [
      'service: local ones are trusted',
      { spec: { service: undefined, caBundle: 'YWJj', insecureSkipTLSVerify: true } },
      [
        'spec.caBundle: Invalid value: "3 bytes": local APIServices may not have a caBundle',
        'spec.insecureSkipTLSVerify: Invalid value: true: ' +
          'local APIServices may not have insecureSkipTLSVerify',
      ],
    ],
    [
      'service: names',
      { spec: { service: { namespace: '', name: '' } } },
      ['spec.service.namespace: Required value', 'spec.service.name: Required value'],
    ],
    [
      'service: port',
      { spec: { service: { port: 65_536 } } },
      [
        'spec.service.port: Invalid value: 65536: ' +
          'port is not valid: must be between 1 and 65535, inclusive',
      ],
    ],
    [
      'service: verified or not',
      { spec: { caBundle: 'YWJj', insecureSkipTLSVerify: true } },
      ['spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present'],
    ],
    ['service: a local one', { spec: { service: undefined } }, []],
  ],
  updates: [['service: may change', {}, { spec: { versionPriority: 20 } }, []]],
  statusUpdates: [
    [
      'the status of a condition',
      {},
      { status: { conditions: [{ type: 'Available', status: 'x' }] } },
      [
        'status.conditions[0].status: Unsupported value: "x": supported values: "True", "False", "Unknown"',
      ],
    ],
  ],
};
