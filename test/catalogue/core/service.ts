import type { KindCases } from '../../support/kind-cases.ts';

const LABEL_HINT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const DNS_1035_HINT =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const LOAD_BALANCER_ONLY = "Forbidden: may only be used when `type` is 'LoadBalancer'";
const NOT_EXTERNAL = 'Forbidden: may not be set for ExternalName services';
const RANGES_ANNOTATION = 'service.beta.cluster.io/load-balancer-source-ranges';

/** With an address, unlike the minimal one. */
const PORT = { port: 80, protocol: 'TCP', targetPort: 80 };
const WITH_ADDRESS = { clusterIP: undefined, ports: [PORT] };
const EXTERNAL = { clusterIP: undefined, type: 'ExternalName', externalName: 'example.com' };

const FULL_SPEC = {
  ports: [
    {
      name: 'http',
      protocol: 'TCP',
      appProtocol: 'example.com/http',
      port: 80,
      targetPort: 'web',
      nodePort: 32_101,
    },
    { name: 'https', protocol: 'TCP', port: 443, targetPort: 8443, nodePort: 32_102 },
  ],
  selector: { app: 'a', tier: 'front' },
  clusterIP: '10.0.0.200',
  clusterIPs: ['10.0.0.200'],
  type: 'LoadBalancer',
  externalIPs: ['203.0.113.7', '2001:db8::7'],
  sessionAffinity: 'ClientIP',
  loadBalancerIP: '203.0.113.8',
  loadBalancerSourceRanges: ['198.51.100.0/24'],
  externalName: 'ignored',
  externalTrafficPolicy: 'Local',
  healthCheckNodePort: 32_103,
  publishNotReadyAddresses: true,
  sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } },
  ipFamilies: ['IPv4'],
  ipFamilyPolicy: 'PreferDualStack',
  allocateLoadBalancerNodePorts: false,
  loadBalancerClass: 'example.com/fast',
  internalTrafficPolicy: 'Local',
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
  full: {
    spec: FULL_SPEC,
  },
  fullStored: {
    spec: FULL_SPEC,
    status: { loadBalancer: {} },
  },
  invalid: [
    [
      'DNS-1035 name',
      { metadata: { name: '1a' } },
      [`metadata.name: Invalid value: "1a": ${DNS_1035_HINT}`],
    ],
    ['ports required', { spec: { clusterIP: undefined } }, ['spec.ports: Required value']],
    [
      'type',
      { spec: { type: 'Internal' } },
      [
        'spec.type: Unsupported value: "Internal": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
      ],
    ],
    [
      'no headless NodePort service',
      { spec: { type: 'NodePort', ports: [PORT] } },
      [`spec.clusterIPs[0]: Invalid value: "None": may not be set to 'None' for NodePort services`],
    ],
    [
      'a node agent port is not exposed by a load balancer',
      { spec: { ...WITH_ADDRESS, type: 'LoadBalancer', ports: [{ port: 10_250 }] } },
      [
        'spec.ports[0]: Invalid value: 10250: may not expose port 10250 externally since it is used by kubelet',
      ],
    ],
    [
      'ExternalName needs a name and has no addresses',
      {
        spec: {
          type: 'ExternalName',
          clusterIP: '10.0.0.9',
          ipFamilies: ['IPv4'],
          ipFamilyPolicy: 'SingleStack',
        },
      },
      [
        `spec.clusterIPs: ${NOT_EXTERNAL}`,
        `spec.ipFamilies: ${NOT_EXTERNAL}`,
        `spec.ipFamilyPolicy: ${NOT_EXTERNAL}`,
        'spec.externalName: Required value',
      ],
    ],
    [
      'an external name is a DNS name',
      { spec: { ...EXTERNAL, externalName: '-.' } },
      [
        `spec.externalName: Invalid value: "-": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
    ],
    [
      'port names required when there are several, and unique',
      { spec: { ports: [{ port: 1 }, { port: 2, name: 'a' }, { port: 3, name: 'a' }] } },
      ['spec.ports[0].name: Required value', 'spec.ports[2].name: Duplicate value: "a"'],
    ],
    [
      'members of a port',
      { spec: { ports: [{ name: 'A', protocol: 'tcp', appProtocol: '', targetPort: '--' }] } },
      [
        `spec.ports[0].name: Invalid value: "A": ${LABEL_HINT}`,
        'spec.ports[0].protocol: Unsupported value: "tcp": supported values: "SCTP", "TCP", "UDP"',
        'spec.ports[0].appProtocol: Invalid value: "": name part must be non-empty',
        `spec.ports[0].appProtocol: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
        'spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
        'spec.ports[0].targetPort: Invalid value: "--": must contain at least one letter or number (a-z, 0-9)',
        'spec.ports[0].targetPort: Invalid value: "--": must not contain consecutive hyphens',
        'spec.ports[0].targetPort: Invalid value: "--": must not begin or end with a hyphen',
      ],
    ],
    [
      'a port name has at most 15 characters',
      { spec: { ports: [{ port: 1, targetPort: 'sixteen-letters-' }] } },
      [
        'spec.ports[0].targetPort: Invalid value: "sixteen-letters-": must be no more than 15 characters',
        'spec.ports[0].targetPort: Invalid value: "sixteen-letters-": must not begin or end with a hyphen',
      ],
    ],
    [
      'selector labels',
      { spec: { selector: { app: '-' } } },
      [
        `spec.selector: Invalid value: "-": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
      ],
    ],
    [
      'sessionAffinity',
      { spec: { sessionAffinity: 'Cookie' } },
      ['spec.sessionAffinity: Unsupported value: "Cookie": supported values: "ClientIP", "None"'],
    ],
    [
      'seconds of ClientIP affinity',
      {
        spec: {
          sessionAffinity: 'ClientIP',
          sessionAffinityConfig: { clientIP: { timeoutSeconds: 86_401 } },
        },
      },
      [
        'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400',
      ],
    ],
    [
      'external addresses',
      { spec: { externalIPs: ['x', '0.0.0.0', '127.0.0.1', '169.254.0.1', 'ff02::1'] } },
      [
        'spec.externalIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'spec.externalIPs[1]: Invalid value: "0.0.0.0": may not be unspecified (0.0.0.0)',
        'spec.externalIPs[2]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
        'spec.externalIPs[3]: Invalid value: "169.254.0.1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
        'spec.externalIPs[4]: Invalid value: "ff02::1": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
      ],
    ],
    [
      'no node ports on a ClusterIP service',
      { spec: { ports: [{ ...PORT, nodePort: 32_002 }] } },
      ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
    ],
    [
      'no node port and no port twice',
      {
        spec: {
          clusterIP: undefined,
          type: 'NodePort',
          ports: [
            { name: 'a', ...PORT, nodePort: 32_002 },
            { name: 'b', ...PORT, nodePort: 32_002 },
          ],
        },
      },
      [
        'spec.ports[1].nodePort: Duplicate value: 32002',
        'spec.ports[1]: Duplicate value: core.ServicePort{Name:"", Protocol:"TCP", AppProtocol:(*string)(nil), Port:80, TargetPort:intstr.IntOrString{Type:0, IntVal:0, StrVal:""}, NodePort:0}',
      ],
    ],
    [
      'one protocol for a load balancer',
      {
        spec: {
          clusterIP: undefined,
          type: 'LoadBalancer',
          ports: [
            { name: 'a', port: 80 },
            { name: 'b', port: 80, protocol: 'UDP', targetPort: 'web' },
          ],
        },
      },
      [
        'spec.ports: Invalid value: []core.ServicePort{core.ServicePort{Name:"a", Protocol:"TCP", AppProtocol:(*string)(nil), Port:80, TargetPort:intstr.IntOrString{Type:0, IntVal:80, StrVal:""}, NodePort:0}, core.ServicePort{Name:"b", Protocol:"UDP", AppProtocol:(*string)(nil), Port:80, TargetPort:intstr.IntOrString{Type:1, IntVal:0, StrVal:"web"}, NodePort:0}}: may not contain more than 1 protocol when type is \'LoadBalancer\'',
      ],
    ],
    [
      'source ranges of load balancers only, and only ranges',
      { spec: { loadBalancerSourceRanges: ['10.0.0.0/8', 'x'] } },
      [
        `spec.LoadBalancerSourceRanges: ${LOAD_BALANCER_ONLY}`,
        'spec.LoadBalancerSourceRanges: Invalid value: "[10.0.0.0/8 x]": must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 ',
      ],
    ],
    [
      'the same in the annotation',
      { metadata: { annotations: { [RANGES_ANNOTATION]: '10.0.0.0/8, 10.0.0.0' } } },
      [
        `metadata.annotations[${RANGES_ANNOTATION}]: ${LOAD_BALANCER_ONLY}`,
        `metadata.annotations[${RANGES_ANNOTATION}]: Invalid value: "10.0.0.0/8, 10.0.0.0": must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 `,
      ],
    ],
    [
      'traffic policies',
      {
        spec: {
          ...WITH_ADDRESS,
          type: 'NodePort',
          externalTrafficPolicy: 'Near',
          internalTrafficPolicy: 'Near',
        },
      },
      [
        'spec.internalTrafficPolicy: Unsupported value: "Near": supported values: "Cluster", "Local"',
        'spec.externalTrafficPolicy: Unsupported value: "Near": supported values: "Cluster", "Local"',
      ],
    ],
    [
      'members of services that are reached from outside',
      { spec: { externalTrafficPolicy: 'Local', healthCheckNodePort: -1 } },
      [
        `spec.externalTrafficPolicy: Invalid value: "Local": may only be set when \`type\` is 'NodePort' or 'LoadBalancer'`,
        `spec.healthCheckNodePort: Invalid value: -1: may only be set when \`type\` is 'LoadBalancer' and \`externalTrafficPolicy\` is 'Local'`,
      ],
    ],
    [
      'members of load balancers',
      { spec: { allocateLoadBalancerNodePorts: true, loadBalancerClass: 'a' } },
      [
        `spec.allocateLoadBalancerNodePorts: ${LOAD_BALANCER_ONLY}`,
        `spec.loadBalancerClass: ${LOAD_BALANCER_ONLY}`,
      ],
    ],
    [
      'a load balancer class is a qualified name',
      { spec: { ...WITH_ADDRESS, type: 'LoadBalancer', loadBalancerClass: 'a/b/c' } },
      [
        `spec.loadBalancerClass: Invalid value: "a/b/c": a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
      ],
    ],
  ],
  statusUpdates: [
    [
      'addresses and names of load balancers',
      {},
      {
        status: {
          loadBalancer: { ingress: [{ ip: '203.0.113.8' }, { hostname: 'a.example.com' }] },
        },
      },
      [],
    ],
    [
      'an address is an address, a name is a name',
      {},
      { status: { loadBalancer: { ingress: [{ ip: 'x', hostname: '10.0.0.1' }] } } },
      [
        'status.loadBalancer.ingress[0].ip: Invalid value: "x": must be a valid IP address',
        'status.loadBalancer.ingress[0].hostname: Invalid value: "10.0.0.1": must be a DNS name, not an IP address',
      ],
    ],
  ],
};
