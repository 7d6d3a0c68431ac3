/** The selectors of what is asked for, as authorizers look at them (README.md#selectors). */
import { parseFieldSelector } from '../semantics/selectors/field-selector.ts';
import type { FieldTerm } from '../semantics/selectors/field-selector.ts';
import { parseLabelSelector } from '../semantics/selectors/label-selector.ts';
import type { LabelRequirement } from '../semantics/selectors/label-selector.ts';
import type { AccessAttributes } from './authorizer.ts';

/** A selector narrows what is asked for: one that cannot be read narrows nothing. */
export function fieldTerms({ fieldSelector = [] }: AccessAttributes): readonly FieldTerm[] {
  if (typeof fieldSelector !== 'string') return fieldSelector;
  try {
    return parseFieldSelector(fieldSelector).terms;
  } catch {
    return [];
  }
}

export function labelRequirements({
  labelSelector = [],
}: AccessAttributes): readonly LabelRequirement[] {
  if (typeof labelSelector !== 'string') return labelSelector;
  try {
    return parseLabelSelector(labelSelector).requirements;
  } catch {
    return [];
  }
}
