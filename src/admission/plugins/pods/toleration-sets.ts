/** Which tolerations cover others. Absent members are empty ones. */
import type { Toleration } from '#messages/core.v1';
import { tolerationText } from '../../../resources/core/pods/pod-scheduling.ts';

/** Both without those that others cover; of equal ones the first stays. */
export function mergeTolerations(
  first: readonly Toleration[],
  second: readonly Toleration[],
): Toleration[] {
  const all = [...first, ...second];
  const merged: Toleration[] = [];
  all.forEach((one, index) => {
    if (merged.some((kept) => covers(kept, one))) return;
    const later = all.slice(index + 1);
    if (later.some((other) => !isEqual(one, other) && covers(other, one))) return;
    merged.push(one);
  });
  return merged;
}

/** Whether each is covered by one that is allowed; where none is named all are allowed. */
export function areAllowed(
  tolerations: readonly Toleration[],
  allowed: readonly Toleration[],
): boolean {
  if (allowed.length === 0) return true;
  return tolerations.every((one) => allowed.some((other) => covers(other, one)));
}

/** Whether `wide` tolerates whatever `one` does. */
function covers(wide: Toleration, one: Toleration): boolean {
  if (isEqual(wide, one)) return true;
  const { key = '', operator = '', effect = '', tolerationSeconds } = wide;
  const isAnyKey = key === '' && operator === 'Exists';
  if ((one.key ?? '') !== key && !isAnyKey) return false;
  if ((one.effect ?? '') !== effect && effect !== '') return false;
  if (effect === 'NoExecute' && tolerationSeconds !== undefined) {
    if (one.tolerationSeconds === undefined || one.tolerationSeconds > tolerationSeconds) {
      return false;
    }
  }
  if (operator === 'Exists') return true;
  return one.operator === 'Equal' && (one.value ?? '') === (wide.value ?? '');
}

function isEqual(a: Toleration, b: Toleration): boolean {
  return textOf(a) === textOf(b);
}

function textOf({
  key = '',
  operator = '',
  value = '',
  effect = '',
  tolerationSeconds,
}: Toleration) {
  return `${tolerationText({ key, operator, value, effect })} ${tolerationSeconds ?? ''}`;
}
