import type { ApiObject } from '../kind.ts';
import type { JobSpec } from './job-spec.ts';

export interface CronJob extends ApiObject {
  spec?: {
    schedule?: string;
    startingDeadlineSeconds?: number | bigint;
    concurrencyPolicy?: string;
    suspend?: boolean;
    jobTemplate?: { spec?: JobSpec };
    successfulJobsHistoryLimit?: number;
    failedJobsHistoryLimit?: number;
  };
  status?: { active?: unknown[]; lastScheduleTime?: string };
}
