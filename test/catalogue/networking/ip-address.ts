import type { Change, KindCases } from '../../support/kind-cases.ts';

const PARENT = { resource: 'services', namespace: 'default', name: 'web' };
const parent = (members: Change): Change => ({ spec: { parentRef: members } });
const named = (name: string): Change => ({ metadata: { name } });

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'networking.cluster.io/v1',
  kind: 'IPAddress',
  // One for each name: 192.168.0.0/16 has room for them.
  name: (unique) => {
    const sum = Array.from(unique).reduce((all, one) => (all * 31 + one.charCodeAt(0)) % 65_536, 7);
    return `192.168.${sum >> 8}.${sum & 255}`;
  },
  minimal: { spec: { parentRef: PARENT } },
  minimalStored: { spec: { parentRef: PARENT } },
  full: { spec: { parentRef: { group: 'example.com', ...PARENT } } },
  invalid: [
    ['address: IPv6', named('2001:db8::1'), []],
    [
      'address: is one',
      named('web'),
      [
        'metadata.name: Invalid value: "web": ' +
          'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      ],
    ],
    [
      'address: has no zeros before it',
      named('10.0.0.01'),
      ['metadata.name: Invalid value: "10.0.0.01": must not have leading 0s'],
    ],
    [
      'address: is not mapped',
      named('::ffff:10.0.0.1'),
      [
        'metadata.name: Invalid value: "::ffff:10.0.0.1": ' +
          'must not be an IPv4-mapped IPv6 address',
      ],
    ],
    [
      'address: has its usual form',
      named('2001:db8:0:0:0::1'),
      [
        'metadata.name: Invalid value: "2001:db8:0:0:0::1": ' +
          'must be in canonical form ("2001:db8::1")',
      ],
    ],
    [
      'address: has an owner',
      { spec: { parentRef: undefined } },
      ['spec.parentRef: Required value'],
    ],
    [
      'address: the owner has a type and a name',
      parent({ resource: undefined, name: '' }),
      ['spec.parentRef.resource: Required value', 'spec.parentRef.name: Required value'],
    ],
    [
      'address: they are segments of paths',
      parent({ resource: 'a/b', name: '..', namespace: 'a%b' }),
      [
        'spec.parentRef.resource: Invalid value: "a/b": may not contain \'/\'',
        'spec.parentRef.name: Invalid value: "..": may not be \'..\'',
        'spec.parentRef.namespace: Invalid value: "a%b": may not contain \'%\'',
      ],
    ],
  ],
  updates: [
    [
      'address: what a name would be made from is one, too',
      {},
      { metadata: { generateName: 'A_B' } },
      [
        'metadata.generateName: Invalid value: "A_B": ' +
          'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      ],
    ],
    [
      'address: keeps its owner',
      {},
      parent({ name: 'other' }),
      [
        'spec.parentRef: Invalid value: ' +
          '{"resource":"services","namespace":"default","name":"other"}: field is immutable',
      ],
    ],
  ],
};
