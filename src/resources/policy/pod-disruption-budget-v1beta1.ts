/**
 * PodDisruptionBudget in policy/v1beta1: an empty selector means no pods there and all pods in v1
 * (README.md#policy). Each is given in the other version by an expression on a label that no pod
 * has.
 */
import type { LabelSelector } from '#messages/meta.v1';
import { ownName } from '../../semantics/dialect/own-names.ts';
import type { ApiObject, KindVersion } from '../kind.ts';

const LABEL = ownName('pdb.cluster.io/deprecated-v1beta1-empty-selector-match');

export const POD_DISRUPTION_BUDGET_V1BETA1: KindVersion = {
  version: 'v1beta1',
  message: 'policy.v1beta1.PodDisruptionBudget',
  toStored: (object) => withSelector(object, 'DoesNotExist', 'Exists'),
  fromStored: (object) => withSelector(object, 'Exists', 'DoesNotExist'),
};

/**
 * Replaces the expression with the operator `whenEmpty` by the empty selector, and the empty
 * selector by the expression with the operator `emptyMeans`.
 */
function withSelector(object: ApiObject, whenEmpty: string, emptyMeans: string): ApiObject {
  const spec = object['spec'] as { selector?: LabelSelector } | undefined;
  const selector = spec?.selector;
  if (spec === undefined || selector === undefined) return object;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const [first] = matchExpressions;
  const hasLabels = Object.keys(matchLabels).length > 0;
  if (!hasLabels && first === undefined) {
    spec.selector = { matchExpressions: [{ key: LABEL, operator: emptyMeans }] };
  } else if (!hasLabels && matchExpressions.length === 1 && first?.key === LABEL) {
    if (first.operator === whenEmpty) spec.selector = {};
  } else {
    stripLabel(selector);
  }
  return object;
}

/** The label means nothing beside other requirements. */
function stripLabel(selector: LabelSelector): void {
  const { matchLabels, matchExpressions } = selector;
  if (matchLabels !== undefined) delete matchLabels[LABEL];
  if (matchExpressions?.some(({ key }) => key === LABEL) !== true) return;
  selector.matchExpressions = matchExpressions.filter(({ key }) => key !== LABEL);
}
