/** HorizontalPodAutoscaler (README.md#autoscaling): stored as autoscaling/v2. */
import type { HorizontalPodAutoscaler, MetricSpec } from '#messages/autoscaling.v2';
import {
  fieldForbidden,
  invalid,
  NOT_NEGATIVE,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { defineKind } from '../kind.ts';
import { dropAnnotations } from './autoscaler-annotations.ts';
import { applyBehaviorDefaults, checkBehavior } from './autoscaler-behavior.ts';
import { AUTOSCALER_PRINTER } from './autoscaler-printer.ts';
import { AUTOSCALER_V1, AUTOSCALER_V2BETA1, AUTOSCALER_V2BETA2 } from './autoscaler-versions.ts';
import { checkMetrics, checkReference } from './metrics.ts';
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
  referenceStorage: 'v1',
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
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
    if (gates.has('HPAContainerMetrics')) return;
    if (stored?.spec?.metrics?.some((metric) => metric.containerResource !== undefined)) return;
    for (const metric of spec?.metrics ?? []) delete metric.containerResource;
  },

  validate({ spec = {} }, _, { gates }) {
    const errors: FieldError[] = [];
    const { minReplicas, maxReplicas = 0 } = spec;
    if (maxReplicas < 1) {
      errors.push(invalid('spec.maxReplicas', maxReplicas, 'must be greater than 0'));
    }
    if (minReplicas !== undefined && maxReplicas < minReplicas) {
      const detail = 'must be greater than or equal to `minReplicas`';
      errors.push(invalid('spec.maxReplicas', maxReplicas, detail));
    }
    checkReference(spec.scaleTargetRef ?? {}, 'spec.scaleTargetRef', errors);
    checkMetrics(spec.metrics ?? [], gates, errors);
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
    for (const member of ['currentReplicas', 'desiredReplicas'] as const) {
      const count = status[member] ?? 0;
      if (count >= 0) continue;
      errors.push(invalid(`status.${member}`, count, NOT_NEGATIVE));
    }
    return errors;
  },
});

function measuresWithoutPods({ type }: MetricSpec): boolean {
  return type === 'Object' || type === 'External';
}
