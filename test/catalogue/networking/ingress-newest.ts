// The newest release treats some Ingresses otherwise.
import type { KindCases } from '../../support/kind-cases.ts';

const BACKEND = { service: { name: 'web', port: { number: 80 } } };
const CLASS = 'cluster.io/ingress.class';

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'networking.cluster.io/v1',
  kind: 'Ingress',
  minimal: { spec: { defaultBackend: BACKEND } },
  minimalStored: { spec: { defaultBackend: BACKEND }, status: { loadBalancer: {} } },
  full: {
    metadata: { annotations: { [CLASS]: 'fast' } },
    spec: {
      ingressClassName: 'fast',
      defaultBackend: { service: { name: '1a', port: { number: 80 } } },
    },
  },
  fullStored: {
    spec: {
      ingressClassName: 'fast',
      defaultBackend: { service: { name: '1a', port: { number: 80 } } },
    },
    status: { loadBalancer: {} },
  },
  invalid: [
    [
      'something serves',
      { spec: { defaultBackend: undefined } },
      ['spec: Invalid value: null: either `defaultBackend` or `rules` must be specified'],
    ],
    [
      'both names of a class are one',
      { metadata: { annotations: { [CLASS]: 'slow' } }, spec: { ingressClassName: 'fast' } },
      [
        `annotations.${CLASS}: Invalid value: "slow": must match \`ingressClassName\` when both are specified`,
      ],
    ],
    [
      'resources have a kind and a name',
      { spec: { defaultBackend: { service: undefined, resource: {} } } },
      [
        'spec.defaultBackend.resource.kind: Required value',
        'spec.defaultBackend.resource.name: Required value',
      ],
    ],
  ],
  statusUpdates: [
    [
      'addresses of load balancers are read strictly',
      {},
      { status: { loadBalancer: { ingress: [{ ip: '010.0.0.1' }, { ip: 'a' }] } } },
      [
        'status.loadBalancer.ingress[0].ip: Invalid value: "010.0.0.1": must not have leading 0s',
        'status.loadBalancer.ingress[1].ip: Invalid value: "a": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      ],
    ],
  ],
};
