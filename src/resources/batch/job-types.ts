import type { ApiObject } from '../kind.ts';
import type { JobSpec } from './job-spec.ts';

export interface Job extends ApiObject {
  spec?: JobSpec;
  status?: {
    startTime?: string;
    completionTime?: string;
    succeeded?: number;
    uncountedTerminatedPods?: { succeeded?: string[]; failed?: string[] };
  };
}
