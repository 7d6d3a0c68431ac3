/** Node (README.md#nodes and src/semantics/README.md#field-selectors). */
import type { Node, NodeAddress, NodeSpec } from '#messages/core.v1';
import { deepEqual } from '../../../base/deep-equal.ts';
import { quoteText } from '../../../codec/json/strict-quote.ts';
import {
  duplicate,
  fieldForbidden,
  fieldInternalError,
  invalidPrinted,
  printStrings,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { parseIpRange } from '../../../semantics/validation/ip-address.ts';
import { defineKind } from '../../kind.ts';
import { NODE_PRINTER } from './node-printer.ts';
import { checkResourceAmount, type ResourceList } from '../resource-names.ts';
import { checkTaints } from './taints.ts';

const CIDRS = 'spec.podCIDRs';
const CIDR_FAMILIES_MAX = 2;

export const NODE = defineKind<Node>({
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  shortNames: ['no'],
  namespaced: false,
  message: 'core.v1.Node',
  nameRule: 'dnsSubdomain',
  // A node agent registers its node together with its status.
  statusSubresource: { metadataWritable: true, keptOnCreate: true },
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  checksFinalizerNames: true,
  selectableFields: {
    'spec.unschedulable': ({ spec }) => String(spec?.unschedulable ?? false),
  },
  operations: ['proxy'],
  printer: NODE_PRINTER,

  applyDefaults({ spec, status }) {
    if (spec !== undefined) alignCidrs(spec);
    if (status?.capacity !== undefined) status.allocatable ??= { ...status.capacity };
  },

  /** Drops the members of dynamic configuration by the cluster. */
  dropDisabled({ spec, status }, gates, stored) {
    if (gates.has('DynamicKubeletConfig')) return;
    if (stored?.spec?.configSource === undefined) delete spec?.configSource;
    if (stored?.status?.config === undefined) delete status?.config;
  },

  validate({ spec = {}, status = {} }) {
    const errors: FieldError[] = [];
    // The reference shows taints as if they were metadata.
    checkTaints(spec.taints ?? [], 'metadata.taints', errors);
    checkAmounts(status.capacity, 'status.capacity', errors);
    checkAmounts(status.allocatable, 'status.allocatable', errors);
    checkCidrs(spec.podCIDRs ?? [], errors);
    return errors;
  },

  createWarnings: configWarnings,
  updateWarnings: configWarnings,
  validateUpdate: updateErrors,
  validateStatusUpdate: updateErrors,
});

function configWarnings({ spec }: Node): string[] {
  if (spec?.configSource === undefined) return [];
  return ['spec.configSource: deprecated in v1.22, support removal is planned in v1.23'];
}

/** The one range is the first of the ranges. */
function alignCidrs(spec: NodeSpec): void {
  const { podCIDR = '', podCIDRs = [] } = spec;
  const [first = ''] = podCIDRs;
  if (podCIDR === first) return;
  if (podCIDR === '') spec.podCIDR = first;
  else spec.podCIDRs = [podCIDR];
}

function checkAmounts(amounts: ResourceList | undefined, path: string, errors: FieldError[]): void {
  for (const name in amounts) {
    const field = name === '' ? `${path}[]` : `${path}.${name}`;
    checkResourceAmount(name, amounts[name] ?? '0', field, errors);
  }
}

function checkCidrs(cidrs: readonly string[], errors: FieldError[]): void {
  if (cidrs.length === 0) return;
  const families = new Set<string>();
  cidrs.forEach((cidr, index) => {
    const range = parseIpRange(cidr);
    if (range !== undefined) families.add(range.family);
    else {
      const field = `${CIDRS}[${index}]`;
      errors.push(invalidPrinted(field, printStrings(cidrs), 'must be valid CIDR'));
    }
  });
  if (cidrs.length === 1) return;
  const wrong = cidrs.find((cidr) => parseIpRange(cidr) === undefined);
  if (wrong !== undefined) {
    const problem =
      'invalid PodCIDRs. failed to check with dual stack with error:failed to parse cidr value:' +
      `${quoteText(wrong)} with error:invalid CIDR address: ${wrong}`;
    errors.push(fieldInternalError(CIDRS, problem));
  }
  const isDualStack = wrong === undefined && families.size === CIDR_FAMILIES_MAX;
  if (!isDualStack || cidrs.length > CIDR_FAMILIES_MAX) {
    const detail = 'may specify no more than one CIDR for each IP family';
    errors.push(invalidPrinted(CIDRS, printStrings(cidrs), detail));
  }
  cidrs.forEach((cidr, index) => {
    if (cidrs.indexOf(cidr) < index) errors.push(duplicate(`${CIDRS}[${index}]`, cidr));
  });
}

function updateErrors({ spec = {}, status = {} }: Node, { spec: stored = {} }: Node): FieldError[] {
  const errors: FieldError[] = [];
  checkAddresses(status.addresses ?? [], errors);
  const { podCIDRs: ranges = [], providerID: provider = '', externalID: external = '' } = stored;
  const { podCIDRs: nowRanges = [], providerID: nowProvider = '', externalID = '' } = spec;
  if (ranges.length > 0 && !deepEqual(nowRanges, ranges)) {
    const detail = 'node updates may not change podCIDR except from "" to valid';
    errors.push(fieldForbidden(CIDRS, detail));
  }
  if (provider !== '' && provider !== nowProvider) {
    const detail = 'node updates may not change providerID except from "" to valid';
    errors.push(fieldForbidden('spec.providerID', detail));
  }
  if (external !== externalID) {
    errors.push(fieldForbidden('spec.externalID', 'may not be updated'));
  }
  return errors;
}

function checkAddresses(addresses: readonly NodeAddress[], errors: FieldError[]): void {
  const seen = new Set<string>();
  addresses.forEach((entry, index) => {
    const { type = '', address = '' } = entry;
    const identity = `${type} ${address}`;
    if (seen.has(identity)) errors.push(duplicate(`status.addresses[${index}]`, entry));
    seen.add(identity);
  });
}
