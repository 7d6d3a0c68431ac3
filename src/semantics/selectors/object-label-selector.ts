/**
 * The label selectors inside objects as selectors that match and print
 * (../README.md#label-selectors).
 */
import type { LabelSelector } from '#messages/meta.v1';
import {
  formatLabelSelector,
  type LabelOperator,
  type LabelRequirement,
  type ParsedLabelSelector,
} from './label-selector.ts';
import { labelValue, qualifiedName } from '../metadata/names.ts';

const OPERATORS: ReadonlyMap<string, LabelOperator> = new Map(
  (['In', 'NotIn', 'Exists', 'DoesNotExist'] as const).map((operator) => [operator, operator]),
);

/** A selector sorted by keys; undefined when a key, a value or an operator is invalid. */
export function toLabelSelector(selector: LabelSelector): ParsedLabelSelector | undefined {
  const requirements: LabelRequirement[] = [];
  for (const key in selector.matchLabels) {
    requirements.push({ key, operator: 'In', values: [selector.matchLabels[key] ?? ''] });
  }
  for (const { key = '', operator = '', values = [] } of selector.matchExpressions ?? []) {
    const known = OPERATORS.get(operator);
    if (known === undefined) return undefined;
    requirements.push({ key, operator: known, values: [...new Set(values)].sort(), isSet: true });
  }
  if (!requirements.every(isValid)) return undefined;
  return { requirements: requirements.sort(byKey) };
}

function isValid({ key, operator, values }: LabelRequirement): boolean {
  const takesValues = operator === 'In' || operator === 'NotIn';
  if (takesValues !== values.length > 0) return false;
  return qualifiedName(key).length === 0 && values.every((value) => labelValue(value).length === 0);
}

function byKey(a: LabelRequirement, b: LabelRequirement): number {
  return a.key < b.key ? -1 : Number(a.key > b.key);
}

/** The text form that the status of a Scale shows; '' for a selector that selects nothing. */
export function labelSelectorText(selector: LabelSelector | undefined): string {
  const parsed = selector === undefined ? undefined : toLabelSelector(selector);
  return parsed === undefined ? '' : formatLabelSelector(parsed);
}
