// The newest release treats some Services otherwise.
import type { KindCases } from '../../support/kind-cases.ts';

const PORT = { port: 80, protocol: 'TCP', targetPort: 80 };
const WITH_ADDRESS = { clusterIP: undefined, ports: [PORT] };
const BALANCED = { ...WITH_ADDRESS, type: 'LoadBalancer' };
const RANGES = 'spec.LoadBalancerSourceRanges';
const RANGES_ANNOTATION = 'service.beta.cluster.io/load-balancer-source-ranges';
const HINTS = 'service.cluster.io/topology-aware-hints';
const MODE = 'service.cluster.io/topology-mode';
const ZEROS = 'Invalid value: "010.0.0.1": must not have leading 0s';
const NO_ADDRESS =
  'Invalid value: "a": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const NO_RANGE =
  'Invalid value: "a": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
const INGRESS = 'status.loadBalancer.ingress';

function ingress(...points: readonly object[]): { readonly status: object } {
  return { status: { loadBalancer: { ingress: points } } };
}

const FULL_SPEC = {
  ports: [{ ...PORT, name: 'http', appProtocol: 'example.com/http' }],
  selector: { app: 'a' },
  type: 'ClusterIP',
  clusterIP: '10.0.0.201',
  clusterIPs: ['10.0.0.201'],
  externalIPs: ['203.0.113.7'],
  externalTrafficPolicy: 'Local',
  sessionAffinity: 'None',
  ipFamilies: ['IPv4'],
  ipFamilyPolicy: 'SingleStack',
  internalTrafficPolicy: 'Local',
  trafficDistribution: 'PreferSameNode',
};

export const CASES: KindCases = {
  release: 37,
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
  full: {
    metadata: { annotations: { [HINTS]: 'auto', [MODE]: 'auto' } },
    spec: FULL_SPEC,
  },
  fullStored: {
    spec: FULL_SPEC,
    status: { loadBalancer: {} },
  },
  invalid: [
    ['a name may begin with a digit', { metadata: { name: '1a' } }, []],
    [
      'both annotations of the topology say the same',
      { metadata: { annotations: { [HINTS]: 'a', [MODE]: 'b' } } },
      [
        `metadata.annotations[${MODE}]: Invalid value: "b": must match annotations[${HINTS}] when both are specified`,
      ],
    ],
    [
      'a load balancer may expose any port, in several protocols',
      {
        spec: {
          ...BALANCED,
          ports: [
            { name: 'a', port: 10_250 },
            { name: 'b', port: 80, protocol: 'UDP' },
          ],
        },
      },
      [],
    ],
    [
      'a port is there once',
      {
        spec: {
          ports: [
            { name: 'a', port: 80 },
            { name: 'b', port: 80 },
          ],
        },
      },
      [
        'spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}',
      ],
    ],
    [
      'external addresses are read strictly',
      { spec: { ...WITH_ADDRESS, externalIPs: ['010.0.0.1', '::ffff:1.2.3.4', 'a', '127.0.0.1'] } },
      [
        `spec.externalIPs[0]: ${ZEROS}`,
        'spec.externalIPs[1]: Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address',
        `spec.externalIPs[2]: ${NO_ADDRESS}`,
        'spec.externalIPs[3]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
      ],
    ],
    [
      'so are those of the cluster',
      { spec: { ...WITH_ADDRESS, clusterIP: '010.0.0.1' } },
      [`spec.clusterIPs[0]: ${ZEROS}`],
    ],
    [
      'ranges are told one by one',
      { spec: { ...BALANCED, loadBalancerSourceRanges: [' 10.0.0.0/8 ', '10.0.0.1/8', 'a'] } },
      [
        `${RANGES}[1]: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length`,
        `${RANGES}[2]: ${NO_RANGE}`,
      ],
    ],
    [
      'those of the annotation, too',
      { metadata: { annotations: { [RANGES_ANNOTATION]: ' 10.0.0.0/8, a ' } }, spec: BALANCED },
      [`metadata.annotations[${RANGES_ANNOTATION}]: ${NO_RANGE}`],
    ],
    [
      'an external policy needs some way in',
      { spec: { ...WITH_ADDRESS, externalTrafficPolicy: 'Local' } },
      [
        'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
      ],
    ],
    [
      'what traffic prefers',
      { spec: { trafficDistribution: 'PreferNone' } },
      [
        'spec.trafficDistribution: Unsupported value: "PreferNone": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"',
      ],
    ],
  ],
  statusUpdates: [
    [
      'only load balancers have addresses',
      {},
      ingress({ ip: '203.0.113.7' }),
      [`${INGRESS}: Forbidden: may only be used when \`spec.type\` is 'LoadBalancer'`],
    ],
    [
      'addresses of load balancers take in traffic in one of two ways',
      { spec: BALANCED },
      ingress(
        { ip: '010.0.0.1' },
        { ip: '203.0.113.7', ipMode: 'Tunnel' },
        { hostname: 'example.com', ipMode: 'VIP' },
        { ip: '203.0.113.8', ipMode: 'Proxy' },
      ),
      [
        `${INGRESS}[0].ip: ${ZEROS}`,
        `${INGRESS}[1].ipMode: Unsupported value: "Tunnel": supported values: "Proxy", "VIP"`,
        `${INGRESS}[2].ipMode: Forbidden: may not be specified when \`ip\` is not set`,
      ],
    ],
  ],
};
