import type { Change, KindCases } from '../../support/kind-cases.ts';

const cidrs = (...list: readonly string[]): Change => ({ spec: { cidrs: list } });
const told = (...list: readonly string[]): string =>
  `spec.cidrs: Invalid value: networking.ServiceCIDRSpec{CIDRs:[]string{` +
  `${list.map((cidr) => JSON.stringify(cidr)).join(', ')}}}: may specify no more than one IP ` +
  'for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';

export const CASES: KindCases = {
  release: 30,
  apiVersion: 'networking.cluster.io/v1alpha1',
  kind: 'ServiceCIDR',
  minimal: cidrs('192.168.0.0/24'),
  minimalStored: { ...cidrs('192.168.0.0/24'), status: {} },
  full: cidrs('192.168.0.0/24', '2001:db8::/64'),
  fullStored: { ...cidrs('192.168.0.0/24', '2001:db8::/64'), status: {} },
  invalid: [
    ['ranges: two that are none', cidrs('a', ''), [told('a', '')]],
    ['ranges: one that is none', cidrs('10.0.0.0/8', 'b'), [told('10.0.0.0/8', 'b')]],
    [
      'ranges: of one family',
      cidrs('10.0.0.0/8', '11.0.0.0/8'),
      [told('10.0.0.0/8', '11.0.0.0/8')],
    ],
  ],
  updates: [],
  statusUpdates: [],
};
