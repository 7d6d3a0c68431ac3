import type { Change, KindCases } from '../../support/kind-cases.ts';
import { SUBDOMAIN_HINT } from '../../support/name-hints.ts';

const spec = (change: Change): Change => ({ spec: change });
const DEFAULTS = {
  attachRequired: true,
  podInfoOnMount: false,
  volumeLifecycleModes: ['Persistent'],
  storageCapacity: false,
  fsGroupPolicy: 'ReadWriteOnceWithFSType',
  requiresRepublish: false,
};

export const CASES: KindCases = {
  apiVersion: 'storage.cluster.io/v1',
  kind: 'CSIDriver',
  minimal: { spec: {} },
  minimalStored: { spec: DEFAULTS },
  full: {
    spec: {
      attachRequired: false,
      podInfoOnMount: true,
      volumeLifecycleModes: ['Persistent', 'Ephemeral'],
      storageCapacity: true,
      fsGroupPolicy: 'File',
      tokenRequests: [
        { audience: '' },
        { audience: 'vault', expirationSeconds: 600 },
        { audience: 'store', expirationSeconds: 4_294_967_296 },
      ],
      requiresRepublish: true,
    },
  },
  invalid: [
    [
      'CSIDriver, Limits: the name has "at most 63 characters"',
      { metadata: { name: 'd'.repeat(64) } },
      ['metadata.name: Too long: must have at most 63 bytes'],
    ],
    [
      'CSIDriver: the name starts with an alphanumeric character',
      { metadata: { name: '-disk' } },
      [`metadata.name: Invalid value: "-disk": ${SUBDOMAIN_HINT}`],
    ],
    [
      'CSIDriver: the name ends with an alphanumeric character',
      { metadata: { name: 'disk.' } },
      [`metadata.name: Invalid value: "disk.": ${SUBDOMAIN_HINT}`],
    ],
    [
      'CSIDriver: "dashes, dots and alphanumerics between"',
      { metadata: { name: `disk-1.csi.example.com${'x'.repeat(41)}` } },
      [],
    ],
    [
      '13.4: fsGroupPolicy',
      spec({ fsGroupPolicy: 'Never' }),
      [
        'spec.fsGroupPolicy: Unsupported value: "Never": ' +
          'supported values: "File", "None", "ReadWriteOnceWithFSType"',
      ],
    ],
    [
      '13.4: volumeLifecycleModes',
      spec({ volumeLifecycleModes: ['Persistent', 'Inline'] }),
      [
        'spec.volumeLifecycleModes: Unsupported value: "Inline": ' +
          'supported values: "Persistent", "Ephemeral"',
      ],
    ],
    [
      '14.2: the audience of a token request is unique',
      spec({ tokenRequests: [{ audience: 'a' }, { audience: 'a', expirationSeconds: 1 }] }),
      ['spec.tokenRequests[1].audience: Duplicate value: "a"'],
    ],
    [
      '14.2: a token lives at least 600 seconds',
      spec({ tokenRequests: [{ audience: 'a', expirationSeconds: 599 }] }),
      [
        'spec.tokenRequests[0].expirationSeconds: Invalid value: 599: ' +
          'may not specify a duration less than 10 minutes',
      ],
    ],
    [
      '14.2: a token lives at most 2^32 seconds',
      spec({ tokenRequests: [{ audience: 'a', expirationSeconds: 4_294_967_297 }] }),
      [
        'spec.tokenRequests[0].expirationSeconds: Invalid value: 4294967297: ' +
          'may not specify a duration larger than 2^32 seconds',
      ],
    ],
  ],
  updates: [
    [
      '14.2: attachRequired is immutable',
      {},
      spec({ attachRequired: false }),
      ['spec.attachedRequired: Invalid value: false: field is immutable'],
    ],
    [
      '14.2: podInfoOnMount is immutable',
      {},
      spec({ podInfoOnMount: true }),
      ['spec.podInfoOnMount: Invalid value: true: field is immutable'],
    ],
    [
      '14.2: volumeLifecycleModes is immutable',
      {},
      spec({ volumeLifecycleModes: ['Ephemeral'] }),
      ['spec.volumeLifecycleModes: Invalid value: ["Ephemeral"]: field is immutable'],
    ],
    [
      '14.2: fsGroupPolicy is immutable',
      {},
      spec({ fsGroupPolicy: 'File' }),
      ['spec.fsGroupPolicy: Invalid value: "File": field is immutable'],
    ],
    [
      '14.2: storageCapacity, tokenRequests, requiresRepublish are mutable',
      {},
      spec({
        storageCapacity: true,
        tokenRequests: [{ audience: 'a' }],
        requiresRepublish: true,
      }),
      [],
    ],
    ['CSIDriver: an update without a spec has the defaults', {}, { spec: undefined }, []],
    [
      '3.4: no unconditional update',
      {},
      { metadata: { resourceVersion: '0' } },
      ['metadata.resourceVersion: Invalid value: 0x0: must be specified for an update'],
    ],
  ],
};
