import type { ApiObject } from '../kind.ts';

export interface EndpointSubset {
  addresses?: { ip?: string }[];
  notReadyAddresses?: { ip?: string }[];
  ports?: { name?: string; port?: number }[];
}

export interface Endpoints extends ApiObject {
  subsets?: EndpointSubset[];
}
