/** The annotation of Jobs whose pods are tracked by finalizers, while releases know it. */
import type { Job } from '#messages/batch.v1';
import type { FeatureGates } from '../../release/feature-gates.ts';
import { ownRelease } from '../../release/release.ts';
import { ownName } from '../../semantics/dialect/own-names.ts';
import { fieldForbidden, type FieldError } from '../../semantics/errors/field-error.ts';

const TRACKING = ownName('batch.cluster.io/job-tracking');

function isTracked({ metadata }: Job): boolean {
  return metadata.annotations?.[TRACKING] !== undefined;
}

/** Sets or drops the annotation: a Job keeps what it was created with. */
export function settleTracking(object: Job, gates: FeatureGates, stored: Job | undefined): void {
  const release = ownRelease();
  if (!release.has('trackingAnnotations')) return;
  const isOn = gates.has('JobTrackingWithFinalizers');
  const isMarked = stored === undefined ? isOn : isTracked(stored) && release.has('trackedJobs');
  if (isMarked) (object.metadata.annotations ??= {})[TRACKING] = '';
  else if (!isOn && (stored === undefined || !isTracked(stored))) {
    delete object.metadata.annotations?.[TRACKING];
  }
}

/** The errors of a Job that says it is tracked, and was not. */
export function trackingErrors(object: Job, stored: Job): FieldError[] {
  if (!ownRelease().has('trackingAnnotations') || isTracked(stored) || !isTracked(object)) {
    return [];
  }
  return [fieldForbidden(`metadata.annotations[${TRACKING}]`, 'cannot add this annotation')];
}
