import type { Change, KindCases } from '../../support/kind-cases.ts';

const taint = (...taints: object[]): Change => ({ spec: { taints } });
const TAINT = { key: 'gpu', effect: 'NoSchedule' };
const LABEL_HINT =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', " +
  "and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or " +
  "'12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const STATUS = {
  daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
  nodeInfo: {
    machineID: '',
    systemUUID: '',
    bootID: '',
    kernelVersion: '',
    osImage: '',
    containerRuntimeVersion: '',
    kubeletVersion: '',
    kubeProxyVersion: '',
    operatingSystem: '',
    architecture: '',
  },
};
const ADDRESS = { type: 'InternalIP', address: '10.0.0.1' };

export const CASES: KindCases = {
  apiVersion: 'v1',
  kind: 'Node',
  minimal: {},
  minimalStored: { spec: {}, status: STATUS },
  full: {
    spec: {
      podCIDR: '10.1.0.0/24',
      podCIDRs: ['10.1.0.0/24', 'fd00::/64'],
      providerID: 'cloud://1',
      unschedulable: true,
      taints: [{ ...TAINT, value: 'yes', timeAdded: '2024-01-01T00:00:00Z' }],
      configSource: { configMap: { namespace: 'a', name: 'b', kubeletConfigKey: 'c' } },
      externalID: 'old',
    },
  },
  fullStored: {
    spec: {
      podCIDR: '10.1.0.0/24',
      podCIDRs: ['10.1.0.0/24', 'fd00::/64'],
      providerID: 'cloud://1',
      unschedulable: true,
      taints: [{ ...TAINT, value: 'yes', timeAdded: '2024-01-01T00:00:00Z' }],
      externalID: 'old',
    },
    status: STATUS,
  },
  invalid: [
    [
      'node: taint values',
      taint({ ...TAINT, value: 'a b' }),
      [`metadata.taints[0].value: Invalid value: "a b": ${LABEL_HINT}`],
    ],
    [
      'node: taint effects required',
      taint({ key: 'gpu' }),
      ['metadata.taints[0].effect: Required value'],
    ],
    [
      'node: taint effects',
      taint({ key: 'gpu', effect: 'No' }),
      [
        'metadata.taints[0].effect: Unsupported value: "No": ' +
          'supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      ],
    ],
    [
      'node: taints unique',
      taint(TAINT, { ...TAINT, effect: 'NoExecute' }, TAINT),
      [
        'metadata.taints[2]: Duplicate value: {"key":"gpu","effect":"NoSchedule"}: ' +
          'taints must be unique by key and effect pair',
      ],
    ],
    [
      'node: ranges',
      { spec: { podCIDRs: ['10.0.0.0'] } },
      ['spec.podCIDRs[0]: Invalid value: []string{"10.0.0.0"}: must be valid CIDR'],
    ],
    [
      'node: each is a range',
      { spec: { podCIDRs: ['10.0.0.0/8', 'fd00::/64', 'x'] } },
      [
        'spec.podCIDRs[2]: Invalid value: []string{"10.0.0.0/8", "fd00::/64", "x"}: ' +
          'must be valid CIDR',
        'spec.podCIDRs: Internal error: invalid PodCIDRs. failed to check with dual stack ' +
          'with error:failed to parse cidr value:"x" with error:invalid CIDR address: x',
        'spec.podCIDRs: Invalid value: []string{"10.0.0.0/8", "fd00::/64", "x"}: ' +
          'may specify no more than one CIDR for each IP family',
      ],
    ],
    [
      'node: one range of a family',
      { spec: { podCIDRs: ['10.0.0.0/8', '11.0.0.0/8'] } },
      [
        'spec.podCIDRs: Invalid value: []string{"10.0.0.0/8", "11.0.0.0/8"}: ' +
          'may specify no more than one CIDR for each IP family',
      ],
    ],
  ],
  updates: [
    ['node: ranges may be set', {}, { spec: { podCIDR: '10.0.0.0/8' } }, []],
    [
      'node: ranges may not change',
      { spec: { podCIDR: '10.0.0.0/8' } },
      { spec: { podCIDR: '11.0.0.0/8' } },
      ['spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid'],
    ],
    ['node: providerID may be set', {}, { spec: { providerID: 'a' } }, []],
    [
      'node: providerID may not change',
      { spec: { providerID: 'a' } },
      { spec: { providerID: 'b' } },
      [
        'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
      ],
    ],
    [
      'node: externalID',
      {},
      { spec: { externalID: 'b' } },
      ['spec.externalID: Forbidden: may not be updated'],
    ],
    ['node: unschedulable and taints', {}, { spec: { unschedulable: true, taints: [TAINT] } }, []],
  ],
  statusUpdates: [
    [
      'node: amounts',
      {},
      { status: { capacity: { cpu: '-1' } } },
      [
        'status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0',
        'status.allocatable.cpu: Invalid value: "-1": must be greater than or equal to 0',
      ],
    ],
    [
      'node: addresses unique',
      {},
      { status: { addresses: [ADDRESS, ADDRESS] } },
      ['status.addresses[1]: Duplicate value: {"type":"InternalIP","address":"10.0.0.1"}'],
    ],
    [
      'node: status',
      {},
      {
        status: {
          capacity: { cpu: '4' },
          conditions: [{ type: 'Ready', status: 'True' }],
          addresses: [ADDRESS],
          images: [{ names: ['a:1'], sizeBytes: 5 }],
        },
      },
      [],
    ],
  ],
};
