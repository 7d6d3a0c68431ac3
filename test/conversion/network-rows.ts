/** Ingresses, policies and endpoints. */
import type { ConversionRow } from './conversion-row.ts';

const metadata = { name: 'a' };

const v1Paths = [
  {
    path: '/x',
    pathType: 'ImplementationSpecific',
    backend: { service: { name: 'b', port: { name: 'http' } } },
  },
];
const oldPaths = [{ path: '/x', backend: { serviceName: 'b', servicePort: 'http' } }];

export const NETWORK_ROWS: readonly ConversionRow[] = [
  ...['extensions/v1beta1', 'networking.cluster.io/v1beta1'].map((from): ConversionRow => ({
    name: 'backends',
    kind: 'Ingress',
    from,
    to: 'networking.cluster.io/v1',
    before: {
      metadata,
      spec: {
        backend: { serviceName: 'a', servicePort: 80 },
        rules: [{ host: 'h', http: { paths: oldPaths } }],
      },
    },
    after: {
      metadata,
      spec: {
        defaultBackend: { service: { name: 'a', port: { number: 80 } } },
        rules: [{ host: 'h', http: { paths: v1Paths } }],
      },
    },
    back: {
      metadata,
      spec: {
        backend: { serviceName: 'a', servicePort: 80 },
        rules: [
          {
            host: 'h',
            http: { paths: [{ ...oldPaths[0], pathType: 'ImplementationSpecific' }] },
          },
        ],
      },
    },
  })),
  {
    name: 'a backend without a port',
    kind: 'Ingress',
    from: 'networking.cluster.io/v1beta1',
    to: 'networking.cluster.io/v1',
    before: { metadata, spec: { backend: { serviceName: 'a' } } },
    after: { metadata, spec: { defaultBackend: { service: { name: 'a' } } } },
    problems: ['spec.defaultBackend.service.port is required'],
  },
  {
    name: 'nothing changes',
    kind: 'NetworkPolicy',
    from: 'extensions/v1beta1',
    to: 'networking.cluster.io/v1',
    before: { metadata, spec: { podSelector: {} } },
    after: { metadata, spec: { podSelector: {} } },
  },
  {
    name: 'node and zone have members of their own',
    kind: 'EndpointSlice',
    from: 'discovery.cluster.io/v1beta1',
    to: 'discovery.cluster.io/v1',
    before: {
      metadata,
      addressType: 'IPv4',
      endpoints: [
        {
          addresses: ['10.1.2.3'],
          nodeName: 'n',
          topology: { 'cluster.io/hostname': 'n', 'topology.cluster.io/zone': 'z' },
        },
      ],
    },
    after: {
      metadata,
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.1.2.3'], nodeName: 'n', zone: 'z' }],
    },
  },
  {
    name: 'the rest of the topology cannot be written',
    kind: 'EndpointSlice',
    from: 'discovery.cluster.io/v1beta1',
    to: 'discovery.cluster.io/v1',
    before: {
      metadata,
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.1.2.3'], topology: { rack: '7' } }],
    },
    after: { metadata, addressType: 'IPv4', endpoints: [{ addresses: ['10.1.2.3'] }] },
    back: 'after',
    problems: ['endpoints[0].deprecatedTopology cannot be written: rack'],
  },
];
