import type { Change, KindCases } from '../../support/kind-cases.ts';

const SELECTOR = { matchLabels: { app: 'a' } };
const BLOCK = { cidr: '10.0.0.0/8', except: ['10.1.0.0/16', '10.2.0.0/16'] };
const BAD_SELECTOR = { matchExpressions: [{ key: 'a', operator: 'Is' }] };
const BAD_OPERATOR = 'Invalid value: "Is": not a valid selector operator';
const ingressOf = (rule: Change): Change => ({ spec: { ingress: [rule] } });
const fromBlock = (cidr: string, ...except: string[]): Change =>
  ingressOf({ from: [{ ipBlock: { cidr, except } }] });

export const CASES: KindCases = {
  apiVersion: 'networking.cluster.io/v1',
  kind: 'NetworkPolicy',
  minimal: { spec: {} },
  minimalStored: { spec: { podSelector: {}, policyTypes: ['Ingress'] } },
  full: {
    spec: {
      podSelector: {
        matchLabels: { app: 'a' },
        matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }],
      },
      ingress: [
        {
          ports: [{ protocol: 'UDP', port: 'dns' }, { port: 8000, endPort: 9000 }, {}],
          from: [
            { podSelector: SELECTOR, namespaceSelector: {} },
            { namespaceSelector: SELECTOR },
            { ipBlock: BLOCK },
          ],
        },
        {},
      ],
      egress: [{ ports: [{ protocol: 'SCTP' }], to: [{ ipBlock: { cidr: '2001:db8::/32' } }] }],
    },
  },
  fullStored: {
    spec: {
      podSelector: {
        matchLabels: { app: 'a' },
        matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }],
      },
      ingress: [
        {
          ports: [
            { protocol: 'UDP', port: 'dns' },
            { protocol: 'TCP', port: 8000, endPort: 9000 },
            { protocol: 'TCP' },
          ],
          from: [
            { podSelector: SELECTOR, namespaceSelector: {} },
            { namespaceSelector: SELECTOR },
            { ipBlock: BLOCK },
          ],
        },
        {},
      ],
      egress: [{ ports: [{ protocol: 'SCTP' }], to: [{ ipBlock: { cidr: '2001:db8::/32' } }] }],
      policyTypes: ['Ingress', 'Egress'],
    },
  },
  invalid: [
    [
      'selectors',
      {
        spec: {
          podSelector: BAD_SELECTOR,
          ingress: [{ from: [{ podSelector: BAD_SELECTOR }] }],
          egress: [{ to: [{ namespaceSelector: BAD_SELECTOR }] }],
        },
      },
      [
        `spec.podSelector.matchExpressions[0].operator: ${BAD_OPERATOR}`,
        `spec.ingress[0].from[0].podSelector.matchExpressions[0].operator: ${BAD_OPERATOR}`,
        `spec.egress[0].to[0].namespaceSelector.matchExpressions[0].operator: ${BAD_OPERATOR}`,
      ],
    ],
    [
      'protocols of ports',
      ingressOf({ ports: [{ protocol: 'IP' }] }),
      [
        'spec.ingress[0].ports[0].protocol: Unsupported value: "IP": supported values: "TCP", "UDP", "SCTP"',
      ],
    ],
    [
      'numbers and names of ports',
      ingressOf({ ports: [{ port: 0 }, { port: 70_000 }, { port: 'Web' }] }),
      [
        'spec.ingress[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
        'spec.ingress[0].ports[1].port: Invalid value: 70000: must be between 1 and 65535, inclusive',
        'spec.ingress[0].ports[2].port: Invalid value: "Web": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
      ],
    ],
    [
      'a range of ports has two numbers in order',
      {
        spec: {
          egress: [
            {
              ports: [
                { endPort: 1 },
                { port: 'web', endPort: 1 },
                { port: 80, endPort: 79 },
                { port: 80, endPort: 70_000 },
              ],
            },
          ],
        },
      },
      [
        'spec.egress[0].ports[0].endPort: Invalid value: 1: may not be specified when `port` is not specified',
        'spec.egress[0].ports[1].endPort: Invalid value: 1: may not be specified when `port` is non-numeric',
        'spec.egress[0].ports[2].endPort: Invalid value: 79: must be greater than or equal to `port`',
        'spec.egress[0].ports[3].endPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
      ],
    ],
    [
      'a peer is something',
      ingressOf({ from: [{}] }),
      ['spec.ingress[0].from[0]: Required value: must specify a peer'],
    ],
    [
      'a peer is a block or selected',
      ingressOf({ from: [{ podSelector: {}, ipBlock: BLOCK }] }),
      ['spec.ingress[0].from[0]: Forbidden: may not specify both ipBlock and another peer'],
    ],
    [
      'cidr required',
      ingressOf({ from: [{ ipBlock: {} }] }),
      ['spec.ingress[0].from[0].ipBlock.cidr: Required value'],
    ],
    [
      'a block is a range of addresses',
      fromBlock('10.0.0.0'),
      ['spec.ingress[0].from[0].ipBlock.cidr: Invalid value: "10.0.0.0": not a valid CIDR'],
    ],
    [
      'so are its exceptions',
      fromBlock('10.0.0.0/8', '10.0.0.0/33'),
      ['spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "10.0.0.0/33": not a valid CIDR'],
    ],
    [
      'exceptions are smaller than the block and in it',
      fromBlock('10.0.0.0/8', '11.0.0.0/16', '10.0.0.0/8', '2001:db8::/64'),
      [
        'spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`',
        'spec.ingress[0].from[0].ipBlock.except[1]: Invalid value: "10.0.0.0/8": must be a strict subset of `cidr`',
        'spec.ingress[0].from[0].ipBlock.except[2]: Invalid value: "2001:db8::/64": must be a strict subset of `cidr`',
      ],
    ],
    [
      'known types of policies',
      { spec: { policyTypes: ['Both'] } },
      ['spec.policyTypes[0]: Unsupported value: "Both": supported values: "Ingress", "Egress"'],
    ],
    [
      'at most two types',
      { spec: { policyTypes: ['Ingress', 'Egress', 'Both'] } },
      [
        'spec.policyTypes: Invalid value: []networking.PolicyType{"Ingress", "Egress", "Both"}: may not specify more than two policyTypes',
      ],
    ],
  ],
  updates: [['all of it may change', {}, { spec: { podSelector: SELECTOR, egress: [{}] } }, []]],
};
