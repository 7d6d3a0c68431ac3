/** Conditions of devices on which pods wait before they are bound. */
import { duplicate, invalid, type FieldError } from '../../semantics/errors/field-error.ts';
import { checkLabelName } from '../../semantics/metadata/label-validation.ts';
import { checkList } from './item-rules.ts';

const CONDITIONS_MAX = 4;

interface BindingConditions {
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
}

/** Both are there or none, and no condition is in both. */
export function checkBindingConditions(
  { bindingConditions = [], bindingFailureConditions = [] }: BindingConditions,
  field: string,
  errors: FieldError[],
): void {
  const bound = `${field}.bindingConditions`;
  const failed = `${field}.bindingFailureConditions`;
  checkList(bindingConditions, CONDITIONS_MAX, checkLabelName, bound, errors);
  checkList(bindingFailureConditions, CONDITIONS_MAX, checkLabelName, failed, errors);
  checkUnique(bindingConditions, bound, errors);
  checkUnique(bindingFailureConditions, failed, errors);
  bindingFailureConditions.forEach((condition, index) => {
    if (!bindingConditions.includes(condition)) return;
    const detail = 'bindingFailureConditions must not overlap with bindingConditions';
    errors.push(invalid(`${failed}[${index}]`, condition, detail));
  });
  if (bindingConditions.length === 0 && bindingFailureConditions.length > 0) {
    const detail = 'bindingConditions are required to use bindingFailureConditions';
    errors.push(invalid(bound, null, detail));
  }
  if (bindingFailureConditions.length === 0 && bindingConditions.length > 0) {
    const detail = 'bindingFailureConditions are required to use bindingConditions';
    errors.push(invalid(failed, null, detail));
  }
}

function checkUnique(conditions: readonly string[], field: string, errors: FieldError[]): void {
  const seen = new Set<string>();
  conditions.forEach((condition, index) => {
    if (seen.has(condition)) errors.push(duplicate(`${field}[${index}]`, condition));
    seen.add(condition);
  });
}
