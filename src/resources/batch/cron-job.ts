/** CronJob (SPEC "CronJob"; API-FACTS 14.2). */
import { cronScheduleProblem } from '../../semantics/cron-schedule.ts';
import { invalid, notSupported, required, type FieldError } from '../../semantics/field-error.ts';
import { applyPodSpecDefaults, type PodSpec } from '../core/pod-defaults.ts';
import { defineKind, type ApiObject } from '../kind.ts';

interface JobSpec {
  parallelism?: number;
  completions?: number;
  completionMode?: string;
  selector?: unknown;
  manualSelector?: boolean;
  template?: { spec?: PodSpec & { restartPolicy?: string } };
}

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
}

/** Its jobs are named after it, with a suffix of 11 characters. */
const NAME_LENGTH_MAX = 52;
const INDEXED_PARALLELISM_MAX = 100_000;

export const CRON_JOB = defineKind<CronJob>({
  group: 'batch',
  version: 'v1',
  kind: 'CronJob',
  plural: 'cronjobs',
  shortNames: ['cj'],
  namespaced: true,
  message: 'batch.v1.CronJob',
  nameRule: 'dnsSubdomain',
  statusSubresource: { metadataWritable: true },
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  tracksGeneration: true,
  checksFinalizerNames: true,

  applyDefaults({ spec }) {
    const podSpec = spec?.jobTemplate?.spec?.template?.spec;
    if (podSpec !== undefined) applyPodSpecDefaults(podSpec);
  },

  validate({ spec = {} }) {
    const errors: FieldError[] = [];
    const { schedule = '' } = spec;
    // An empty schedule is the schema's error.
    const problem = schedule === '' ? '' : cronScheduleProblem(schedule);
    if (problem !== '') errors.push(invalid('spec.schedule', schedule, problem));
    checkJobSpec(spec.jobTemplate?.spec ?? {}, 'spec.jobTemplate.spec', errors);
    return errors;
  },

  validateCreate({ metadata: { name = '' } }) {
    if (name.length <= NAME_LENGTH_MAX) return [];
    return [invalid('metadata.name', name, `must be no more than ${NAME_LENGTH_MAX} characters`)];
  },
});

function checkJobSpec(job: JobSpec, field: string, errors: FieldError[]): void {
  if (job.completionMode === 'Indexed') checkIndexed(job, field, errors);
  const { restartPolicy } = job.template?.spec ?? {};
  if (restartPolicy !== 'OnFailure' && restartPolicy !== 'Never') {
    const detail = 'valid values: "OnFailure", "Never"';
    errors.push(required(`${field}.template.spec.restartPolicy`, detail));
  }
  if (job.selector !== undefined) {
    const detail = '`selector` will be auto-generated';
    errors.push(invalid(`${field}.selector`, job.selector, detail));
  }
  if (job.manualSelector === true) {
    errors.push(notSupported(`${field}.manualSelector`, true, ['nil', 'false']));
  }
}

function checkIndexed(job: JobSpec, field: string, errors: FieldError[]): void {
  if (job.completions === undefined) {
    errors.push(required(`${field}.completions`, 'when completion mode is Indexed'));
  }
  if ((job.parallelism ?? 0) <= INDEXED_PARALLELISM_MAX) return;
  const detail =
    `must be less than or equal to ${INDEXED_PARALLELISM_MAX} ` + 'when completion mode is Indexed';
  errors.push(invalid(`${field}.parallelism`, job.parallelism, detail));
}
