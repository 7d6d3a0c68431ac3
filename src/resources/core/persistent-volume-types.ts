import type { ApiObject } from '../kind.ts';
import type { PersistentVolumeSpec } from './persistent-volume-spec.ts';

export interface PersistentVolume extends ApiObject {
  spec?: PersistentVolumeSpec;
  status?: { phase?: string; message?: string; reason?: string };
}
