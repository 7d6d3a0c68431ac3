/** Taints of nodes (README.md#nodes). */
import type { Taint } from '#messages/core.v1';
import {
  addJoinedProblems,
  duplicate,
  notSupported,
  required,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { checkLabelName } from '../../../semantics/metadata/label-validation.ts';
import { labelValue } from '../../../semantics/metadata/names.ts';

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

/** Adds the problems of the taints of a node, whose list is shown at the path `field`. */
export function checkTaints(taints: readonly Taint[], field: string, errors: FieldError[]): void {
  const seen = new Set<string>();
  taints.forEach((taint, index) => {
    const path = `${field}[${index}]`;
    const { key = '', value = '', effect = '' } = taint;
    checkLabelName(key, `${path}.key`, errors);
    addJoinedProblems(labelValue(value), `${path}.value`, value, errors, ';');
    if (effect === '') errors.push(required(`${path}.effect`));
    else checkEffect(effect, `${path}.effect`, errors);
    const identity = `${effect} ${key}`;
    if (seen.has(identity)) {
      const { message, ...error } = duplicate(path, taint);
      const detail = 'taints must be unique by key and effect pair';
      errors.push({ ...error, message: `${message}: ${detail}` });
    }
    seen.add(identity);
  });
}

function checkEffect(effect: string, field: string, errors: FieldError[]): void {
  if (EFFECTS.some((one) => one === effect)) return;
  errors.push(notSupported(field, effect, EFFECTS));
}
