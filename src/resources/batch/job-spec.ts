/** Rules of Jobs and of the job templates of CronJobs (README.md#rules). */
import type { JobSpec } from '#messages/batch.v1';
import type { FeatureGates } from '../../release/feature-gates.ts';
import { ownRelease } from '../../release/release.ts';
import {
  addProblems,
  invalid,
  notSupported,
  required,
  tooLong,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { dnsSubdomain, urlPath } from '../../semantics/metadata/names.ts';
import { podWarnings } from '../core/pods/pod-warnings.ts';
import { checkPodTemplate } from '../core/pods/pod-template.ts';
import { checkFailurePolicy, checkSuccessPolicy } from './job-policies.ts';
import { checkScheduling } from './job-scheduling.ts';

const INDEXED_PARALLELISM_MAX = 100_000;
const FAILED_INDEXES_MAX = 100_000;
/** With more completions than that, indexes with limits of their own have closer bounds. */
const COMPLETIONS_MANY = 100_000;
const OF_MANY_MAX = 10_000;
const MANAGER_BYTES_MAX = 63;
const RESTART_POLICIES = ['OnFailure', 'Never'] as const;
const REPLACEMENT_POLICIES = ['Failed', 'TerminatingOrFailed'] as const;

/** Adds the problems of a job at the path `field`, but for those of its selector. */
export function checkJobSpec(
  job: JobSpec,
  field: string,
  gates: FeatureGates,
  errors: FieldError[],
  stored?: JobSpec,
): void {
  const { template = {}, maxFailedIndexes, backoffLimitPerIndex, managedBy } = job;
  if (maxFailedIndexes !== undefined && backoffLimitPerIndex === undefined) {
    errors.push(required(`${field}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'));
  }
  if (managedBy !== undefined) checkManager(managedBy, `${field}.managedBy`, errors);
  if (job.completionMode === 'Indexed') checkIndexed(job, field, errors);
  else checkNotIndexed(job, field, errors);
  if (job.podFailurePolicy !== undefined) {
    checkFailurePolicy(job, `${field}.podFailurePolicy`, errors);
  }
  if (job.successPolicy !== undefined) checkSuccessPolicy(job, `${field}.successPolicy`, errors);
  checkReplacement(job, `${field}.podReplacementPolicy`, errors);
  checkScheduling(job, `${field}.scheduling`, errors);
  checkPodTemplate(template, gates, `${field}.template`, errors, stored?.template);
  checkRestartPolicy(job, field, errors);
}

function checkManager(managedBy: string, field: string, errors: FieldError[]): void {
  const slash = managedBy.indexOf('/');
  const [domain, path] = [managedBy.slice(0, slash), managedBy.slice(slash + 1)];
  if (managedBy === '') errors.push(required(field));
  else if (slash <= 0 || path === '') {
    const detail = 'must be a domain-prefixed path (such as "acme.io/foo")';
    errors.push(invalid(field, managedBy, detail));
  } else {
    addProblems(dnsSubdomain(domain), field, domain, errors);
    addProblems(urlPath(path), field, path, errors);
  }
  if (Buffer.byteLength(managedBy) > MANAGER_BYTES_MAX) {
    errors.push(tooLong(field, MANAGER_BYTES_MAX));
  }
}

function checkIndexed(job: JobSpec, field: string, errors: FieldError[]): void {
  const { completions, parallelism = 0, maxFailedIndexes, backoffLimitPerIndex } = job;
  if (completions === undefined) {
    errors.push(required(`${field}.completions`, 'when completion mode is Indexed'));
  }
  if (parallelism > INDEXED_PARALLELISM_MAX) {
    const bound = `must be less than or equal to ${INDEXED_PARALLELISM_MAX}`;
    const detail = `${bound} when completion mode is Indexed`;
    errors.push(invalid(`${field}.parallelism`, parallelism, detail));
  }
  const path = `${field}.maxFailedIndexes`;
  if (maxFailedIndexes !== undefined && maxFailedIndexes > (completions ?? Infinity)) {
    const detail = 'must be less than or equal to completions';
    errors.push(invalid(path, maxFailedIndexes, detail));
  }
  if (maxFailedIndexes !== undefined && maxFailedIndexes > FAILED_INDEXES_MAX) {
    const detail = `must be less than or equal to ${FAILED_INDEXES_MAX}`;
    errors.push(invalid(path, maxFailedIndexes, detail));
  }
  if ((completions ?? 0) <= COMPLETIONS_MANY || backoffLimitPerIndex === undefined) return;
  if (maxFailedIndexes === undefined) {
    const detail = `must be specified when completions is above ${COMPLETIONS_MANY}`;
    errors.push(required(path, detail));
  }
  const bound =
    `must be less than or equal to ${OF_MANY_MAX} when completions are above ` +
    `${COMPLETIONS_MANY} and used with backoff limit per index`;
  if (parallelism > OF_MANY_MAX) errors.push(invalid(`${field}.parallelism`, parallelism, bound));
  if (maxFailedIndexes !== undefined && maxFailedIndexes > OF_MANY_MAX) {
    errors.push(invalid(path, maxFailedIndexes, bound));
  }
}

function checkNotIndexed(job: JobSpec, field: string, errors: FieldError[]): void {
  for (const member of ['backoffLimitPerIndex', 'maxFailedIndexes'] as const) {
    if (job[member] === undefined) continue;
    errors.push(invalid(`${field}.${member}`, job[member], 'requires indexed completion mode'));
  }
}

function checkReplacement(
  { podReplacementPolicy: policy, podFailurePolicy }: JobSpec,
  field: string,
  errors: FieldError[],
): void {
  if (policy === undefined) return;
  const allowed = podFailurePolicy === undefined ? REPLACEMENT_POLICIES : (['Failed'] as const);
  if (!allowed.some((one) => one === policy)) errors.push(notSupported(field, policy, allowed));
}

/** Pods default to `Always`, which jobs refuse: clients must choose. */
function checkRestartPolicy(
  { template, podFailurePolicy }: JobSpec,
  field: string,
  errors: FieldError[],
): void {
  const policy = template?.spec?.restartPolicy ?? '';
  const path = `${field}.template.spec.restartPolicy`;
  if (policy === '' || policy === 'Always') {
    errors.push(required(path, 'valid values: "OnFailure", "Never"'));
  } else if (policy !== 'OnFailure' && policy !== 'Never') {
    errors.push(notSupported(path, policy, RESTART_POLICIES));
  } else if (podFailurePolicy !== undefined && policy !== 'Never') {
    const detail = 'only "Never" is supported when podFailurePolicy is specified';
    errors.push(invalid(path, policy, detail));
  }
}

/** Above these a Job may lose sight of the indexes that have failed. */
const COMPLETIONS_SOFT_MAX = 100_000;
const PARALLELISM_SOFT_MAX = 10_000;

/** Warns clients that write a job. */
export function jobSpecWarnings(job: JobSpec, field: string): string[] {
  const { completionMode, completions = 0, parallelism = 0, template = {} } = job;
  const isLarge =
    completionMode === 'Indexed' &&
    completions > COMPLETIONS_SOFT_MAX &&
    parallelism > PARALLELISM_SOFT_MAX;
  const ofTemplate = podWarnings(template, `${field}.template`);
  if (!isLarge || !ownRelease().has('manyIndexesWarnings')) return ofTemplate;
  const what =
    'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than ' +
    '10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes ' +
    'fail';
  return [`${field}: ${what}`, ...ofTemplate];
}
