// `service.ts` leaves these out: cluster IPs, and members that an update may change.
import type { KindCases } from '../../support/kind-cases.ts';

/** With an address, unlike the minimal one. */
const PORT = { port: 80, protocol: 'TCP', targetPort: 80 };
const WITH_ADDRESS = { clusterIP: undefined, ports: [PORT] };
const EXTERNAL = { clusterIP: undefined, type: 'ExternalName', externalName: 'example.com' };
const LOCAL = {
  ...WITH_ADDRESS,
  type: 'LoadBalancer',
  externalTrafficPolicy: 'Local',
  healthCheckNodePort: 32_001,
};

export const CASES: KindCases = {
  apiVersion: 'v1',
  kind: 'Service',
  minimal: { spec: { clusterIP: 'None', selector: { app: 'a' } } },
  minimalStored: {
    spec: {
      selector: { app: 'a' },
      clusterIP: 'None',
      clusterIPs: ['None'],
      type: 'ClusterIP',
      sessionAffinity: 'None',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      internalTrafficPolicy: 'Cluster',
    },
    status: { loadBalancer: {} },
  },
  // Without a selector: of both families, wherever the addresses come from.
  full: {
    spec: { clusterIP: 'None', ipFamilies: ['IPv6', 'IPv4'], publishNotReadyAddresses: true },
  },
  fullStored: {
    spec: {
      clusterIP: 'None',
      clusterIPs: ['None'],
      type: 'ClusterIP',
      sessionAffinity: 'None',
      publishNotReadyAddresses: true,
      ipFamilies: ['IPv6', 'IPv4'],
      ipFamilyPolicy: 'RequireDualStack',
      internalTrafficPolicy: 'Cluster',
    },
    status: { loadBalancer: {} },
  },
  invalid: [
    [
      'what is wrong with addresses is told alone',
      { spec: { clusterIP: 'x', ports: undefined, type: 'y', externalIPs: ['z'] } },
      [
        'spec.clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      ],
    ],
    [
      'both forms of the cluster IP agree',
      { spec: { ...WITH_ADDRESS, clusterIP: '10.0.0.7', clusterIPs: ['10.0.0.8'] } },
      ['spec.clusterIPs: Invalid value: []string{"10.0.0.8"}: first value must match `clusterIP`'],
    ],
    [
      'the list alone is not enough',
      { spec: { ...WITH_ADDRESS, clusterIPs: ['10.0.0.8'] } },
      [
        'spec.clusterIPs: Invalid value: []string{"10.0.0.8"}: must be empty when `clusterIP` is not specified',
      ],
    ],
    [
      'a cluster IP is an address',
      { spec: { ...WITH_ADDRESS, clusterIP: '10.0.0' } },
      [
        'spec.clusterIPs[0]: Invalid value: "10.0.0": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      ],
    ],
    [
      'None stands alone',
      { spec: { clusterIPs: ['None', '10.0.0.8'], ports: [PORT] } },
      [
        `spec.clusterIPs: Invalid value: []string{"None", "10.0.0.8"}: 'None' must be the first and only value`,
      ],
    ],
    [
      'one address of each family',
      {
        spec: {
          ...WITH_ADDRESS,
          clusterIP: '10.0.0.7',
          clusterIPs: ['10.0.0.7', '10.0.0.8', '10.0.0.9'],
        },
      },
      [
        'spec.clusterIPs: Invalid value: []string{"10.0.0.7", "10.0.0.8", "10.0.0.9"}: may only hold up to 2 values',
        'spec.clusterIPs: Invalid value: []string{"10.0.0.7", "10.0.0.8", "10.0.0.9"}: may specify no more than one IP for each IP family',
      ],
    ],
    [
      'families of addresses',
      { spec: { ...WITH_ADDRESS, clusterIP: '10.0.0.7', ipFamilies: ['IPv6', 'IPv6'] } },
      [
        'spec.ipFamilies[1]: Duplicate value: "IPv6"',
        'spec.clusterIPs[0]: Invalid value: "10.0.0.7": expected an IPv6 value as indicated by `ipFamilies[0]`',
      ],
    ],
    [
      'known families and policies',
      { spec: { ipFamilies: ['IPv5'], ipFamilyPolicy: 'Dual' } },
      [
        'spec.ipFamilies[0]: Unsupported value: "IPv5": supported values: "IPv4", "IPv6"',
        'spec.ipFamilyPolicy: Unsupported value: "Dual": supported values: "PreferDualStack", "RequireDualStack", "SingleStack"',
      ],
    ],
    [
      'single-stack has one of each',
      {
        spec: {
          ...WITH_ADDRESS,
          clusterIP: '10.0.0.7',
          clusterIPs: ['10.0.0.7', '2001:db8::7'],
          ipFamilies: ['IPv4', 'IPv6'],
        },
      },
      [
        `spec.ipFamilyPolicy: Invalid value: "SingleStack": must be 'RequireDualStack' or 'PreferDualStack' when multiple cluster IPs are specified`,
        `spec.ipFamilyPolicy: Invalid value: "SingleStack": must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified`,
      ],
    ],
    [
      'no IPv6 in a cluster of IPv4 services',
      { spec: { ...WITH_ADDRESS, ipFamilies: ['IPv6'] } },
      ['spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster'],
    ],
    [
      'no IPv6 by an address of a second family',
      {
        spec: {
          ...WITH_ADDRESS,
          clusterIP: '10.0.0.7',
          clusterIPs: ['10.0.0.7', '2001:db8::7'],
          ipFamilyPolicy: 'PreferDualStack',
        },
      },
      [
        'spec.clusterIPs[1]: Invalid value: []string{"10.0.0.7", "2001:db8::7"}: IPv6 is not configured on this cluster',
      ],
    ],
    [
      'no dual-stack in a cluster of IPv4 services',
      { spec: { ipFamilyPolicy: 'RequireDualStack' } },
      [
        'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
      ],
    ],
  ],
  updates: [
    [
      'what is of both families for want of a selector cannot get one',
      { spec: { selector: undefined } },
      { spec: { selector: { app: 'a' } } },
      [
        'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
        'spec.ipFamilies[1]: Invalid value: "IPv6": not configured on this cluster',
      ],
    ],
    [
      'a family goes with single-stack only',
      { spec: { selector: undefined } },
      { spec: { ipFamilies: ['IPv4'] } },
      [
        `spec.ipFamilyPolicy: Invalid value: "RequireDualStack": must be 'SingleStack' to release the secondary IP family`,
      ],
    ],
    [
      'except as single-stack',
      { spec: { selector: undefined } },
      { spec: { selector: { app: 'a' }, ipFamilyPolicy: 'SingleStack' } },
      [],
    ],
    [
      'selector, ports and names may change',
      {},
      { spec: { selector: { app: 'b' }, ports: [PORT] } },
      [],
    ],
    [
      'clusterIP immutable',
      {},
      { spec: { clusterIP: '10.0.0.9', ports: [PORT] } },
      ['spec.clusterIPs[0]: Invalid value: []string{"10.0.0.9"}: may not change once set'],
    ],
    [
      'the type may change to ExternalName, and what it does not need is dropped',
      {
        spec: {
          clusterIP: '10.0.0.201',
          type: 'NodePort',
          ports: [{ ...PORT, nodePort: 32_201 }],
        },
      },
      { spec: { type: 'ExternalName', externalName: 'example.com' } },
      [],
    ],
    [
      'an ExternalName service has a name only',
      { spec: EXTERNAL },
      { spec: { ipFamilyPolicy: 'SingleStack', clusterIP: '10.0.0.9' } },
      [
        'spec.clusterIPs: Forbidden: may not be set for ExternalName services',
        'spec.ipFamilyPolicy: Forbidden: may not be set for ExternalName services',
      ],
    ],
    [
      'the type may change from ExternalName, which frees the choice of an address',
      { spec: EXTERNAL },
      { spec: { type: 'ClusterIP', clusterIP: '10.0.0.202', ports: [PORT] } },
      [],
    ],
    [
      'a load balancer may become a ClusterIP service',
      { spec: { ...LOCAL, clusterIP: '10.0.0.203', loadBalancerClass: 'example.com/fast' } },
      { spec: { type: 'ClusterIP' } },
      [],
    ],
    [
      'a node port that was changed too is not dropped',
      {
        spec: { clusterIP: '10.0.0.204', type: 'NodePort', ports: [{ ...PORT, nodePort: 32_204 }] },
      },
      { spec: { type: 'ClusterIP', ports: [{ ...PORT, nodePort: 32_205 }] } },
      ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
    ],
    [
      'loadBalancerClass immutable',
      { spec: { ...WITH_ADDRESS, clusterIP: '10.0.0.205', type: 'LoadBalancer' } },
      { spec: { loadBalancerClass: 'example.com/slow' } },
      ['spec.loadBalancerClass: Invalid value: "example.com/slow": may not change once set'],
    ],
    [
      'healthCheckNodePort immutable',
      { spec: { ...LOCAL, clusterIP: '10.0.0.206', healthCheckNodePort: 32_206 } },
      { spec: { healthCheckNodePort: 32_207 } },
      ['spec.healthCheckNodePort: Forbidden: field is immutable'],
    ],
    [
      'families stay',
      { spec: { ...WITH_ADDRESS, clusterIP: '10.0.0.207' } },
      { spec: { clusterIP: undefined, clusterIPs: undefined, ipFamilies: ['IPv6'] } },
      [
        'spec.clusterIPs[0]: Invalid value: "10.0.0.207": expected an IPv6 value as indicated by `ipFamilies[0]`',
      ],
    ],
    [
      'the address may be left out',
      { spec: { ...WITH_ADDRESS, clusterIP: '10.0.0.208' } },
      { spec: { clusterIP: undefined, clusterIPs: undefined } },
      [],
    ],
  ],
};
