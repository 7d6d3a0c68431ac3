import type { ApiObject } from '../kind.ts';
import type { PersistentVolumeClaimSpec } from './persistent-volume-claim-spec.ts';

export interface PersistentVolumeClaim extends ApiObject {
  spec?: PersistentVolumeClaimSpec;
  status?: {
    phase?: string;
    accessModes?: string[];
    capacity?: Record<string, string>;
    allocatedResources?: Record<string, string>;
    resizeStatus?: string;
  };
}
