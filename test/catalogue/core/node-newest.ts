// The newest release treats some Nodes otherwise.
import type { KindCases } from '../../support/kind-cases.ts';

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
const FEATURES = 'status.declaredFeatures';

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'v1',
  kind: 'Node',
  minimal: {},
  minimalStored: { spec: {}, status: STATUS },
  full: {
    spec: { podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24', '2001:db8::/64'] },
    status: {
      features: { supplementalGroupsPolicy: true },
      runtimeHandlers: [{ name: '', features: { recursiveReadOnlyMounts: true } }],
      declaredFeatures: ['FeatureA', 'FeatureB/part'],
    },
  },
  fullStored: {
    spec: { podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24', '2001:db8::/64'] },
    status: {
      ...STATUS,
      features: { supplementalGroupsPolicy: true },
      runtimeHandlers: [{ name: '', features: { recursiveReadOnlyMounts: true } }],
      declaredFeatures: ['FeatureA', 'FeatureB/part'],
    },
  },
  invalid: [
    [
      'ranges are read strictly, and are one of each family',
      { spec: { podCIDRs: ['10.0.0.1/8', '10.0.0.1/8'] } },
      [
        'spec.podCIDRs[0]: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length',
        'spec.podCIDRs[1]: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length',
        'spec.podCIDRs: Invalid value: ["10.0.0.1/8","10.0.0.1/8"]: may specify no more than one CIDR for each IP family',
      ],
    ],
    [
      'features are in order, each once, and well named',
      { status: { declaredFeatures: ['B', 'A', 'A', 'c'] } },
      [
        `${FEATURES}[1]: Invalid value: "A": list must be sorted alphabetically`,
        `${FEATURES}[2]: Duplicate value: "A"`,
        `${FEATURES}[3]: Invalid value: "c": invalid feature name "c": must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes`,
      ],
    ],
    [
      'swap is more than nothing',
      { status: { nodeInfo: { swap: { capacity: 0 } } } },
      ['metadata.nodeSwapStatus.capacity: Invalid value: 0: must be greater than zero'],
    ],
  ],
  updates: [
    [
      'the provider stays',
      { spec: { providerID: 'a' } },
      { spec: { providerID: 'b' } },
      ['spec.providerID: Invalid value: null: field cannot be modified once set'],
    ],
    [
      'it is not cleared',
      { spec: { providerID: 'a' } },
      { spec: { providerID: undefined } },
      ['spec.providerID: Invalid value: null: field cannot be cleared once set'],
    ],
  ],
  statusUpdates: [
    ['swap is not looked at again', {}, { status: { nodeInfo: { swap: { capacity: 0 } } } }, []],
    [
      'addresses are there once',
      {},
      {
        status: {
          addresses: [
            { type: 'InternalIP', address: '10.0.0.1' },
            { type: 'InternalIP', address: '10.0.0.1' },
          ],
        },
      },
      ['status.addresses[1]: Duplicate value: {"Type":"InternalIP","Address":"10.0.0.1"}'],
    ],
  ],
};
