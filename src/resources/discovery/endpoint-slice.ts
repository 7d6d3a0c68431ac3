/** EndpointSlice (README.md#endpoint-slices). */
import type { Endpoint, EndpointSlice } from '#messages/discovery.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';
import { ownRelease } from '../../release/release.ts';
import { ownDomain, ownGroup, ownName } from '../../semantics/dialect/own-names.ts';
import {
  addJoinedProblems,
  addProblems,
  duplicate,
  invalid,
  required,
  tooMany,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { ipWarnings } from '../../semantics/validation/address-warnings.ts';
import { parseIp, type IpFamily } from '../../semantics/validation/ip-address.ts';
import { checkLabels } from '../../semantics/metadata/label-validation.ts';
import { dnsLabel, dnsSubdomain } from '../../semantics/metadata/names.ts';
import {
  addressRules,
  checkIp,
  checkNonSpecialIp,
} from '../../semantics/validation/network-validation.ts';
import { strictAddress } from '../networking/strict-address.ts';
import { defineKind } from '../kind.ts';
import { ENDPOINT_SLICE_PRINTER } from './endpoint-slice-printer.ts';
import {
  ENDPOINT_SLICE_V1BETA1,
  settleTopology,
  withoutTopology,
} from './endpoint-slice-v1beta1.ts';

const ENDPOINTS_MAX = 1000;
const ADDRESSES_MAX = 100;
const PORTS_MAX = 20_000;
const HINTS_MAX = 8;
const TOPOLOGY_MAX = 16;
const MANAGER_LABEL = ownName('endpointslice.cluster.io/managed-by');
/** They write addresses as they should be. */
const CAREFUL_MANAGERS = [
  ownDomain('endpointslice-controller.cluster.io'),
  ownDomain('endpointslicemirroring-controller.cluster.io'),
];
const RELEASE = ownRelease();

export const ENDPOINT_SLICE = defineKind<EndpointSlice>({
  group: ownGroup('discovery.cluster.io'),
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  namespaced: true,
  message: 'discovery.v1.EndpointSlice',
  nameRule: 'dnsSubdomain',
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  checksFinalizerNames: true,
  otherVersions: [ENDPOINT_SLICE_V1BETA1],
  printer: ENDPOINT_SLICE_PRINTER,

  /** Any change counts, labels included. */
  bumpsGeneration({ metadata, ...payload }, { metadata: storedMetadata, ...stored }) {
    const sent = { ...payload, endpoints: payload.endpoints?.map(withoutTopology) };
    return !(deepEqual(metadata.labels, storedMetadata.labels) && deepEqual(sent, stored));
  },
  countsDropped: true,

  prepareForCreate(object) {
    settleTopology(object, undefined);
  },

  prepareForUpdate: settleTopology,

  /** Drops the hints for which zones endpoints are. */
  dropDisabled({ endpoints = [] }, gates, stored) {
    if (gates.has('TopologyAwareHints')) return;
    if (stored?.endpoints?.some(({ hints }) => hints !== undefined)) return;
    for (const endpoint of endpoints) delete endpoint.hints;
  },

  validate({ addressType = '', endpoints = [], ports = [] }, stored, { gates }) {
    const errors: FieldError[] = [];
    const mayStay = stored !== undefined && RELEASE.has('familiesOfSlices');
    if (endpoints.length > ENDPOINTS_MAX) {
      errors.push(tooMany('endpoints', endpoints.length, ENDPOINTS_MAX));
    } else {
      endpoints.forEach((endpoint, index) => {
        checkEndpoint(endpoint, { addressType, gates }, `endpoints[${index}]`, errors);
      });
    }
    if (errors.length > 0 && mayStay && deepEqual(endpoints, stored.endpoints ?? [])) {
      errors.length = 0;
    }
    checkPorts(ports, errors);
    return errors;
  },

  ...(RELEASE.has('deprecatedNamesInSlices')
    ? {
        createWarnings: (slice: EndpointSlice) => [
          ...typeWarnings(slice),
          ...addressesWarnings(slice),
        ],
        updateWarnings: addressesWarnings,
      }
    : {}),
});

function typeWarnings({ addressType }: EndpointSlice): string[] {
  // The path is the reference's.
  return addressType === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : [];
}

function addressesWarnings({ metadata, endpoints = [] }: EndpointSlice): string[] {
  if (!RELEASE.has('addressWarnings')) return [];
  if (CAREFUL_MANAGERS.includes(metadata.labels?.[MANAGER_LABEL] ?? '')) return [];
  return endpoints.flatMap(({ addresses = [] }, index) =>
    addresses.flatMap((ip, at) => ipWarnings(ip, `endpoints[${index}].addresses[${at}]`)),
  );
}

/** Facts that rules for endpoints need besides them. */
interface SliceContext {
  readonly addressType: string;
  readonly gates: FeatureGates;
}

function checkEndpoint(
  endpoint: Endpoint,
  context: SliceContext,
  field: string,
  errors: FieldError[],
): void {
  const { addresses = [], deprecatedTopology, hints } = endpoint;
  const addressField = `${field}.addresses`;
  if (addresses.length === 0) {
    const detail = RELEASE.has('declaredRules') ? '' : 'must contain at least 1 address';
    errors.push(required(addressField, detail));
  } else if (addresses.length > ADDRESSES_MAX) {
    errors.push(tooMany(addressField, addresses.length, ADDRESSES_MAX));
  }
  addresses.forEach((address, index) => {
    checkAddress(address, context, addressField, index, errors);
  });
  if (deprecatedTopology !== undefined) {
    const topologyField = `${field}.deprecatedTopology`;
    const count = Object.keys(deprecatedTopology).length;
    if (count > TOPOLOGY_MAX) errors.push(tooMany(topologyField, count, TOPOLOGY_MAX));
    checkLabels(deprecatedTopology, topologyField, errors);
  }
  if (hints?.forZones !== undefined) {
    checkHints(hints.forZones, `${field}.hints.forZones`, errors);
  }
  if (hints?.forNodes === undefined) return;
  const nodesField = `${field}.hints.forNodes`;
  if (!checkHints(hints.forNodes, nodesField, errors)) return;
  hints.forNodes.forEach(({ name = '' }, index) => {
    addProblems(dnsSubdomain(name), `${nodesField}[${index}].name`, name, errors);
  });
}

function checkAddress(
  address: string,
  { addressType, gates }: SliceContext,
  list: string,
  index: number,
  errors: FieldError[],
): void {
  const field = `${list}[${index}]`;
  switch (addressType) {
    case 'IPv4':
    case 'IPv6':
      if (RELEASE.has('familiesOfSlices')) {
        checkOfFamily(address, { family: addressType, gates, list, field }, errors);
      } else {
        checkTypedIp(address, addressType, field, errors);
      }
      return;
    case 'FQDN':
      checkDomainName(address, field, errors);
      return;
    default: // the schema's error
  }
}

function checkTypedIp(
  address: string,
  family: IpFamily,
  field: string,
  errors: FieldError[],
): void {
  const ip = parseIp(address);
  if (ip?.family !== family) {
    errors.push(invalid(field, address, `must be a valid ${family} address`));
  }
  checkNonSpecialIp(ip, address, field, errors);
}

interface PlacedAddress {
  readonly family: IpFamily;
  readonly gates: FeatureGates;
  readonly list: string;
  readonly field: string;
}

/** One of the family is told on the whole list, as in the reference. */
function checkOfFamily(
  address: string,
  { family, gates, list, field }: PlacedAddress,
  errors: FieldError[],
): void {
  const before = errors.length;
  if (family === 'IPv6') addProblems(strictAddress(address), field, address, errors);
  else checkIp(address, field, errors, addressRules(gates));
  if (errors.length > before) return;
  const ip = parseIp(address);
  if (ip?.family !== family) errors.push(invalid(list, address, `must be an ${family} address`));
  checkNonSpecialIp(ip, address, field, errors);
}

function checkDomainName(address: string, field: string, errors: FieldError[]): void {
  const name = address.replace(/\.$/, '');
  if (name === '') {
    errors.push(required(field));
    return;
  }
  const problems = dnsSubdomain(name);
  if (problems.length > 0) {
    addJoinedProblems(problems, field, name, errors);
    return;
  }
  const labels = name.split('.');
  if (labels.length < 2) {
    const detail = 'should be a domain with at least two segments separated by dots';
    errors.push(invalid(field, name, detail));
    return;
  }
  for (const label of labels) addProblems(dnsLabel(label), field, label, errors);
}

/** Whether there are few enough of them to be looked at. */
function checkHints(
  hints: readonly { name?: string }[],
  field: string,
  errors: FieldError[],
): boolean {
  if (hints.length > HINTS_MAX) {
    errors.push(tooMany(field, hints.length, HINTS_MAX));
    return false;
  }
  checkUnique(hints, field, errors);
  return true;
}

function checkPorts(ports: readonly { name?: string }[], errors: FieldError[]): void {
  if (ports.length > PORTS_MAX) {
    errors.push(tooMany('ports', ports.length, PORTS_MAX));
    return;
  }
  checkUnique(ports, 'ports', errors);
  ports.forEach(({ name = '' }, index) => {
    if (name !== '') addProblems(dnsLabel(name), `ports[${index}].name`, name, errors);
  });
}

/** Adds an error for each item with the name of one before it. */
function checkUnique(
  items: readonly { name?: string }[],
  field: string,
  errors: FieldError[],
): void {
  const names = new Set<string>();
  items.forEach(({ name = '' }, index) => {
    if (names.has(name)) errors.push(duplicate(`${field}[${index}].name`, name));
    names.add(name);
  });
}
