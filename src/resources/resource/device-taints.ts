/** Taints of devices, and tolerations of them. */
import { serverNowMs } from '../../base/time/server-clock.ts';
import type { DeviceTaint, DeviceToleration } from '#messages/resource.v1';
import { utcSeconds } from '../../base/time/utc-time.ts';
import { ownRelease } from '../../release/release.ts';
import {
  addProblems,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { checkLabelName } from '../../semantics/metadata/label-validation.ts';
import { labelValue } from '../../semantics/metadata/names.ts';

const EFFECTS: readonly string[] = ownRelease().has('informingTaints')
  ? ['NoExecute', 'NoSchedule', 'None']
  : ['NoExecute', 'NoSchedule'];
const OPERATORS = ['Equal', 'Exists'];

/** Says since when the taints are there. */
export function setTaintTimes(taints: readonly DeviceTaint[]): void {
  for (const taint of taints) taint.timeAdded ??= utcSeconds(serverNowMs());
}

/** An effect that is stored may stay. */
export function checkTaint(
  { key = '', value = '', effect = '' }: DeviceTaint,
  field: string,
  errors: FieldError[],
  stored?: DeviceTaint,
): void {
  checkLabelName(key, `${field}.key`, errors);
  if (value !== '') addProblems(labelValue(value), `${field}.value`, value, errors);
  if (stored !== undefined && (stored.effect ?? '') === effect) return;
  if (effect === '') errors.push(required(`${field}.effect`));
  else checkEffect(effect, `${field}.effect`, errors);
}

export function checkToleration(
  { key = '', operator = '', value = '', effect = '' }: DeviceToleration,
  field: string,
  errors: FieldError[],
): void {
  if (key !== '') checkLabelName(key, `${field}.key`, errors);
  if (operator === 'Exists') {
    if (value !== '') {
      errors.push(invalid(`${field}.value`, value, 'must be empty for operator `Exists`'));
    }
  } else if (operator === 'Equal') {
    addProblems(labelValue(value), `${field}.value`, value, errors);
  } else if (operator === '') errors.push(required(`${field}.operator`));
  else errors.push(notSupported(`${field}.operator`, operator, OPERATORS));
  if (effect !== '') checkEffect(effect, `${field}.effect`, errors);
}

function checkEffect(effect: string, field: string, errors: FieldError[]): void {
  if (!EFFECTS.includes(effect)) errors.push(notSupported(field, effect, EFFECTS));
}
