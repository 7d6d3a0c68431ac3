/** Selectors of devices, and attributes that are computed of them (README.md#expressions). */
import type { DeviceSelector } from '#messages/resource.v1';
import type { FeatureGates } from '../../release/feature-gates.ts';
import { checkDeviceExpression } from '../../schema/cel/device-expression.ts';
import { ownRelease } from '../../release/release.ts';
import {
  fieldForbidden,
  invalid,
  required,
  tooLong,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { checkList } from './item-rules.ts';

const SELECTORS_MAX = 32;
const EXPRESSION_BYTES_MAX = 10 * 1024;
/** The most that one expression may cost, and all of a claim that compute attributes. */
export const COST_MAX = 1_000_000;
const BOUNDS_COSTS = ownRelease().has('boundedDeviceCosts');

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

/** Gives the most that the expression costs; 0 where it has problems. */
export function checkExpression(
  text: string,
  field: string,
  errors: FieldError[],
  gates: FeatureGates,
  result: 'selector' | 'attribute',
): number {
  if (Buffer.byteLength(text) > EXPRESSION_BYTES_MAX) {
    errors.push(tooLong(field, EXPRESSION_BYTES_MAX));
    return 0;
  }
  const { problem, cost } = checkDeviceExpression(text, result, {
    tellsOfSharing: gates.has('DRAConsumableCapacity'),
    hasLists: gates.has('DRAListTypeAttributes'),
  });
  if (problem !== '') errors.push(invalid(field, text, problem));
  else if (BOUNDS_COSTS && cost > COST_MAX) {
    errors.push(fieldForbidden(field, 'too complex, exceeds cost limit'));
  }
  return cost;
}
