/**
 * EndpointSlice in v1beta1, in which one map has the topology of an endpoint. In v1 zone and node
 * have members of their own, and the rest is `deprecatedTopology`, which v1 clients may not write
 * (README.md#endpoint-slices).
 */
import type { Endpoint, EndpointSlice } from '#messages/discovery.v1';
import type { Endpoint as EndpointV1beta1 } from '#messages/discovery.v1beta1';
import { deepEqual } from '../../base/deep-equal.ts';
import { textMap } from '../../base/text/text-map.ts';
import { ownName } from '../../semantics/dialect/own-names.ts';
import { dnsSubdomain } from '../../semantics/metadata/names.ts';
import type { KindVersion } from '../kind.ts';

/** Keys of a topology that are members of their own in v1. */
const ZONE_LABEL = ownName('topology.cluster.io/zone');
const HOST_NAME_LABEL = ownName('cluster.io/hostname');

/** Conversion leaves the topology in the object until `settleTopology`. */
export type MovedEndpoint = Endpoint & Pick<EndpointV1beta1, 'topology'>;

interface MovedSlice {
  endpoints?: MovedEndpoint[];
}

export const ENDPOINT_SLICE_V1BETA1: KindVersion = {
  version: 'v1beta1',
  message: 'discovery.v1beta1.EndpointSlice',
  toStored(object) {
    for (const endpoint of (object as MovedSlice).endpoints ?? []) endpointToStored(endpoint);
    return object;
  },
  fromStored(object) {
    for (const endpoint of (object as MovedSlice).endpoints ?? []) endpointFromStored(endpoint);
    return object;
  },
};

/**
 * The rest of the topology keeps its member until `settleTopology`, which so can tell it from the
 * topology of v1 clients.
 */
function endpointToStored(endpoint: MovedEndpoint): void {
  const { topology, nodeName } = endpoint;
  if (topology === undefined) return;
  const zone = topology[ZONE_LABEL];
  if (zone !== undefined) {
    endpoint.zone = zone;
    delete topology[ZONE_LABEL];
  }
  const hostName = topology[HOST_NAME_LABEL];
  // A host name that differs from the node's is kept.
  if (hostName === nodeName) delete topology[HOST_NAME_LABEL];
  if (Object.keys(topology).length === 0) delete endpoint.topology;
  // Owners of fields are tracked before the topology is settled.
  else endpoint.deprecatedTopology = topology;
}

function endpointFromStored(endpoint: MovedEndpoint): void {
  const { deprecatedTopology, topology: rest = deprecatedTopology, zone, nodeName } = endpoint;
  delete endpoint.deprecatedTopology;
  delete endpoint.zone;
  if (rest === undefined && zone === undefined && nodeName === undefined) return;
  const topology = textMap(rest);
  if (zone !== undefined) topology[ZONE_LABEL] = zone;
  if (nodeName !== undefined) topology[HOST_NAME_LABEL] ||= nodeName;
  endpoint.topology = topology;
}

/**
 * Takes over the topology that came through v1beta1 and drops what v1 clients wrote, except when
 * they sent the stored endpoints as they are. A node that was only named there gets its member.
 */
export function settleTopology(
  { endpoints = [] }: MovedSlice,
  stored: EndpointSlice | undefined,
): void {
  if (endpoints.every(hasNoTopology)) return;
  if (stored !== undefined && deepEqual(endpoints, stored.endpoints)) return;
  for (const endpoint of endpoints) {
    const { topology, deprecatedTopology } = endpoint;
    delete endpoint.topology;
    delete endpoint.deprecatedTopology;
    if (topology !== undefined) keepTopology(endpoint, topology);
    else keepNodeName(endpoint, deprecatedTopology?.[HOST_NAME_LABEL], stored);
  }
}

function keepTopology(
  endpoint: MovedEndpoint,
  topology: NonNullable<MovedEndpoint['topology']>,
): void {
  // An empty host name is shown as the node's.
  const isNode = topology[HOST_NAME_LABEL] === '' && endpoint.nodeName !== undefined;
  if (isNode) delete topology[HOST_NAME_LABEL];
  if (Object.keys(topology).length > 0) endpoint.deprecatedTopology = topology;
}

/** An endpoint that came through v1beta1, to be compared with what is stored. */
export function withoutTopology({ topology: _topology, ...endpoint }: MovedEndpoint): Endpoint {
  return endpoint;
}

function hasNoTopology({ topology, deprecatedTopology }: MovedEndpoint): boolean {
  return topology === undefined && deprecatedTopology === undefined;
}

function keepNodeName(
  endpoint: Endpoint,
  hostName: string | undefined,
  stored: EndpointSlice | undefined,
): void {
  if (!hostName || endpoint.nodeName !== undefined || dnsSubdomain(hostName).length > 0) return;
  const known = stored?.endpoints?.some(
    ({ deprecatedTopology }) => deprecatedTopology?.[HOST_NAME_LABEL] === hostName,
  );
  if (known === true) endpoint.nodeName = hostName;
}
