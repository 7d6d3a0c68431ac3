/** Rules for changes of the template of a Job (README.md#rules). */
import type { Job } from '#messages/batch.v1';
import type { Container, PodSpec, PodTemplateSpec } from '#messages/core.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';
import { ownRelease } from '../../release/release.ts';
import { FIELD_IMMUTABLE, invalid, type FieldError } from '../../semantics/errors/field-error.ts';

/** Adds an error where the template has changed in a way that it may not. */
export function checkTemplateUpdate(
  { spec = {} }: Job,
  stored: Job,
  gates: FeatureGates,
  errors: FieldError[],
): void {
  const template = spec.template ?? {};
  const before = stored.spec?.template ?? {};
  const isSuspended = stored.spec?.suspend === true;
  const isIdle = isSuspended && runsNothing(stored);
  const canMove = gates.has('MutableSchedulingDirectivesForSuspendedJobs')
    ? isIdle
    : isSuspended && stored.status?.startTime === undefined;
  const [now, then] = canMove ? [unscheduled(template), unscheduled(before)] : [template, before];
  if (isIdle && gates.has('MutablePodResourcesForSuspendedJobs')) {
    if (deepEqual(now.spec, withResources(then.spec ?? {}, now.spec ?? {}))) return;
    errors.push(invalid('spec.template.spec', template.spec, FIELD_IMMUTABLE));
  } else if (!deepEqual(now, then)) {
    errors.push(invalid('spec.template', template, FIELD_IMMUTABLE));
  }
}

/** Whether no pod of a Job that is suspended runs. */
function runsNothing({ status = {} }: Job): boolean {
  const isSaid = status.conditions?.some(
    ({ type, status: holds }) => type === 'Suspended' && holds === 'True',
  );
  return (status.startTime === undefined || isSaid === true) && (status.active ?? 0) === 0;
}

/**
 * The template without the members that say where its pods run: those may change until the job
 * starts.
 */
function unscheduled({ metadata, spec = {}, ...rest }: PodTemplateSpec): PodTemplateSpec {
  const { labels: _labels, annotations: _annotations, ...otherMetadata } = metadata ?? {};
  const { nodeSelector: _nodeSelector, tolerations: _tolerations, affinity, ...pod } = spec;
  const { nodeAffinity: _nodeAffinity, ...otherAffinity } = affinity ?? {};
  if (ownRelease().has('mutableSchedulingGates')) {
    delete (pod as { schedulingGates?: unknown }).schedulingGates;
  }
  return { ...rest, metadata: otherMetadata, spec: { ...pod, affinity: otherAffinity } };
}

/** A pod with the resources that the containers of another one have. */
function withResources(pod: PodSpec, other: PodSpec): PodSpec {
  const taken = (own: Container[] = [], others: Container[] = []): Container[] =>
    own.length === others.length
      ? own.map((container, index) => ofNamesake(container, others[index]))
      : own;
  const { containers, initContainers } = pod;
  return {
    ...pod,
    ...(containers && { containers: taken(containers, other.containers) }),
    ...(initContainers && { initContainers: taken(initContainers, other.initContainers) }),
  };
}

function ofNamesake(container: Container, other: Container | undefined): Container {
  if (other === undefined || other.name !== container.name) return container;
  const { resources: _resources, ...rest } = container;
  return other.resources === undefined ? rest : { ...rest, resources: other.resources };
}
