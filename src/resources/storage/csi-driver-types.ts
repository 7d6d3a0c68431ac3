import type { ApiObject } from '../kind.ts';

export interface TokenRequest {
  audience?: string;
  expirationSeconds?: number | bigint;
}

export interface CSIDriver extends ApiObject {
  spec?: {
    attachRequired?: boolean;
    podInfoOnMount?: boolean;
    volumeLifecycleModes?: string[];
    storageCapacity?: boolean;
    fsGroupPolicy?: string;
    tokenRequests?: TokenRequest[];
    requiresRepublish?: boolean;
  };
}
