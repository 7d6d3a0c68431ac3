/** ClusterCIDR (README.md#networking). */
import type { ClusterCIDR } from '#messages/networking.v1alpha1';
import type { NodeSelector, NodeSelectorRequirement } from '#messages/core.v1';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import { invalid, required, type FieldError } from '../../semantics/errors/field-error.ts';
import { parseIpRange, type IpFamily } from '../../semantics/validation/ip-address.ts';
import { checkNodeSelector } from '../core/nodes/node-selector.ts';
import { defineKind } from '../kind.ts';
import { AGE, NAME, NONE, orNone } from '../printer-cells.ts';
import { definePrinter, text, wide } from '../printer.ts';

const HOST_BITS_MIN = 4;

export const CLUSTER_CIDR = defineKind<ClusterCIDR>({
  group: ownGroup('networking.cluster.io'),
  version: 'v1alpha1',
  kind: 'ClusterCIDR',
  plural: 'clustercidrs',
  shortNames: ['cc'],
  namespaced: false,
  message: 'networking.v1alpha1.ClusterCIDR',
  nameRule: 'dnsLabel',
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  checksFinalizerNames: true,
  // prettier-ignore
  printer: definePrinter([
    NAME,
    text('PerNodeHostBits', 'How many bits of an address each node has.', 'spec.perNodeHostBits',
      (bits = 0) => String(bits)),
    text('IPv4', 'The range of IPv4.', 'spec.ipv4', orNone),
    text('IPv6', 'The range of IPv6.', 'spec.ipv6', orNone),
    AGE,
    wide('NodeSelector', 'The nodes that have addresses of it.', 'spec.nodeSelector', selectorText),
  ]),

  validate({ spec = {} }) {
    const errors: FieldError[] = [];
    const { nodeSelector, perNodeHostBits = 0, ipv4 = '', ipv6 = '' } = spec;
    if (nodeSelector !== undefined) checkNodeSelector(nodeSelector, 'spec.nodeSelector', errors);
    if (ipv4 === '' && ipv6 === '') {
      errors.push(required('spec', 'one or both of `ipv4` and `ipv6` must be specified'));
    }
    if (ipv4 !== '') checkRange(ipv4, perNodeHostBits, 'IPv4', errors);
    if (ipv6 !== '') checkRange(ipv6, perNodeHostBits, 'IPv6', errors);
    return errors;
  },
});

function checkRange(cidr: string, hostBits: number, family: IpFamily, errors: FieldError[]): void {
  const range = parseIpRange(cidr);
  const field = `spec.${family}`;
  if (range === undefined) {
    errors.push(invalid(field, cidr, `must be a valid CIDR: ${cidr}`));
    return;
  }
  if (range.family !== family) errors.push(invalid(field, cidr, `must be a valid ${family} CIDR`));
  const bitsMax = (family === 'IPv4' ? 32 : 128) - range.prefixLength;
  const refuse = (detail: string): void => {
    errors.push(invalid('spec.perNodeHostBits', hostBits, detail));
  };
  if (hostBits < HOST_BITS_MIN) refuse(`must be greater than or equal to ${HOST_BITS_MIN}`);
  if (hostBits > bitsMax) refuse(`must be less than or equal to ${bitsMax}`);
}

function selectorText(selector?: NodeSelector): string {
  if (selector === undefined) return NONE;
  const terms = (selector.nodeSelectorTerms ?? []).flatMap(
    ({ matchExpressions = [], matchFields = [] }) => [
      ...(matchExpressions.length > 0 ? [`MatchExpressions: ${printed(matchExpressions)}`] : []),
      ...(matchFields.length > 0 ? [`MatchFields: ${printed(matchFields)}`] : []),
    ],
  );
  return terms.join(',');
}

/** As the reference prints them. */
function printed(requirements: readonly NodeSelectorRequirement[]): string {
  const texts = requirements.map(
    ({ key = '', operator = '', values = [] }) => `{${key} ${operator} [${values.join(' ')}]}`,
  );
  return `[${texts.join(' ')}]`;
}
