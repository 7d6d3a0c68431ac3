/**
 * Checks the capacities of devices, and how much of them requests may ask for
 * (README.md#classes-and-slices).
 */
import type {
  CapacityRequestPolicy,
  CapacityRequestPolicyRange,
  DeviceCapacity,
} from '#messages/resource.v1';
import { appendAll } from '../../base/append-all.ts';
import {
  addQuantities,
  compareQuantities,
  milliQuantity,
  quantitySign,
  roundedQuantity,
  wholeQuantity,
} from '../../codec/leaves/quantity.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';
import {
  fieldForbidden,
  invalid,
  NOT_NEGATIVE,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { checkSet } from './item-rules.ts';

const VALUES_MAX = 10;
const WHOLE_MAX = '9223372036854775807';
const ONE_POLICY =
  'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the ' +
  'same time';

/** Only devices that may be allocated several times have policies. */
export function checkCapacity(
  { value = '0', requestPolicy: policy }: DeviceCapacity,
  isShared: boolean,
  field: string,
  errors: FieldError[],
  gates: FeatureGates,
): void {
  if (policy === undefined) return;
  const at = `${field}.requestPolicy`;
  if (isShared) checkPolicy(value, policy, at, errors, gates);
  else errors.push(fieldForbidden(at, 'allowMultipleAllocations must be true'));
}

function checkPolicy(
  capacity: string,
  { default: ofRequests, validValues = [], validRange }: CapacityRequestPolicy,
  field: string,
  errors: FieldError[],
  gates: FeatureGates,
): void {
  const isFractional = gates.has('DRAFractionalCapacityRange');
  if (validValues.length > 0 && validRange !== undefined) {
    errors.push(fieldForbidden(field, ONE_POLICY));
  } else if (validValues.length > 0) {
    if (ofRequests === undefined) {
      errors.push(required(`${field}.default`, 'required when validValues is defined'));
    } else {
      const at = `${field}.validValues`;
      checkValues(ofRequests, capacity, validValues, isFractional, at, errors);
    }
  } else if (validRange !== undefined) {
    if (ofRequests === undefined) {
      errors.push(required(`${field}.default`, 'required when validRange is defined'));
    } else {
      const at = `${field}.validRange`;
      checkRange(ofRequests, capacity, validRange, isFractional, at, errors);
    }
  }
}

function checkValues(
  ofRequests: string,
  capacity: string,
  values: readonly string[],
  isFractional: boolean,
  field: string,
  errors: FieldError[],
): void {
  values.forEach((value, index) => {
    const before = values[index - 1];
    if (before === undefined || compareQuantities(before, value) <= 0) return;
    const detail = 'values must be sorted in ascending order';
    errors.push(invalid(`${field}[${index}]`, value, detail));
  });
  checkSet(
    values,
    VALUES_MAX,
    (value, at) => {
      if (compareQuantities(value, capacity) <= 0) return;
      const detail = `option is larger than capacity value: ${capacity}`;
      errors.push(invalid(at, value, detail));
    },
    (value) => (isFractional ? decimalText(value) : String(wholeQuantity(value))),
    field,
    errors,
    { isDeclared: false },
  );
  if (values.some((value) => compareQuantities(value, ofRequests) === 0)) return;
  const detail = 'default value is not valid according to the requestPolicy';
  errors.push(invalid(field, ofRequests, detail));
}

/** Equal amounts have equal texts. */
function decimalText(quantity: string): string {
  const isWhole = compareQuantities(roundedQuantity(quantity), quantity) === 0;
  return isWhole ? String(wholeQuantity(quantity)) : addQuantities('0', quantity);
}

function checkRange(
  ofRequests: string,
  capacity: string,
  range: CapacityRequestPolicyRange,
  isFractional: boolean,
  field: string,
  errors: FieldError[],
): void {
  const { min, max, step } = range;
  if (min === undefined) {
    errors.push(required(`${field}.min`, 'required when validRange is defined'));
    return;
  }
  const above = (member: string, value: string, than: string, detail: string): void => {
    if (compareQuantities(value, than) > 0)
      errors.push(invalid(`${field}.${member}`, value, detail));
  };
  above('min', min, capacity, `min is larger than capacity value: ${capacity}`);
  if (compareQuantities(ofRequests, min) < 0) {
    errors.push(invalid(`${field}.default`, ofRequests, `default is less than min: ${min}`));
  }
  if (max !== undefined) {
    above('max', min, max, `min is larger than max: ${max}`);
    above('max', max, capacity, `max is larger than capacity value: ${capacity}`);
    above('default', ofRequests, max, `default is more than max: ${max}`);
  }
  const amounts = [
    ['default', ofRequests],
    ['min', min],
    ['max', max],
    ['step', step],
  ] as const;
  const inMilli =
    isFractional && amounts.some(([, value]) => value !== undefined && !isWhole(value));
  if (inMilli && hasFiner(amounts, field, errors)) return;
  if (step === undefined) return;
  checkStep({ step, min, max, ofRequests }, capacity, inMilli, amounts, field, errors);
}

type Amounts = readonly (readonly [member: string, value: string | undefined])[];

function isWhole(quantity: string): boolean {
  return compareQuantities(roundedQuantity(quantity), quantity) === 0;
}

/** Whether some amounts cannot be told in thousandths. */
function hasFiner(amounts: Amounts, field: string, errors: FieldError[]): boolean {
  const finer = amounts.flatMap(([member, value]) =>
    value === undefined || compareQuantities(`${milliQuantity(value)}m`, value) === 0
      ? []
      : [invalid(`${field}.${member}`, value, 'value cannot be represented as a milli value')],
  );
  appendAll(errors, finer);
  return finer.length > 0;
}

function checkStep(
  {
    step,
    min,
    max,
    ofRequests,
  }: Record<'step' | 'min' | 'ofRequests', string> & {
    readonly max: string | undefined;
  },
  capacity: string,
  inMilli: boolean,
  amounts: Amounts,
  field: string,
  errors: FieldError[],
): void {
  const at = `${field}.step`;
  if (quantitySign(step) <= 0) {
    errors.push(invalid(at, step, 'must be greater than zero'));
    return;
  }
  const first = addQuantities(min, step);
  if (compareQuantities(first, capacity) > 0) {
    const detail = `one step ${first} is larger than capacity value: ${capacity}`;
    errors.push(invalid(at, step, detail));
  }
  if (!inMilli && isOutOfBounds(amounts, field, errors)) return;
  const numberOf = inMilli ? milliQuantity : wholeQuantity;
  for (const value of max === undefined ? [ofRequests] : [ofRequests, max]) {
    if ((numberOf(value) - numberOf(min)) % numberOf(step) === 0n) continue;
    const detail = `value is not a multiple of a given step (${step}) from (${min})`;
    errors.push(invalid(at, value, detail));
  }
}

/** Whether some amounts are no whole numbers of 64 bits. */
function isOutOfBounds(amounts: Amounts, field: string, errors: FieldError[]): boolean {
  const outside = amounts.flatMap(([member, value]) => {
    if (value === undefined) return [];
    const at = `${field}.${member}`;
    if (quantitySign(value) < 0) return [invalid(at, value, NOT_NEGATIVE)];
    if (compareQuantities(value, WHOLE_MAX) <= 0) return [];
    return [invalid(at, value, `must not be larger than ${WHOLE_MAX}`)];
  });
  appendAll(errors, outside);
  return outside.length > 0;
}
