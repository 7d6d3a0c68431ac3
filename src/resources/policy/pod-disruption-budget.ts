/** PodDisruptionBudget (API-FACTS 3.4 and 3.5; SPEC migration table). */
import { checkConditions, type Condition } from '../../semantics/condition-validation.ts';
import { invalid, NOT_NEGATIVE, type FieldError } from '../../semantics/field-error.ts';
import {
  checkIntOrPercent,
  checkNotMoreThanWhole,
  type IntOrString,
} from '../../semantics/int-or-percent.ts';
import { checkLabelSelector, type LabelSelector } from '../../semantics/label-validation.ts';
import { defineKind, specChanges, type ApiObject } from '../kind.ts';
import { POD_DISRUPTION_BUDGET_V1BETA1 } from './pod-disruption-budget-v1beta1.ts';

export interface PodDisruptionBudget extends ApiObject {
  spec?: { minAvailable?: IntOrString; selector?: LabelSelector; maxUnavailable?: IntOrString };
  status?: {
    disruptionsAllowed?: number;
    currentHealthy?: number;
    desiredHealthy?: number;
    expectedPods?: number;
    conditions?: Condition[];
  };
}

const COUNTS = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const;

export const POD_DISRUPTION_BUDGET = defineKind<PodDisruptionBudget>({
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  shortNames: ['pdb'],
  namespaced: true,
  message: 'policy.v1.PodDisruptionBudget',
  nameRule: 'dnsSubdomain',
  statusSubresource: { metadataWritable: true },
  putCreates: false,
  unconditionalUpdate: false,
  deleteReturns: 'status',
  bumpsGeneration: specChanges,
  checksFinalizerNames: true,
  views: [POD_DISRUPTION_BUDGET_V1BETA1],

  validate({ spec = {} }) {
    const errors: FieldError[] = [];
    const { minAvailable, maxUnavailable, selector } = spec;
    if (minAvailable !== undefined && maxUnavailable !== undefined) {
      errors.push(invalid('spec', spec, 'minAvailable and maxUnavailable cannot be both set'));
    }
    checkShare(minAvailable, 'spec.minAvailable', errors);
    checkShare(maxUnavailable, 'spec.maxUnavailable', errors);
    checkLabelSelector(selector, 'spec.selector', errors);
    return errors;
  },

  validateStatusUpdate({ status = {} }) {
    const errors: FieldError[] = [];
    checkConditions(status.conditions ?? [], 'status.conditions', errors);
    for (const member of COUNTS) {
      const count = status[member] ?? 0;
      if (count >= 0) continue;
      errors.push(invalid(`status.${member}`, count, NOT_NEGATIVE));
    }
    return errors;
  },
});

function checkShare(value: IntOrString | undefined, field: string, errors: FieldError[]): void {
  if (value === undefined) return;
  checkIntOrPercent(value, field, errors);
  checkNotMoreThanWhole(value, field, errors);
}
