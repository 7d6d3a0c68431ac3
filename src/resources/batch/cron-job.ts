/** CronJob (SPEC "CronJob"; API-FACTS 14.2). */
import { cronScheduleProblem } from '../../semantics/cron-schedule.ts';
import { invalid, notSupported, type FieldError } from '../../semantics/field-error.ts';
import { invalidSelector } from '../../semantics/label-validation.ts';
import { applyPodTemplateDefaults } from '../core/pod-template.ts';
import { defineKind, specChanges, type ApiObject } from '../kind.ts';
import { CRON_JOB_PRINTER } from './cron-job-printer.ts';
import { checkJobSpec, type JobSpec } from './job-spec.ts';

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

/** Its jobs are named after it, with a suffix of 11 characters. */
const NAME_LENGTH_MAX = 52;

export const CRON_JOB = defineKind<CronJob>({
  group: 'batch',
  version: 'v1',
  kind: 'CronJob',
  plural: 'cronjobs',
  shortNames: ['cj'],
  categories: ['all'],
  namespaced: true,
  message: 'batch.v1.CronJob',
  nameRule: 'dnsSubdomain',
  statusSubresource: { metadataWritable: true },
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  bumpsGeneration: specChanges,
  checksFinalizerNames: true,
  views: [
    {
      version: 'v1beta1',
      defaultPropagation: 'Orphan',
      deprecated: { since: '1.21', removedIn: '1.25', replacement: 'batch/v1 CronJob' },
    },
  ],
  printer: CRON_JOB_PRINTER,

  applyDefaults({ spec }) {
    const template = spec?.jobTemplate?.spec?.template;
    if (template !== undefined) applyPodTemplateDefaults(template);
  },

  validate({ spec = {} }) {
    const errors: FieldError[] = [];
    const { schedule = '' } = spec;
    // An empty schedule is the schema's error.
    const problem = schedule === '' ? '' : cronScheduleProblem(schedule);
    if (problem !== '') errors.push(invalid('spec.schedule', schedule, problem));
    checkJobTemplate(spec.jobTemplate?.spec ?? {}, 'spec.jobTemplate.spec', errors);
    return errors;
  },

  validateCreate({ metadata: { name = '' } }) {
    if (name.length <= NAME_LENGTH_MAX) return [];
    return [invalid('metadata.name', name, `must be no more than ${NAME_LENGTH_MAX} characters`)];
  },
});

/** The selector is that of each job. */
function checkJobTemplate(job: JobSpec, field: string, errors: FieldError[]): void {
  checkJobSpec(job, field, errors);
  if (job.selector !== undefined) {
    const detail = '`selector` will be auto-generated';
    errors.push(invalidSelector(`${field}.selector`, job.selector, detail));
  }
  if (job.manualSelector === true) {
    errors.push(notSupported(`${field}.manualSelector`, true, ['nil', 'false']));
  }
}
