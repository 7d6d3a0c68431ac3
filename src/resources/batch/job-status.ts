/**
 * Rules for a Job's status, so that whoever runs the Job keeps the promises that its readers rely
 * on (README.md#rules). Most rules look only at what a write changes: what a change of the
 * specification has made wrong may be mended later.
 */
import type { Job, JobSpec, JobStatus } from '#messages/batch.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';
import { ownRelease } from '../../release/release.ts';
import {
  duplicate,
  FIELD_IMMUTABLE,
  invalid,
  invalidOmitted,
  invalidPrinted,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { countIndexes, sharedIndex } from './job-indexes.ts';

/** The rules of a write through `/status`. */
export function jobStatusErrors(job: Job, stored: Job, gates: FeatureGates): FieldError[] {
  const errors: FieldError[] = [];
  const { spec = {}, status = {} } = job;
  checkUncounted(status, errors);
  const before = stored.status ?? {};
  if (gates.has('JobManagedBy')) {
    const change: StatusChange = { spec, status, before, errors };
    checkEnd(change);
    checkFinished(change);
    checkIndexTexts(change);
    checkCounters(change);
  }
  if (ownRelease().has('successOfJobs')) checkSuccess({ spec, status, before, errors }, gates);
  return errors;
}

interface StatusChange {
  readonly spec: JobSpec;
  readonly status: JobStatus;
  /** The stored status. */
  readonly before: JobStatus;
  readonly errors: FieldError[];
}

function checkUncounted({ uncountedTerminatedPods = {} }: JobStatus, errors: FieldError[]): void {
  const seen = new Set<string>();
  for (const member of ['succeeded', 'failed'] as const) {
    uncountedTerminatedPods[member]?.forEach((uid, index) => {
      const field = `status.uncountedTerminatedPods.${member}[${index}]`;
      if (uid === '') errors.push(invalid(field, uid, 'must not be empty'));
      else if (seen.has(uid)) errors.push(duplicate(field, uid));
      seen.add(uid);
    });
  }
}

const CONDITIONS = 'status.conditions';

function holds({ conditions = [] }: JobStatus, type: string, status = 'True'): boolean {
  return conditions.some((one) => one.type === type && one.status === status);
}

function isFinished(status: JobStatus): boolean {
  return holds(status, 'Complete') || holds(status, 'Failed');
}

/** Whether one of these conditions begins or ceases to hold. */
function changes({ status, before }: StatusChange, ...types: readonly string[]): boolean {
  return types.some((type) => holds(status, type) !== holds(before, type));
}

function checkEnd(change: StatusChange): void {
  const { status, before, errors } = change;
  const isComplete = holds(status, 'Complete');
  if (changes(change, 'Complete', 'Failed') && isComplete && holds(status, 'Failed')) {
    errors.push(invalidOmitted(CONDITIONS, 'cannot set Complete=True and Failed=true conditions'));
  }
  const aims = changes(change, 'Complete', 'FailureTarget');
  if (aims && isComplete && holds(status, 'FailureTarget')) {
    const detail = 'cannot set Complete=True and FailureTarget=true conditions';
    errors.push(invalidOmitted(CONDITIONS, detail));
  }
  checkCompletionTime(change, isComplete);
  if (ownRelease().has('announcedEndsOfJobs')) checkAnnounced(change, isComplete);
  for (const type of ['Failed', 'Complete', 'FailureTarget'] as const) {
    if (!holds(before, type) || holds(status, type)) continue;
    errors.push(invalidOmitted(CONDITIONS, `cannot disable the terminal ${type}=True condition`));
  }
}

function checkCompletionTime(change: StatusChange, isComplete: boolean): void {
  const { status, before, errors } = change;
  const { startTime, completionTime } = status;
  const field = 'status.completionTime';
  const isMoved = completionTime !== before.completionTime;
  if (changes(change, 'Complete') || isMoved) {
    if (completionTime !== undefined && !isComplete) {
      const detail = 'cannot set completionTime when there is no Complete=True condition';
      errors.push(invalid(field, completionTime, detail));
    }
    if (completionTime === undefined && isComplete) {
      errors.push(required(field, 'completionTime is required for Complete jobs'));
    }
  }
  const isEarly =
    startTime !== undefined &&
    completionTime !== undefined &&
    Date.parse(completionTime) < Date.parse(startTime);
  if (isEarly && (isMoved || startTime !== before.startTime)) {
    const detail = ownRelease().has('plainStatusOfJobs')
      ? 'must be equal to or after `startTime`'
      : 'completionTime cannot be set before startTime';
    errors.push(invalid(field, completionTime, detail));
  }
  if (isMoved && completionTime !== undefined && before.completionTime !== undefined) {
    errors.push(invalid(field, completionTime, FIELD_IMMUTABLE));
  }
}

/** A Job says that it is about to end before it ends. */
function checkAnnounced(change: StatusChange, isComplete: boolean): void {
  const { status, before, errors } = change;
  const failsNow = changes(change, 'Failed') || status.failedIndexes !== before.failedIndexes;
  if (failsNow && holds(status, 'Failed') && !holds(status, 'FailureTarget')) {
    const detail = 'cannot set Failed=True condition without the FailureTarget=true condition';
    errors.push(invalidOmitted(CONDITIONS, detail));
  }
  const succeedsNow = changes(change, 'Complete', 'SuccessCriteriaMet');
  if (succeedsNow && isComplete && !holds(status, 'SuccessCriteriaMet')) {
    const detail =
      'cannot set Complete=True condition without the SuccessCriteriaMet=true condition';
    errors.push(invalidOmitted(CONDITIONS, detail));
  }
}

/** Checks what a Job that has ended may not have any more. */
function checkFinished(change: StatusChange): void {
  const { spec, status, before, errors } = change;
  const { active = 0, startTime, uncountedTerminatedPods, terminating = 0 } = status;
  const release = ownRelease();
  const isDone = isFinished(status);
  const ends = isDone !== isFinished(before);
  if (isDone && active > 0 && (ends || active !== (before.active ?? 0))) {
    errors.push(invalid('status.active', active, 'active>0 is invalid for finished job'));
  }
  const runsNothing = release.has('resumedJobs') && spec.suspend === true && spec.completions === 0;
  const begins = startTime !== before.startTime;
  if (isDone && startTime === undefined && (ends || begins) && !runsNothing) {
    errors.push(required('status.startTime', 'startTime is required for finished job'));
  }
  const { succeeded = [], failed = [] } = uncountedTerminatedPods ?? {};
  const counts = !deepEqual(uncountedTerminatedPods, before.uncountedTerminatedPods);
  if (isDone && succeeded.length + failed.length > 0 && (ends || counts)) {
    const detail = release.has('plainStatusOfJobs')
      ? 'must be empty for finished job'
      : 'uncountedTerminatedPods needs to be empty for finished job';
    const printed = JSON.stringify({
      Succeeded: uncountedTerminatedPods?.succeeded ?? null,
      Failed: uncountedTerminatedPods?.failed ?? null,
    });
    errors.push(invalidPrinted('status.uncountedTerminatedPods', printed, detail));
  }
  const isNew = ends || status.terminating !== before.terminating;
  if (release.has('announcedEndsOfJobs') && isDone && terminating > 0 && isNew) {
    const detail = 'terminating>0 is invalid for finished job';
    errors.push(invalid('status.terminating', terminating, detail));
  }
  const resumes =
    release.has('resumedJobs') && holds(before, 'Suspended') && holds(status, 'Suspended', 'False');
  if (before.startTime !== undefined && begins && spec.suspend !== true && !resumes) {
    const detail = 'field is immutable for unsuspended job once set';
    errors.push(invalid('status.startTime', startTime, detail));
  }
}

function checkIndexTexts({ spec, status, before, errors }: StatusChange): void {
  const { completions, backoffLimitPerIndex, completionMode } = spec;
  const { completedIndexes = '', failedIndexes } = status;
  const completes = completedIndexes !== (before.completedIndexes ?? '');
  const fails = failedIndexes !== before.failedIndexes;
  const completed = 'status.completedIndexes';
  const failed = 'status.failedIndexes';
  if (completes && completions !== undefined) {
    const { problem } = countIndexes(completedIndexes, completions);
    const detail = `error parsing completedIndexes: ${problem}`;
    if (problem !== '') errors.push(invalid(completed, completedIndexes, detail));
  }
  const isRead = completions !== undefined && failedIndexes !== undefined;
  if (fails && isRead && backoffLimitPerIndex !== undefined) {
    const { problem } = countIndexes(failedIndexes, completions);
    const detail = `error parsing failedIndexes: ${problem}`;
    if (problem !== '') errors.push(invalid(failed, failedIndexes, detail));
  }
  if (completes && completedIndexes !== '' && completionMode !== 'Indexed') {
    const detail = 'cannot set non-empty completedIndexes when non-indexed completion mode';
    errors.push(invalid(completed, completedIndexes, detail));
  }
  if (fails && backoffLimitPerIndex === undefined && failedIndexes !== undefined) {
    const detail = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null';
    errors.push(invalid(failed, failedIndexes, detail));
  }
  if (!isRead || !(fails || completes)) return;
  const shared = sharedIndex(completedIndexes, failedIndexes, completions);
  if (shared === undefined) return;
  const detail = `failedIndexes and completedIndexes overlap at index: ${shared}`;
  errors.push(invalid(failed, failedIndexes, detail));
}

function checkCounters({ spec, status, before, errors }: StatusChange): void {
  const { active = 0, ready, failed = 0, succeeded = 0 } = status;
  const moves = ready !== before.ready || active !== (before.active ?? 0);
  if (ownRelease().has('announcedEndsOfJobs') && moves && ready !== undefined && ready > active) {
    errors.push(invalid('status.ready', ready, 'cannot set more ready pods than active'));
  }
  if (failed < (before.failed ?? 0)) {
    errors.push(invalid('status.failed', failed, 'cannot decrease the failed counter'));
  }
  // Jobs that run all their indexes at once may lose some.
  const shrinks = spec.completionMode === 'Indexed' && spec.completions === spec.parallelism;
  if (!shrinks && succeeded < (before.succeeded ?? 0)) {
    errors.push(invalid('status.succeeded', succeeded, 'cannot decrease the succeeded counter'));
  }
}

/** The condition that a Job with a policy of success sets before it is complete. */
function checkSuccess({ spec, status, before, errors }: StatusChange, gates: FeatureGates): void {
  const { completionMode, successPolicy } = spec;
  const wrong = (detail: string): void => void errors.push(invalidOmitted(CONDITIONS, detail));
  const isMet = holds(status, 'SuccessCriteriaMet');
  const wasMet = holds(before, 'SuccessCriteriaMet');
  const isForAll =
    ownRelease().has('announcedEndsOfJobs') &&
    (wasMet || gates.has('JobManagedBy') || gates.has('JobPodReplacementPolicy'));
  if (!isForAll && isMet && completionMode !== 'Indexed') {
    wrong('cannot set SuccessCriteriaMet to NonIndexed Job');
  }
  if (isMet && holds(status, 'Failed')) {
    wrong('cannot set SuccessCriteriaMet=True and Failed=true conditions');
  }
  if (isMet && holds(status, 'FailureTarget')) {
    wrong('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions');
  }
  if (!isForAll && isMet && successPolicy === undefined) {
    wrong('cannot set SuccessCriteriaMet=True for Job without SuccessPolicy');
  }
  if (successPolicy !== undefined && !isMet && holds(status, 'Complete')) {
    wrong('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True');
  }
  if (wasMet && !isMet) wrong('cannot disable the SuccessCriteriaMet=True condition');
  if (holds(before, 'Complete') && !wasMet && isMet) {
    wrong('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions');
  }
}
