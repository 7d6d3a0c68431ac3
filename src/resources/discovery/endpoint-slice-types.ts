/** The members of an EndpointSlice that its rules look at. */
import { ownName } from '../../semantics/dialect/own-names.ts';
import type { ApiObject } from '../kind.ts';

export interface Endpoint {
  addresses?: string[];
  hostname?: string;
  nodeName?: string;
  zone?: string;
  hints?: { forZones?: { name?: string }[] };
  deprecatedTopology?: Record<string, string>;
  /**
   * A member of v1beta1. Conversion leaves it in the object until `endpoint-slice-v1beta1.ts`
   * settles it.
   */
  topology?: Record<string, string>;
}

export interface EndpointSlice extends ApiObject {
  addressType?: string;
  endpoints?: Endpoint[];
  ports?: { name?: string; port?: number }[];
}

/** Keys of a topology that are members of their own in v1. */
export const ZONE_LABEL = ownName('topology.cluster.io/zone');
export const HOST_NAME_LABEL = ownName('cluster.io/hostname');
