// The newest release treats some Endpoints otherwise.
import type { KindCases } from '../../support/kind-cases.ts';

const ADDRESSES = 'subsets[0].addresses';

function addresses(...ips: readonly string[]): { readonly subsets: readonly object[] } {
  return { subsets: [{ addresses: ips.map((ip) => ({ ip })) }] };
}

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'v1',
  kind: 'Endpoints',
  minimal: {},
  minimalStored: {},
  full: addresses('192.0.2.1', '2001:DB8::1'),
  invalid: [
    [
      'addresses are read strictly',
      addresses('192.0.2.01', '::ffff:192.0.2.1', 'a'),
      [
        `${ADDRESSES}[0].ip: Invalid value: "192.0.2.01": must not have leading 0s`,
        `${ADDRESSES}[1].ip: Invalid value: "::ffff:192.0.2.1": must not be an IPv4-mapped IPv6 address`,
        `${ADDRESSES}[2].ip: Invalid value: "a": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)`,
        `${ADDRESSES}[2].ip: Invalid value: "a": must be a valid IP address`,
      ],
    ],
  ],
};
