import type { Change, KindCases } from '../../support/kind-cases.ts';
import { NAME_PART_HINT, SUBDOMAIN_HINT } from '../../support/name-hints.ts';

const DISK = { name: 'disk.csi.example.com', nodeID: 'n-1', topologyKeys: ['example.com/zone'] };
const drivers = (...list: Change[]): Change => ({ spec: { drivers: list } });
const changed = (change: Change): Change => drivers({ ...DISK, ...change });
const AT = 'spec.drivers[0]';

export const CASES: KindCases = {
  apiVersion: 'storage.cluster.io/v1',
  kind: 'CSINode',
  minimal: { spec: { drivers: null } },
  minimalStored: { spec: { drivers: null } },
  full: drivers(
    { ...DISK, allocatable: { count: 24 } },
    { ...DISK, name: 'NFS.csi.example.com', nodeID: 'x'.repeat(256), allocatable: {} },
  ),
  invalid: [
    [
      '3.7: the name is the name of a node',
      { metadata: { name: 'Node_1' } },
      [`metadata.name: Invalid value: "Node_1": ${SUBDOMAIN_HINT}`],
    ],
    [
      'a driver has a name',
      changed({ name: undefined }),
      [
        `${AT}.name: Required value`,
        `spec.drivers[0].name: Invalid value: "": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
    ],
    [
      'Limits: "Driver name: at most 63 characters"',
      changed({ name: 'd'.repeat(64) }),
      [`${AT}.name: Too long: must have at most 63 bytes`],
    ],
    [
      'the name of a driver is a DNS subdomain, lower-cased',
      changed({ name: 'Disk_1' }),
      [`${AT}.name: Invalid value: "Disk_1": ${SUBDOMAIN_HINT}`],
    ],
    [
      '14.2: drivers are unique by name',
      drivers(DISK, { ...DISK, nodeID: 'n-2' }),
      ['spec.drivers[1].name: Duplicate value: "disk.csi.example.com"'],
    ],
    ['a driver knows the node', changed({ nodeID: '' }), [`${AT}.nodeID: Required value`]],
    [
      '14.1: nodeID has at most 256 bytes',
      changed({ nodeID: 'x'.repeat(257) }),
      [`${AT}.nodeID: Invalid value: "${'x'.repeat(257)}": must be 256 characters or less`],
    ],
    [
      '14.2: topologyKeys are unique',
      changed({ topologyKeys: ['a', 'a'] }),
      [`${AT}: Duplicate value: "a"`],
    ],
    [
      '14.2: topologyKeys are qualified names',
      changed({ topologyKeys: ['a b'] }),
      [`${AT}: Invalid value: "a b": ${NAME_PART_HINT}`],
    ],
    [
      '14.2: allocatable.count ≥ 0',
      changed({ allocatable: { count: -1 } }),
      [`${AT}.allocatable.count: Invalid value: -1: must be greater than or equal to 0`],
    ],
  ],
  updates: [
    ['14.2: drivers may be added', {}, drivers(DISK), []],
    ['14.2: drivers may be removed', drivers(DISK), drivers(), []],
    [
      '14.2: existing driver entries are immutable',
      drivers(DISK),
      changed({ nodeID: 'n-2' }),
      [
        'CSINodeDriver: Invalid value: {"name":"disk.csi.example.com","nodeID":"n-2",' +
          '"topologyKeys":["example.com/zone"]}: field is immutable',
      ],
    ],
    [
      '14.2: existing driver entries are immutable: allocatable',
      drivers(DISK),
      changed({ allocatable: { count: 1 } }),
      [
        'CSINodeDriver: Invalid value: {"name":"disk.csi.example.com","nodeID":"n-1",' +
          '"topologyKeys":["example.com/zone"],"allocatable":{"count":1}}: field is immutable',
      ],
    ],
    [
      '3.4: no unconditional update',
      {},
      { metadata: { resourceVersion: '0' } },
      ['metadata.resourceVersion: Invalid value: 0x0: must be specified for an update'],
    ],
  ],
};
