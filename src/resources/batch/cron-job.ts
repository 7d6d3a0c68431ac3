/** CronJob (README.md#jobs). */
import type { CronJob, CronJobSpec, JobSpec } from '#messages/batch.v1';
import type { FeatureGates } from '../../release/feature-gates.ts';
import { ownRelease } from '../../release/release.ts';
import { cronScheduleProblem, isTimeZone } from '../../semantics/cron-schedule.ts';
import { ownName } from '../../semantics/dialect/own-names.ts';
import { invalid, notSupported, type FieldError } from '../../semantics/errors/field-error.ts';
import { invalidSelector } from '../../semantics/metadata/label-validation.ts';
import { dropDisabledPodFields } from '../core/pods/disabled-pod-fields.ts';
import { applyPodTemplateDefaults } from '../core/pods/pod-template.ts';
import { defineKind, specChanges } from '../kind.ts';
import { nameWarnings } from '../workload.ts';
import { CRON_JOB_PRINTER } from './cron-job-printer.ts';
import { applyFailurePolicyDefaults } from './job-policies.ts';
import { cronJobSchedulingErrors } from './job-scheduling.ts';
import { checkJobSpec, jobSpecWarnings } from './job-spec.ts';

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
    },
  ],
  printer: CRON_JOB_PRINTER,

  applyDefaults({ spec }, gates) {
    const job = spec?.jobTemplate?.spec;
    if (job?.template !== undefined) applyPodTemplateDefaults(job.template, gates);
    applyFailurePolicyDefaults(job?.podFailurePolicy);
  },

  dropDisabled({ spec }, gates, stored) {
    const { template } = spec?.jobTemplate?.spec ?? {};
    const { template: before } = stored?.spec?.jobTemplate?.spec ?? {};
    dropDisabledPodFields(template?.spec, before?.spec, gates);
  },

  validate(object, stored, { gates }) {
    const { spec = {} } = object;
    const errors: FieldError[] = [];
    const { schedule = '' } = spec;
    // An empty schedule is the schema's error.
    const problem = schedule === '' ? '' : cronScheduleProblem(schedule);
    if (problem !== '') errors.push(invalid('spec.schedule', schedule, problem));
    checkZoneOfSchedule(spec, stored?.spec, errors);
    const isKept = stored !== undefined && stored.spec?.timeZone === spec.timeZone;
    if (spec.timeZone !== undefined && !isKept) checkTimeZone(spec.timeZone, errors);
    const { jobTemplate } = stored?.spec ?? {};
    checkJobTemplate(spec.jobTemplate?.spec ?? {}, jobTemplate?.spec, gates, errors);
    return [...errors, ...cronJobSchedulingErrors(object, stored, gates)];
  },

  createWarnings: (object) => [
    ...nameWarnings(object),
    ...templateWarnings(object),
    ...(ownRelease().has('schedulesWithoutZones') ? [] : scheduleWarnings(object)),
  ],

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
  return jobSpecWarnings(spec?.jobTemplate?.spec ?? {}, 'spec.jobTemplate.spec');
}

/** The path is the reference's. */
function scheduleWarnings({ spec }: CronJob): string[] {
  if (spec?.schedule?.includes('TZ') !== true) return [];
  const what = ownRelease().has('schedulesWithoutZones')
    ? 'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead'
    : 'CRON_TZ or TZ used in spec.spec.schedule is not officially supported';
  return [`${what}, see https://${SCHEDULE_HELP} for more details`];
}

/** Whether a schedule may name a time zone itself. */
function checkZoneOfSchedule(
  { schedule = '', timeZone }: CronJobSpec,
  stored: CronJobSpec | undefined,
  errors: FieldError[],
): void {
  if (!schedule.includes('TZ')) return;
  const isAllowed =
    !ownRelease().has('schedulesWithoutZones') || stored?.schedule?.includes('TZ') === true;
  const detail = isAllowed
    ? 'cannot use both timeZone field and TZ or CRON_TZ in schedule'
    : 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
  if (isAllowed && timeZone === undefined) return;
  errors.push(invalid('spec.schedule', schedule, detail));
}

const ZONE_PART = /^[A-Za-z.\-_0-9+]{1,14}$/;

function checkTimeZone(timeZone: string, errors: FieldError[]): void {
  const field = 'spec.timeZone';
  const isForm = timeZone
    .split('/')
    .every((part) => part !== '.' && part !== '..' && /^[^-]/.test(part) && ZONE_PART.test(part));
  if (timeZone === '') {
    errors.push(invalid(field, timeZone, 'timeZone must be nil or non-empty string'));
  } else if (!isForm && ownRelease().has('namedTimeZones')) {
    errors.push(invalid(field, timeZone, `unknown time zone ${timeZone}`));
  } else if (timeZone.toLowerCase() === 'local') {
    const detail =
      'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    errors.push(invalid(field, timeZone, detail));
    if (timeZone !== 'Local') errors.push(invalid(field, timeZone, unknownZone(timeZone)));
  } else if (!isTimeZone(timeZone)) {
    errors.push(invalid(field, timeZone, unknownZone(timeZone)));
  }
}

function unknownZone(timeZone: string): string {
  return `unknown time zone ${timeZone}`;
}

/** The selector is that of each job. */
function checkJobTemplate(
  job: JobSpec,
  stored: JobSpec | undefined,
  gates: FeatureGates,
  errors: FieldError[],
): void {
  const field = 'spec.jobTemplate.spec';
  checkJobSpec(job, field, gates, errors, stored);
  if (job.selector !== undefined) {
    const detail = '`selector` will be auto-generated';
    errors.push(invalidSelector(`${field}.selector`, job.selector, detail));
  }
  if (job.manualSelector === true) {
    errors.push(notSupported(`${field}.manualSelector`, true, ['nil', 'false']));
  }
}
