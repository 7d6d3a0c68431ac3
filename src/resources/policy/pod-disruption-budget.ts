/** PodDisruptionBudget (README.md#policy). */
import type { PodDisruptionBudget } from '#messages/policy.v1';
import { checkConditions } from '../../semantics/validation/condition-validation.ts';
import {
  invalid,
  NOT_NEGATIVE,
  notSupported,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import {
  checkIntOrPercent,
  checkNotMoreThanWhole,
  type IntOrString,
} from '../../semantics/validation/int-or-percent.ts';
import { checkLabelSelector } from '../../semantics/metadata/label-validation.ts';
import { defineKind, specChanges } from '../kind.ts';
import { AGE, NAME } from '../printer-cells.ts';
import { definePrinter, integer, text } from '../printer.ts';
import { POD_DISRUPTION_BUDGET_V1BETA1 } from './pod-disruption-budget-v1beta1.ts';

const COUNTS = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const;

const NOT_SET = 'N/A';
/** Whether pods that are not healthy may be evicted. */
const POLICIES: readonly string[] = ['AlwaysAllow', 'IfHealthyBudget'];

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
  freeGenerateName: true,
  checksFinalizerNames: false,
  otherVersions: [POD_DISRUPTION_BUDGET_V1BETA1],
  // prettier-ignore
  printer: definePrinter([
    NAME,
    text('Min Available', 'How many pods, or what share of them, must be available.',
      'spec.minAvailable', (least: unknown = NOT_SET) => String(least)),
    text('Max Unavailable', 'How many pods, or what share of them, may be missing.',
      'spec.maxUnavailable', (most: unknown = NOT_SET) => String(most)),
    integer('Allowed Disruptions', 'How many pods may be evicted now.',
      'status.disruptionsAllowed'),
    AGE,
  ]),

  validate({ spec = {} }, stored) {
    const errors: FieldError[] = [];
    const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = spec;
    if (minAvailable !== undefined && maxUnavailable !== undefined) {
      errors.push(invalid('spec', spec, 'minAvailable and maxUnavailable cannot be both set'));
    }
    checkShare(minAvailable, 'spec.minAvailable', errors);
    checkShare(maxUnavailable, 'spec.maxUnavailable', errors);
    checkLabelSelector(selector, 'spec.selector', errors, stored?.spec?.selector);
    if (policy !== undefined && !POLICIES.includes(policy)) {
      errors.push(notSupported('spec.unhealthyPodEvictionPolicy', policy, POLICIES));
    }
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
