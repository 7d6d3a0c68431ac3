/** Rules of Jobs and of the job templates of CronJobs (README.md#jobs). */
import type { JobSpec } from '#messages/batch.v1';
import {
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { checkPodTemplate } from '../core/pods/pod-template.ts';

const INDEXED_PARALLELISM_MAX = 100_000;
const RESTART_POLICIES = ['OnFailure', 'Never'] as const;

/** Adds the problems of a job at the path `field`, but for those of its selector. */
export function checkJobSpec(
  job: JobSpec,
  field: string,
  errors: FieldError[],
  stored?: JobSpec,
): void {
  const { template = {} } = job;
  if (job.completionMode === 'Indexed') checkIndexed(job, field, errors);
  checkPodTemplate(template, `${field}.template`, errors, stored?.template);
  checkRestartPolicy(template.spec?.restartPolicy ?? '', field, errors);
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

/** Pods default to `Always`, which jobs refuse: clients must choose. */
function checkRestartPolicy(policy: string, field: string, errors: FieldError[]): void {
  if (policy === 'OnFailure' || policy === 'Never') return;
  const path = `${field}.template.spec.restartPolicy`;
  if (policy === '' || policy === 'Always') {
    errors.push(required(path, 'valid values: "OnFailure", "Never"'));
  } else {
    errors.push(notSupported(path, policy, RESTART_POLICIES));
  }
}
