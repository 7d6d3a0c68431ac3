/** Node (README.md#nodes and src/semantics/README.md#field-selectors). */
import type { Node, NodeAddress, NodeSpec, NodeStatus } from '#messages/core.v1';
import { deepEqual } from '../../../base/deep-equal.ts';
import { quoteText } from '../../../codec/json/strict-quote.ts';
import type { FeatureGates } from '../../../release/feature-gates.ts';
import { ownRelease } from '../../../release/release.ts';
import {
  addProblems,
  duplicate,
  duplicatePart,
  fieldForbidden,
  fieldInternalError,
  invalid,
  invalidPrinted,
  printStrings,
  tooMany,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { qualifiedName } from '../../../semantics/metadata/names.ts';
import { ipRangeWarnings } from '../../../semantics/validation/address-warnings.ts';
import { parseIpRange } from '../../../semantics/validation/ip-address.ts';
import { addressRules, checkIpRange } from '../../../semantics/validation/network-validation.ts';
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

  /** Drops what features need that are off, and the members of dynamic configuration. */
  dropDisabled({ spec, status }, gates, stored) {
    if (!gates.has('RecursiveReadOnlyMounts') && !gates.has('UserNamespacesSupport')) {
      delete status?.runtimeHandlers;
    }
    if (gates.has('DynamicKubeletConfig')) return;
    if (stored?.spec?.configSource === undefined) delete spec?.configSource;
    if (stored?.status?.config === undefined) delete status?.config;
  },

  validate({ spec = {}, status = {} }, stored, { gates, part }) {
    const errors: FieldError[] = [];
    // The reference shows taints as if they were metadata.
    checkTaints(spec.taints ?? [], 'metadata.taints', errors);
    checkAmounts(status.capacity, 'status.capacity', errors);
    checkAmounts(status.allocatable, 'status.allocatable', errors);
    if (part !== 'status') checkSwap(status, errors);
    checkFeatures(status.declaredFeatures ?? [], errors);
    checkCidrs(spec.podCIDRs ?? [], gates, errors);
    const owners = spec.podPreemptionPolicy?.disableResizePreemption ?? [];
    const before = stored?.spec?.podPreemptionPolicy?.disableResizePreemption;
    if (!deepEqual(owners, before)) checkOwners(owners, errors);
    return errors;
  },

  createWarnings: nodeWarnings,
  updateWarnings: nodeWarnings,
  validateUpdate: updateErrors,
  validateStatusUpdate: updateErrors,
});

function nodeWarnings({ spec = {} }: Node): string[] {
  const release = ownRelease();
  return [
    ...(spec.configSource === undefined ? [] : [`spec.configSource: ${configText()}`]),
    ...(spec.externalID && release.has('warnedExternalIds')
      ? ['spec.externalID: this field is deprecated, and is unused by Kubernetes']
      : []),
    ...(spec.podCIDRs ?? []).flatMap((range, index) =>
      ipRangeWarnings(range, `${CIDRS}[${index}]`),
    ),
  ];
}

function configText(): string {
  return ownRelease().has('removedNodeConfigs')
    ? 'the feature is removed'
    : 'deprecated in v1.22, support removal is planned in v1.23';
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

/** Swap is told about as if it were metadata. */
function checkSwap({ nodeInfo }: NodeStatus, errors: FieldError[]): void {
  const capacity = nodeInfo?.swap?.capacity;
  if (capacity === undefined || capacity > 0) return;
  errors.push(invalid('metadata.nodeSwapStatus.capacity', capacity, 'must be greater than zero'));
}

const FEATURE = /^[A-Z][a-zA-Z0-9]*(?:\/[a-zA-Z][a-zA-Z0-9]*)*$/;
const FEATURE_BYTES_MAX = 253;

/** Checks the features that a node declares, in order. */
function checkFeatures(features: readonly string[], errors: FieldError[]): void {
  features.forEach((feature, index) => {
    const field = `status.declaredFeatures[${index}]`;
    const problem = featureProblem(feature);
    if (problem !== '') {
      errors.push(
        invalid(field, feature, `invalid feature name ${quoteText(feature)}: ${problem}`),
      );
    }
    const before = features[index - 1];
    if (before === undefined) return;
    if (before === feature) errors.push(duplicate(field, feature));
    else if (before > feature) {
      errors.push(invalid(field, feature, 'list must be sorted alphabetically'));
    }
  });
}

function featureProblem(feature: string): string {
  if (Buffer.byteLength(feature) > FEATURE_BYTES_MAX) {
    return `must be no more than ${FEATURE_BYTES_MAX} characters`;
  }
  return FEATURE.test(feature)
    ? ''
    : "must start with an UpperCamelCase segment, with subsequent segments separated by '/' " +
        '(e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters ' +
        'and slashes';
}

const OWNERS = 'spec.podPreemptionPolicy.disableResizePreemption';
const OWNERS_MAX = 20;

/** Who does not want that pods are driven out for one that grows. */
function checkOwners(owners: readonly string[], errors: FieldError[]): void {
  if (owners.length > OWNERS_MAX) {
    errors.push(tooMany(OWNERS, owners.length, OWNERS_MAX));
    return;
  }
  owners.forEach((owner, index) => {
    const field = `${OWNERS}[${index}]`;
    addProblems(qualifiedName(owner), field, owner, errors);
    if (owners.indexOf(owner) < index) errors.push(duplicate(field, owner));
  });
}

function checkCidrs(cidrs: readonly string[], gates: FeatureGates, errors: FieldError[]): void {
  if (cidrs.length === 0) return;
  const release = ownRelease();
  const families = new Set<string>();
  cidrs.forEach((cidr, index) => {
    const range = parseIpRange(cidr);
    if (range !== undefined) families.add(range.family);
    const field = `${CIDRS}[${index}]`;
    if (release.has('addressesOneByOne')) checkIpRange(cidr, field, errors, addressRules(gates));
    else if (range === undefined) {
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
  if (release.has('familiesAlone')) return;
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
    errors.push(changedProvider(nowProvider));
  }
  if (external !== externalID) {
    errors.push(fieldForbidden('spec.externalID', 'may not be updated'));
  }
  return errors;
}

function changedProvider(now: string): FieldError {
  const field = 'spec.providerID';
  if (ownRelease().has('declaredRules')) {
    const what = now === '' ? 'cleared' : 'modified';
    return invalid(field, undefined, `field cannot be ${what} once set`);
  }
  const detail = 'node updates may not change providerID except from "" to valid';
  return fieldForbidden(field, detail);
}

function checkAddresses(addresses: readonly NodeAddress[], errors: FieldError[]): void {
  const seen = new Set<string>();
  addresses.forEach((entry, index) => {
    const { type = '', address = '' } = entry;
    const identity = `${type} ${address}`;
    if (seen.has(identity)) errors.push(duplicatePart(`status.addresses[${index}]`, entry));
    seen.add(identity);
  });
}
