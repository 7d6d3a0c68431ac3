/** How the pods of a Job are scheduled together (README.md#rules). */
import type { CronJob, Job, JobSpec } from '#messages/batch.v1';
import type { FeatureGates } from '../../release/feature-gates.ts';
import { invalid, type FieldError } from '../../semantics/errors/field-error.ts';
import {
  declaredErrors,
  forbiddenWithout,
  immutable,
  message,
  minimum,
  notCleared,
  notSet,
  oneOf,
  optional,
  rules,
} from '../../semantics/validation/declared-rules.ts';
import { CONSTRAINTS, FIXED_CLAIMS } from '../scheduling/declared-groups.ts';

const POLICY = message(
  { gang: rules([optional], message({ minCount: rules([optional], minimum(1)) })) },
  oneOf('basic', 'gang'),
);

const SCHEDULING = message({
  schedulingPolicy: rules([optional, notSet, notCleared], POLICY),
  schedulingConstraints: rules([immutable, optional], CONSTRAINTS),
  disruptionMode: rules([immutable, optional], oneOf('single', 'all')),
  resourceClaims: FIXED_CLAIMS,
});

const SPEC = message({
  scheduling: rules(
    [forbiddenWithout('WorkloadWithJob'), optional, notSet, notCleared],
    SCHEDULING,
  ),
});

const JOB = message({ spec: SPEC });
const CRON_JOB = message({ spec: message({ jobTemplate: message({ spec: SPEC }) }) });

/** Checks the declared rules of scheduling in a Job. */
export function jobSchedulingErrors(
  job: Job,
  stored: Job | undefined,
  gates: FeatureGates,
): FieldError[] {
  const isUsed = job.spec?.scheduling !== undefined || stored?.spec?.scheduling !== undefined;
  return isUsed ? declaredErrors(JOB, job, stored, gates) : [];
}

/** And in the template of a CronJob. */
export function cronJobSchedulingErrors(
  cronJob: CronJob,
  stored: CronJob | undefined,
  gates: FeatureGates,
): FieldError[] {
  const { scheduling } = cronJob.spec?.jobTemplate?.spec ?? {};
  const isUsed =
    scheduling !== undefined || stored?.spec?.jobTemplate?.spec?.scheduling !== undefined;
  return isUsed ? declaredErrors(CRON_JOB, cronJob, stored, gates) : [];
}

/** Adds the problems of what it says beside the rest of the Job. */
export function checkScheduling(
  { scheduling, parallelism = 1 }: JobSpec,
  field: string,
  errors: FieldError[],
): void {
  if (scheduling === undefined) return;
  const { schedulingPolicy: policy, disruptionMode } = scheduling;
  const minCount = policy?.gang?.minCount;
  if (minCount !== undefined && minCount > parallelism) {
    const detail = `must not be greater than parallelism (${parallelism})`;
    errors.push(invalid(`${field}.schedulingPolicy.gang.minCount`, minCount, detail));
  }
  const isBasic = policy === undefined || policy.basic !== undefined;
  const isTogether = disruptionMode?.single === undefined && disruptionMode?.all !== undefined;
  if (isBasic && isTogether) {
    const detail = 'the disruptionMode `all` is not supported with the Basic scheduling policy';
    errors.push(invalid(`${field}.disruptionMode`, '', detail));
  }
}

/** An update keeps the choice between one by one and together. */
export function checkPolicyStays(spec: JobSpec, stored: JobSpec, errors: FieldError[]): void {
  const now = spec.scheduling?.schedulingPolicy;
  const before = stored.scheduling?.schedulingPolicy;
  if (now === undefined || before === undefined) return;
  if ((now.basic === undefined) === (before.basic === undefined)) return;
  const detail =
    'the basic/gang policy variant is immutable after creation; only ' +
    'schedulingPolicy.gang.minCount may be updated';
  errors.push(invalid('spec.scheduling.schedulingPolicy', null, detail));
}
