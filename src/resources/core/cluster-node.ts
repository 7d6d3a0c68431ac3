/** Node (API-FACTS 3.4, 7.6 and 14.2). */
import { deepEqual } from '../../base/deep-equal.ts';
import {
  duplicate,
  fieldForbidden,
  invalidPrinted,
  printStrings,
  type FieldError,
} from '../../semantics/field-error.ts';
import { parseIpRange } from '../../semantics/ip-address.ts';
import { defineKind, type ApiObject } from '../kind.ts';
import { NODE_PRINTER } from './node-printer.ts';
import { checkResourceAmount, type ResourceList } from './resource-names.ts';
import { checkTaints, type Taint } from './taints.ts';

interface NodeSpec {
  podCIDR?: string;
  podCIDRs?: string[];
  providerID?: string;
  unschedulable?: boolean;
  taints?: Taint[];
  configSource?: unknown;
  externalID?: string;
}

interface NodeAddress {
  type?: string;
  address?: string;
}

interface NodeStatus {
  capacity?: ResourceList;
  allocatable?: ResourceList;
  conditions?: { type?: string; status?: string }[];
  addresses?: NodeAddress[];
  nodeInfo?: {
    kernelVersion?: string;
    osImage?: string;
    containerRuntimeVersion?: string;
    kubeletVersion?: string;
  };
}

export interface ClusterNode extends ApiObject {
  spec?: NodeSpec;
  status?: NodeStatus;
}

const CIDRS = 'spec.podCIDRs';
const CIDR_FAMILIES_MAX = 2;

export const NODE = defineKind<ClusterNode>({
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  shortNames: ['no'],
  namespaced: false,
  message: 'core.v1.Node',
  nameRule: 'dnsSubdomain',
  // A node agent registers its node with what it is.
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

  /** Configuration by the cluster is no longer on. */
  prepareForCreate({ spec }) {
    delete spec?.configSource;
  },

  prepareForUpdate({ spec }, { spec: stored }) {
    if (stored?.configSource === undefined) delete spec?.configSource;
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

  validateUpdate: updateErrors,
  validateStatusUpdate: updateErrors,
});

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
    checkResourceAmount(name, amounts[name] ?? '0', `${path}.${name}`, errors);
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
      errors.push(invalidPrinted(field, printStrings(cidrs), 'must be a valid CIDR'));
    }
  });
  if (cidrs.length === 1) return;
  if (cidrs.length > CIDR_FAMILIES_MAX || families.size !== CIDR_FAMILIES_MAX) {
    const detail = 'may specify no more than one CIDR for each IP family';
    errors.push(invalidPrinted(CIDRS, printStrings(cidrs), detail));
  }
  cidrs.forEach((cidr, index) => {
    if (cidrs.indexOf(cidr) < index) errors.push(duplicate(`${CIDRS}[${index}]`, cidr));
  });
}

function updateErrors(
  { spec = {}, status = {} }: ClusterNode,
  { spec: stored = {} }: ClusterNode,
): FieldError[] {
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
