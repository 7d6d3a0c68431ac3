// The newest release treats some NetworkPolicies otherwise.
import type { Change, KindCases } from '../../support/kind-cases.ts';

const BLOCK = 'spec.ingress[0].from[0].ipBlock';
const fromBlock = (cidr: string, ...except: string[]): Change => ({
  spec: { ingress: [{ from: [{ ipBlock: { cidr, except } }] }] },
});
const NO_RANGE = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'networking.cluster.io/v1',
  kind: 'NetworkPolicy',
  minimal: { spec: {} },
  minimalStored: { spec: { podSelector: {}, policyTypes: ['Ingress'] } },
  full: fromBlock('10.0.0.0/8', '10.1.0.0/16'),
  fullStored: {
    spec: {
      podSelector: {},
      ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }] }],
      policyTypes: ['Ingress'],
    },
  },
  invalid: [
    ['ranges', fromBlock('a', 'b'), [`${BLOCK}.cidr: Invalid value: "a": ${NO_RANGE}`]],
    [
      'all exceptions are told',
      fromBlock('10.0.0.1/8', 'a', '11.0.0.0/16', '10.01.0.0/16'),
      [
        `${BLOCK}.cidr: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length`,
        `${BLOCK}.except[0]: Invalid value: "a": ${NO_RANGE}`,
        `${BLOCK}.except[1]: Invalid value: "11.0.0.0/16": must be a strict subset of \`cidr\``,
        `${BLOCK}.except[2]: Invalid value: "10.01.0.0/16": must not have leading 0s in IP or prefix length`,
      ],
    ],
  ],
};
