import type { Change, KindCases } from '../../support/kind-cases.ts';

const cidrs = (...list: readonly string[]): Change => ({ spec: { cidrs: list } });
const FAMILIES =
  'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'networking.cluster.io/v1',
  kind: 'ServiceCIDR',
  minimal: cidrs('192.168.0.0/24'),
  minimalStored: { ...cidrs('192.168.0.0/24'), status: {} },
  full: cidrs('192.168.0.0/24', '2001:db8::/64'),
  fullStored: { ...cidrs('192.168.0.0/24', '2001:db8::/64'), status: {} },
  invalid: [
    ['ranges: one at least', cidrs(), ['spec.cidrs: Required value: at least one CIDR required']],
    [
      'ranges: two at most',
      cidrs('a', 'b', 'c'),
      ['spec.cidrs: Invalid value: {"CIDRs":["a","b","c"]}: may only hold up to 2 values'],
    ],
    [
      'ranges: of two families',
      cidrs('192.168.0.0/24', '10.0.0.0/24'),
      [`spec.cidrs: Invalid value: ["192.168.0.0/24","10.0.0.0/24"]: ${FAMILIES}`],
    ],
    [
      'ranges: are some',
      cidrs('192.168.0.0'),
      [
        'spec.cidrs[0]: Invalid value: "192.168.0.0": ' +
          'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      ],
    ],
    [
      'ranges: have no zeros before them',
      cidrs('192.168.00.0/24'),
      [
        'spec.cidrs[0]: Invalid value: "192.168.00.0/24": ' +
          'must not have leading 0s in IP or prefix length',
      ],
    ],
    [
      'ranges: have no bits behind the prefix',
      cidrs('192.168.0.1/24'),
      [
        'spec.cidrs[0]: Invalid value: "192.168.0.1/24": ' +
          'must not have bits set beyond the prefix length',
      ],
    ],
    [
      'ranges: have their usual form',
      cidrs('2001:DB8::/64'),
      [
        'spec.cidrs[0]: Invalid value: "2001:DB8::/64": ' +
          'must be in canonical form ("2001:db8::/64")',
      ],
    ],
  ],
  updates: [
    ['ranges: may get the other family', {}, cidrs('192.168.0.0/24', '2001:db8::/64'), []],
    [
      'ranges: stay otherwise',
      {},
      cidrs('192.168.1.0/24'),
      ['spec.cidrs[0]: Invalid value: "192.168.1.0/24": field is immutable'],
    ],
    [
      'ranges: do not go',
      cidrs('192.168.0.0/24', '2001:db8::/64'),
      cidrs('192.168.0.0/24'),
      ['spec.cidrs: Invalid value: ["192.168.0.0/24"]: field is immutable'],
    ],
  ],
};
