import type { Change, KindCases } from '../../support/kind-cases.ts';

const SPEC = { resource: { group: 'apps', resource: 'deployments' } };
const AT = '2024-05-01T10:11:12Z';

const resource = (members: Change): Change => ({ spec: { resource: members } });
const states = (...types: string[]): Change => ({
  spec: SPEC,
  status: {
    conditions: types.map((type) => ({
      type,
      status: 'True',
      lastTransitionTime: AT,
      reason: 'A',
      message: '',
    })),
  },
});
const version = (resourceVersion: string): Change => ({ spec: SPEC, status: { resourceVersion } });

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'storagemigration.cluster.io/v1',
  kind: 'StorageVersionMigration',
  minimal: { spec: { resource: { resource: 'pods' } } },
  minimalStored: { spec: { resource: { group: '', resource: 'pods' } }, status: {} },
  full: { spec: SPEC },
  fullStored: { spec: SPEC, status: {} },
  invalid: [
    [
      'a resource is needed',
      resource({ resource: '' }),
      ['spec.resource.resource: Required value: resource is required to be set'],
    ],
    [
      'the resource is a label, the group a domain',
      resource({ group: 'Apps', resource: 'a/b' }),
      [
        'spec.resource.resource: Invalid value: "a/b": a DNS-1035 label must consist of lower case ' +
          "alphanumeric characters or '-', start with an alphabetic character, and end with an " +
          "alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is " +
          "'[a-z]([-a-z0-9]*[a-z0-9])?')",
        'spec.resource.group: Invalid value: "Apps": a lowercase RFC 1123 subdomain must consist of ' +
          "lower case alphanumeric characters, '-' or '.', and must start and end with an " +
          "alphanumeric character (e.g. 'example.com', regex used for validation is " +
          "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    ],
  ],
  updates: [
    [
      'the resource stays',
      { spec: SPEC },
      resource({ group: 'apps', resource: 'replicasets' }),
      [
        'spec: Invalid value: {"Resource":{"group":"apps","resource":"replicasets"}}: ' +
          'field is immutable',
      ],
    ],
  ],
  statusUpdates: [
    ['a migration runs, and has ended', { spec: SPEC }, states('Running', 'Succeeded'), []],
    ['the version may be any', { spec: SPEC }, version('1234567890123456789012'), []],
    [
      'a migration ends in one way',
      { spec: SPEC },
      states('Succeeded', 'Failed'),
      [
        'status.conditions: Invalid value: [' +
          '{"type":"Succeeded","status":"True","lastTransitionTime":"2024-05-01T10:11:12Z",' +
          '"reason":"A","message":""},' +
          '{"type":"Failed","status":"True","lastTransitionTime":"2024-05-01T10:11:12Z",' +
          '"reason":"A","message":""}]: ' +
          'Both success and failed conditions cannot be true at the same time',
      ],
    ],
    [
      'the version is a number',
      { spec: SPEC },
      version('01'),
      ['status.resourceVersion: Invalid value: "01": resource version is not well formed: 01'],
    ],
  ],
};
