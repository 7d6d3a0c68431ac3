/** CronJob (README.md#jobs). */
import type { CronJob, JobSpec } from '#messages/batch.v1';
import { cronScheduleProblem } from '../../semantics/cron-schedule.ts';
import { ownName } from '../../semantics/dialect/own-names.ts';
import { invalid, notSupported, type FieldError } from '../../semantics/errors/field-error.ts';
import { invalidSelector } from '../../semantics/metadata/label-validation.ts';
import { dropDisabledPodFields } from '../core/pods/disabled-pod-fields.ts';
import { applyPodTemplateDefaults } from '../core/pods/pod-template.ts';
import { podWarnings } from '../core/pods/pod-warnings.ts';
import { defineKind, specChanges } from '../kind.ts';
import { CRON_JOB_PRINTER } from './cron-job-printer.ts';
import { checkJobSpec } from './job-spec.ts';

/** Its jobs are named after it, with a suffix of 11 characters. */
const NAME_LENGTH_MAX = 52;
const SCHEDULE_HELP = ownName('cluster.io/docs/concepts/workloads/controllers/cron-jobs/');

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
  freeGenerateName: true,
  checksFinalizerNames: true,
  otherVersions: [
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

  dropDisabled({ spec }, gates, stored) {
    const { template } = spec?.jobTemplate?.spec ?? {};
    const { template: before } = stored?.spec?.jobTemplate?.spec ?? {};
    dropDisabledPodFields(template?.spec, before?.spec, gates);
  },

  validate({ spec = {} }, stored) {
    const errors: FieldError[] = [];
    const { schedule = '' } = spec;
    // An empty schedule is the schema's error.
    const problem = schedule === '' ? '' : cronScheduleProblem(schedule);
    if (problem !== '') errors.push(invalid('spec.schedule', schedule, problem));
    const { jobTemplate } = stored?.spec ?? {};
    checkJobTemplate(spec.jobTemplate?.spec ?? {}, jobTemplate?.spec, errors);
    return errors;
  },

  createWarnings: (object) => [...templateWarnings(object), ...scheduleWarnings(object)],

  updateWarnings(object, stored) {
    const changes = object.metadata.generation !== stored.metadata.generation;
    return [...(changes ? templateWarnings(object) : []), ...scheduleWarnings(object)];
  },

  validateCreate({ metadata: { name = '' } }) {
    if (name.length <= NAME_LENGTH_MAX) return [];
    return [invalid('metadata.name', name, `must be no more than ${NAME_LENGTH_MAX} characters`)];
  },
});

function templateWarnings({ spec }: CronJob): string[] {
  return podWarnings(spec?.jobTemplate?.spec?.template ?? {}, 'spec.jobTemplate.spec.template');
}

/** The path is the reference's. */
function scheduleWarnings({ spec }: CronJob): string[] {
  if (spec?.schedule?.includes('TZ') !== true) return [];
  return [
    'CRON_TZ or TZ used in spec.spec.schedule is not officially supported, see ' +
      `https://${SCHEDULE_HELP} for more details`,
  ];
}

/** The selector is that of each job. */
function checkJobTemplate(job: JobSpec, stored: JobSpec | undefined, errors: FieldError[]): void {
  const field = 'spec.jobTemplate.spec';
  checkJobSpec(job, field, errors, stored);
  if (job.selector !== undefined) {
    const detail = '`selector` will be auto-generated';
    errors.push(invalidSelector(`${field}.selector`, job.selector, detail));
  }
  if (job.manualSelector === true) {
    errors.push(notSupported(`${field}.manualSelector`, true, ['nil', 'false']));
  }
}
