/** HorizontalPodAutoscaler (README.md#autoscaling): stored as autoscaling/v2. */
import type {
  CrossVersionObjectReference,
  HorizontalPodAutoscaler,
  MetricSpec,
} from '#messages/autoscaling.v2';
import { ownRelease } from '../../release/release.ts';
import {
  fieldForbidden,
  invalid,
  NOT_NEGATIVE,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { defineKind, specChanges } from '../kind.ts';
import { dropAnnotations } from './autoscaler-annotations.ts';
import { applyBehaviorDefaults, checkBehavior, dropTolerances } from './autoscaler-behavior.ts';
import { AUTOSCALER_PRINTER } from './autoscaler-printer.ts';
import { AUTOSCALER_V1, AUTOSCALER_V2BETA1, AUTOSCALER_V2BETA2 } from './autoscaler-versions.ts';
import { checkApiVersion, checkMetrics, checkReference } from './metrics.ts';
import { defaultMetric } from './metrics-v1.ts';

export const HORIZONTAL_POD_AUTOSCALER = defineKind<HorizontalPodAutoscaler>({
  group: 'autoscaling',
  version: 'v2',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  shortNames: ['hpa'],
  categories: ['all'],
  namespaced: true,
  message: 'autoscaling.v2.HorizontalPodAutoscaler',
  nameRule: 'dnsSubdomain',
  statusSubresource: { metadataWritable: true },
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  bumpsGeneration: specChanges,
  generationGate: 'HPAGeneration',
  freeGenerateName: true,
  checksFinalizerNames: true,
  otherVersions: [AUTOSCALER_V1, AUTOSCALER_V2BETA2, AUTOSCALER_V2BETA1],
  printer: AUTOSCALER_PRINTER,

  applyDefaults({ metadata, spec }) {
    // Only v1 and v2beta1 use these annotations, and they were read on conversion.
    dropAnnotations(metadata);
    if (spec === undefined) return;
    if (!spec.metrics?.length) spec.metrics = [defaultMetric()];
    if (spec.behavior !== undefined) applyBehaviorDefaults(spec.behavior);
  },

  dropDisabled({ spec }, gates, stored) {
    dropTolerances(spec?.behavior, stored?.spec?.behavior, gates);
    if (gates.has('HPAContainerMetrics')) return;
    if (stored?.spec?.metrics?.some((metric) => metric.containerResource !== undefined)) return;
    for (const metric of spec?.metrics ?? []) delete metric.containerResource;
  },

  validate({ spec = {} }, stored, { gates }) {
    const errors: FieldError[] = [];
    const { minReplicas, maxReplicas = 0 } = spec;
    const least = gates.has('HPAScaleToZero') || stored?.spec?.minReplicas === 0 ? 0 : 1;
    if (minReplicas !== undefined && minReplicas < least) {
      const detail = `must be greater than or equal to ${least}`;
      errors.push(invalid('spec.minReplicas', minReplicas, detail));
    }
    if (maxReplicas < 1) errors.push(noReplicas(maxReplicas));
    if (minReplicas !== undefined && maxReplicas < minReplicas) {
      const detail = 'must be greater than or equal to `minReplicas`';
      errors.push(invalid('spec.maxReplicas', maxReplicas, detail));
    }
    checkTarget(spec.scaleTargetRef ?? {}, stored?.spec?.scaleTargetRef, errors);
    checkMetrics(spec.metrics ?? [], stored?.spec?.metrics ?? [], gates, errors);
    if (minReplicas === 0 && !spec.metrics?.some(measuresWithoutPods)) {
      const detail =
        'must specify at least one Object or External metric to support scaling to zero replicas';
      errors.push(fieldForbidden('spec.metrics', detail));
    }
    if (spec.behavior !== undefined) checkBehavior(spec.behavior, 'spec.behavior', errors);
    return errors;
  },

  validateStatusUpdate({ status = {} }) {
    const errors: FieldError[] = [];
    status.conditions?.forEach(({ observedGeneration = 0 }, index) => {
      if (observedGeneration >= 0) return;
      const field = `status.conditions[${index}].observedGeneration`;
      errors.push(invalid(field, observedGeneration, NOT_NEGATIVE));
    });
    for (const member of ['currentReplicas', 'desiredReplicas'] as const) {
      const count = status[member] ?? 0;
      if (count >= 0) continue;
      errors.push(invalid(`status.${member}`, count, NOT_NEGATIVE));
    }
    return errors;
  },
});

function noReplicas(maxReplicas: number): FieldError {
  const field = 'spec.maxReplicas';
  if (!ownRelease().has('requiredReplicas')) {
    return invalid(field, maxReplicas, 'must be greater than 0');
  }
  if (maxReplicas !== 0) return invalid(field, maxReplicas, 'must be greater than or equal to 1');
  return required(field, ownRelease().has('declaredRules') ? '' : 'must be set and greater than 0');
}

/** A target names its group, but for the one kind of the core group that can be scaled. */
function checkTarget(
  target: CrossVersionObjectReference,
  stored: CrossVersionObjectReference | undefined,
  errors: FieldError[],
): void {
  const field = 'spec.scaleTargetRef';
  checkReference(target, field, errors);
  const isKept = target.apiVersion === stored?.apiVersion && target.kind === stored?.kind;
  if (stored !== undefined && isKept) return;
  checkApiVersion(target, field, target.kind === 'ReplicationController', errors);
}

function measuresWithoutPods({ type }: MetricSpec): boolean {
  return type === 'Object' || type === 'External';
}
