/** Selectors of devices, and attributes that are computed of them (README.md#expressions). */
import type { DeviceSelector } from '#messages/resource.v1';
import type { FeatureGates } from '../../release/feature-gates.ts';
import { checkDeviceExpression } from '../../schema/cel/device-expression.ts';
import { invalid, required, tooLong, type FieldError } from '../../semantics/errors/field-error.ts';
import { checkList } from './item-rules.ts';

const SELECTORS_MAX = 32;
const EXPRESSION_BYTES_MAX = 10 * 1024;

/** Expressions that are stored are not compiled again. */
export function checkSelectors(
  selectors: readonly DeviceSelector[],
  field: string,
  errors: FieldError[],
  gates: FeatureGates,
  isStored = false,
): void {
  const check = ({ cel }: DeviceSelector, at: string): void => {
    if (cel === undefined) errors.push(required(`${at}.cel`));
    else if (!isStored) {
      checkExpression(cel.expression ?? '', `${at}.cel.expression`, errors, gates, 'selector');
    }
  };
  checkList(selectors, SELECTORS_MAX, check, field, errors);
}

export function checkExpression(
  text: string,
  field: string,
  errors: FieldError[],
  gates: FeatureGates,
  result: 'selector' | 'attribute',
): void {
  if (Buffer.byteLength(text) > EXPRESSION_BYTES_MAX) {
    errors.push(tooLong(field, EXPRESSION_BYTES_MAX));
    return;
  }
  const problem = checkDeviceExpression(text, result, {
    tellsOfSharing: gates.has('DRAConsumableCapacity'),
    hasLists: gates.has('DRAListTypeAttributes'),
  });
  if (problem !== '') errors.push(invalid(field, text, problem));
}
