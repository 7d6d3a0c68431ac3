/** EndpointSlice (README.md#endpoint-slices). */
import type { Endpoint, EndpointSlice } from '#messages/discovery.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import {
  addJoinedProblems,
  addProblems,
  duplicate,
  invalid,
  required,
  tooMany,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { parseIp, type IpFamily } from '../../semantics/validation/ip-address.ts';
import { checkLabels } from '../../semantics/metadata/label-validation.ts';
import { dnsLabel, dnsSubdomain } from '../../semantics/metadata/names.ts';
import { checkNonSpecialIp } from '../../semantics/validation/network-validation.ts';
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
const ZONE_HINTS_MAX = 8;
const TOPOLOGY_MAX = 16;

export const ENDPOINT_SLICE = defineKind<EndpointSlice>({
  group: ownGroup('discovery.cluster.io'),
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  namespaced: true,
  message: 'discovery.v1.EndpointSlice',
  nameRule: 'dnsSubdomain',
  referenceStorage: 'v1beta1',
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

  validate({ addressType = '', endpoints = [], ports = [] }) {
    const errors: FieldError[] = [];
    if (endpoints.length > ENDPOINTS_MAX) {
      errors.push(tooMany('endpoints', endpoints.length, ENDPOINTS_MAX));
    } else {
      endpoints.forEach((endpoint, index) => {
        checkEndpoint(endpoint, addressType, `endpoints[${index}]`, errors);
      });
    }
    checkPorts(ports, errors);
    return errors;
  },
});

function checkEndpoint(
  endpoint: Endpoint,
  addressType: string,
  field: string,
  errors: FieldError[],
): void {
  const { addresses = [], deprecatedTopology, hints } = endpoint;
  const addressField = `${field}.addresses`;
  if (addresses.length === 0) {
    errors.push(required(addressField, 'must contain at least 1 address'));
  } else if (addresses.length > ADDRESSES_MAX) {
    errors.push(tooMany(addressField, addresses.length, ADDRESSES_MAX));
  }
  addresses.forEach((address, index) => {
    checkAddress(address, addressType, `${addressField}[${index}]`, errors);
  });
  if (deprecatedTopology !== undefined) {
    const topologyField = `${field}.deprecatedTopology`;
    const count = Object.keys(deprecatedTopology).length;
    if (count > TOPOLOGY_MAX) errors.push(tooMany(topologyField, count, TOPOLOGY_MAX));
    checkLabels(deprecatedTopology, topologyField, errors);
  }
  if (hints?.forZones !== undefined) {
    checkZoneHints(hints.forZones, `${field}.hints.forZones`, errors);
  }
}

function checkAddress(
  address: string,
  addressType: string,
  field: string,
  errors: FieldError[],
): void {
  switch (addressType) {
    case 'IPv4':
    case 'IPv6':
      checkTypedIp(address, addressType, field, errors);
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

function checkZoneHints(
  zones: readonly { name?: string }[],
  field: string,
  errors: FieldError[],
): void {
  if (zones.length > ZONE_HINTS_MAX) {
    errors.push(tooMany(field, zones.length, ZONE_HINTS_MAX));
    return;
  }
  checkUnique(zones, field, errors);
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
