/** How fast an autoscaler may scale (README.md#autoscaling). */
import type {
  HorizontalPodAutoscalerBehavior,
  HPAScalingPolicy,
  HPAScalingRules,
} from '#messages/autoscaling.v2';
import { quantitySign } from '../../codec/leaves/quantity.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';
import {
  invalid,
  NOT_NEGATIVE,
  notSupported,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';

const WINDOW_SECONDS_MAX = 3600;
const PERIOD_SECONDS_MAX = 1800;
const SELECT_POLICIES = ['Disabled', 'Max', 'Min'] as const;
const POLICY_TYPES = ['Percent', 'Pods'] as const;

/** A behavior with rules for one direction gets the defaults of both. */
export function applyBehaviorDefaults(behavior: HorizontalPodAutoscalerBehavior): void {
  const up = (behavior.scaleUp ??= {});
  up.stabilizationWindowSeconds ??= 0;
  up.selectPolicy ??= 'Max';
  up.policies ??= [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ];
  const down = (behavior.scaleDown ??= {});
  down.selectPolicy ??= 'Max';
  down.policies ??= [{ type: 'Percent', value: 100, periodSeconds: 15 }];
}

/** Adds the problems of a behavior at the path `field`. */
export function checkBehavior(
  behavior: HorizontalPodAutoscalerBehavior,
  field: string,
  errors: FieldError[],
): void {
  checkRules(behavior.scaleUp, `${field}.scaleUp`, errors);
  checkRules(behavior.scaleDown, `${field}.scaleDown`, errors);
}

function checkRules(rules: HPAScalingRules | undefined, field: string, errors: FieldError[]): void {
  if (rules === undefined) return;
  const { stabilizationWindowSeconds: window, selectPolicy, policies = [] } = rules;
  const windowField = `${field}.stabilizationWindowSeconds`;
  if (window !== undefined && window < 0) {
    errors.push(invalid(windowField, window, 'must be greater than or equal to zero'));
  }
  if (window !== undefined && window > WINDOW_SECONDS_MAX) {
    const detail = `must be less than or equal to ${WINDOW_SECONDS_MAX}`;
    errors.push(invalid(windowField, window, detail));
  }
  if (selectPolicy !== undefined && !SELECT_POLICIES.some((one) => one === selectPolicy)) {
    errors.push(notSupported(`${field}.selectPolicy`, selectPolicy, SELECT_POLICIES));
  }
  if (policies.length === 0) {
    errors.push(required(`${field}.policies`, 'must specify at least one Policy'));
  }
  policies.forEach((policy, index) => {
    checkPolicy(policy, `${field}.policies[${index}]`, errors);
  });
  if (rules.tolerance !== undefined && quantitySign(rules.tolerance) < 0) {
    errors.push(invalid(`${field}.tolerance`, rules.tolerance, NOT_NEGATIVE));
  }
}

/** Drops the tolerances where their feature is off, unless one of them is in use. */
export function dropTolerances(
  behavior: HorizontalPodAutoscalerBehavior | undefined,
  stored: HorizontalPodAutoscalerBehavior | undefined,
  gates: FeatureGates,
): void {
  const isUsed = [stored?.scaleUp, stored?.scaleDown].some((rules) => rules?.tolerance);
  if (isUsed || gates.has('HPAConfigurableTolerance')) return;
  for (const rules of [behavior?.scaleUp, behavior?.scaleDown]) delete rules?.tolerance;
}

function checkPolicy(policy: HPAScalingPolicy, field: string, errors: FieldError[]): void {
  const { type = '', value = 0, periodSeconds = 0 } = policy;
  if (!POLICY_TYPES.some((one) => one === type)) {
    errors.push(notSupported(`${field}.type`, type, POLICY_TYPES));
  }
  if (value <= 0) errors.push(invalid(`${field}.value`, value, 'must be greater than zero'));
  const periodField = `${field}.periodSeconds`;
  if (periodSeconds <= 0) {
    errors.push(invalid(periodField, periodSeconds, 'must be greater than zero'));
  }
  if (periodSeconds > PERIOD_SECONDS_MAX) {
    const detail = `must be less than or equal to ${PERIOD_SECONDS_MAX}`;
    errors.push(invalid(periodField, periodSeconds, detail));
  }
}
