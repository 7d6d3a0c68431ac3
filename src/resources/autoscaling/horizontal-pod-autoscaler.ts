/** HorizontalPodAutoscaler (API-FACTS 3.4; SPEC migration table): stored as autoscaling/v2. */
import { invalid, NOT_NEGATIVE, type FieldError } from '../../semantics/field-error.ts';
import { defineKind, type ApiObject } from '../kind.ts';
import { dropAnnotations } from './autoscaler-annotations.ts';
import { applyBehaviorDefaults, checkBehavior, type Behavior } from './autoscaler-behavior.ts';
import { AUTOSCALER_PRINTER } from './autoscaler-printer.ts';
import { AUTOSCALER_V1, AUTOSCALER_V2BETA1, AUTOSCALER_V2BETA2 } from './autoscaler-views.ts';
import {
  checkMetrics,
  checkReference,
  type MetricSpec,
  type MetricStatus,
  type ObjectReference,
} from './metrics.ts';
import { defaultMetric } from './metrics-v1.ts';

export interface HorizontalPodAutoscaler extends ApiObject {
  spec?: {
    scaleTargetRef?: ObjectReference;
    minReplicas?: number;
    maxReplicas?: number;
    metrics?: MetricSpec[];
    behavior?: Behavior;
  };
  status?: {
    currentReplicas?: number;
    desiredReplicas?: number;
    currentMetrics?: MetricStatus[];
    conditions?: unknown[];
  };
}

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
  checksFinalizerNames: true,
  views: [AUTOSCALER_V1, AUTOSCALER_V2BETA2, AUTOSCALER_V2BETA1],
  printer: AUTOSCALER_PRINTER,

  applyDefaults({ metadata, spec }) {
    // Only v1 and v2beta1 say something by them, and that was read already.
    dropAnnotations(metadata);
    if (spec === undefined) return;
    if (!spec.metrics?.length) spec.metrics = [defaultMetric()];
    if (spec.behavior !== undefined) applyBehaviorDefaults(spec.behavior);
  },

  validate({ spec = {} }) {
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
    checkMetrics(spec.metrics ?? [], 'spec.metrics', errors);
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
