/**
 * Rules shared by all kinds that run pods from a template (src/resources/apps/README.md#workloads).
 */
import type { DeploymentStatus, ReplicaSetSpec } from '#messages/apps.v1';
import type { PodTemplateSpec } from '#messages/core.v1';
import type { LabelSelector } from '#messages/meta.v1';
import type { FeatureGates } from '../release/feature-gates.ts';
import { ownRelease } from '../release/release.ts';
import {
  fieldForbidden,
  invalid,
  invalidPrinted,
  notSupported,
  printPart,
  printTextMap,
  showsJson,
  type FieldError,
} from '../semantics/errors/field-error.ts';
import { labelMatcher } from '../semantics/selectors/label-matcher.ts';
import { checkLabelSelector, invalidSelector } from '../semantics/metadata/label-validation.ts';
import { dnsLabel } from '../semantics/metadata/names.ts';
import { toLabelSelector } from '../semantics/selectors/object-label-selector.ts';
import { podWarnings } from './core/pods/pod-warnings.ts';
import type { ApiObject } from './kind.ts';

/** A status that counts replicas. */
export interface ReplicaCounts {
  replicas?: number;
  fullyLabeledReplicas?: number;
  currentReplicas?: number;
  updatedReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
}

/**
 * Adds the problems of a selector. An empty one is refused with `emptyDetail`; an absent one is the
 * schema's error. `stored` is the selector that is replaced.
 */
export function checkWorkloadSelector(
  selector: LabelSelector | undefined,
  emptyDetail: string,
  errors: FieldError[],
  stored?: LabelSelector,
): void {
  if (selector === undefined) return;
  checkLabelSelector(selector, 'spec.selector', errors, stored);
  if (isEmpty(selector)) errors.push(invalidSelector('spec.selector', selector, emptyDetail));
}

function isEmpty({ matchLabels, matchExpressions = [] }: LabelSelector): boolean {
  return matchExpressions.length === 0 && hasNone(matchLabels);
}

/**
 * Adds an error when the template's labels are not selected; an absent selector selects nothing.
 * Returns false when the selector cannot be parsed, without an error of its own.
 */
export function checkTemplateSelected(
  { selector, template }: ReplicaSetSpec,
  errors: FieldError[],
): boolean {
  const parsed = selector === undefined ? undefined : toLabelSelector(selector);
  if (selector !== undefined && parsed === undefined) return false;
  const labels = template?.metadata?.labels;
  if (parsed === undefined || !labelMatcher(parsed)(labels)) errors.push(notSelected(labels));
  return true;
}

/** The error of a template whose labels its controller does not select. */
export function notSelected(labels: Readonly<Record<string, string>> | undefined): FieldError {
  const detail = '`selector` does not match template `labels`';
  return invalidPrinted('spec.template.metadata.labels', printTextMap(labels), detail);
}

/** Adds an error unless pods always restart, as those of a `kind` must. */
export function checkRunsAlways(
  template: PodTemplateSpec | undefined,
  kind: string,
  errors: FieldError[],
): void {
  const { restartPolicy = '', activeDeadlineSeconds } = template?.spec ?? {};
  if (restartPolicy !== 'Always') {
    errors.push(notSupported('spec.template.spec.restartPolicy', restartPolicy, ['Always']));
  }
  if (activeDeadlineSeconds !== undefined) {
    const detail = `activeDeadlineSeconds in ${kind} is not Supported`;
    errors.push(fieldForbidden('spec.template.spec.activeDeadlineSeconds', detail));
  }
}

/** Adds an error for each disk that several pods could not mount at once. */
export function checkDisksShareable(
  template: PodTemplateSpec | undefined,
  gates: FeatureGates,
  errors: FieldError[],
): void {
  if (gates.has('SkipReadOnlyValidationGCE')) return;
  template?.spec?.volumes?.forEach(({ gcePersistentDisk: disk }, index) => {
    if (disk === undefined || disk.readOnly === true) return;
    const field = `spec.template.spec.volumes[${index}].gcePersistentDisk.readOnly`;
    const detail =
      'must be true for replicated pods > 1; ' +
      'GCE PD can only be mounted on multiple machines if it is read-only';
    errors.push(invalid(field, false, detail));
  });
}

/** Adds an error for each of `counts` above the replicas, and for more available than ready. */
export function checkReplicaCounts(
  status: ReplicaCounts,
  counts: readonly (keyof ReplicaCounts)[],
  readyName: string,
  errors: FieldError[],
): void {
  const { replicas = 0, readyReplicas = 0, availableReplicas = 0 } = status;
  for (const name of counts) {
    const count = status[name] ?? 0;
    if (count <= replicas) continue;
    errors.push(invalid(`status.${name}`, count, 'cannot be greater than status.replicas'));
  }
  if (availableReplicas <= readyReplicas) return;
  const detail = `cannot be greater than ${readyName}`;
  errors.push(invalid('status.availableReplicas', availableReplicas, detail));
}

/** `validateStatusUpdate` of ReplicaSets, and of the ReplicationControllers that they replace. */
export function replicaSetStatusErrors({ status = {} }: { status?: ReplicaCounts }): FieldError[] {
  const errors: FieldError[] = [];
  const counts = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const;
  checkReplicaCounts(status, counts, 'readyReplicas', errors);
  return errors;
}

interface Templated extends ApiObject {
  spec?: Pick<ReplicaSetSpec, 'template'>;
}

/** Warns clients that create an object about its name, which its pods have too. */
export function nameWarnings({ metadata: { name = '' } }: ApiObject): string[] {
  const problems = ownRelease().has('podNameWarnings') ? dnsLabel(name) : [];
  if (problems.length === 0) return [];
  const what =
    'this is used in Pod names and hostnames, which can result in surprising behavior; ' +
    `a DNS label is recommended: [${problems.join(' ')}]`;
  return [`metadata.name: ${what}`];
}

/** `createWarnings` of kinds with a template of pods. */
export function templateWarnings({ spec }: Templated): string[] {
  return podWarnings(spec?.template ?? {}, 'spec.template');
}

/** `updateWarnings` of kinds whose generation counts each change of the spec. */
export function changedTemplateWarnings(object: Templated, stored: Templated): string[] {
  return object.metadata.generation === stored.metadata.generation ? [] : templateWarnings(object);
}

type Collisions = Pick<DeploymentStatus, 'collisionCount'>;

/** Adds an error when the count of name collisions decreases. */
export function checkCollisionCount(
  { collisionCount }: Collisions,
  { collisionCount: stored }: Collisions,
  errors: FieldError[],
): void {
  if (stored === undefined) return;
  if (collisionCount !== undefined && collisionCount >= stored) return;
  errors.push(invalid('status.collisionCount', collisionCount ?? 0, 'cannot be decremented'));
}

/** A strategy of updates as errors show it. */
export function printStrategy(strategy: object): string {
  return showsJson() ? printPart(strategy, ['Type', 'RollingUpdate']) : JSON.stringify(strategy);
}

/** Whether there are no labels, or annotations. */
export function hasNone(labels: Readonly<Record<string, string>> | undefined): boolean {
  return labels === undefined || Object.keys(labels).length === 0;
}
