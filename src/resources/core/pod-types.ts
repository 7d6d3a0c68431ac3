import type { ApiObject } from '../kind.ts';
import type { PodSpec } from './pod-spec-types.ts';
import type { PodStatus } from './pod-status.ts';

export interface Pod extends ApiObject {
  spec?: PodSpec;
  status?: PodStatus;
}
