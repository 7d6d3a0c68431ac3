/** One limit of a LimitRange: the bounds for objects of one type (README.md#quotas-and-limits). */
import type { LimitRangeItem } from '#messages/core.v1';
import { textMap } from '../../base/text/text-map.ts';
import { compareQuantities } from '../../codec/leaves/quantity.ts';
import {
  fieldForbidden,
  invalid,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import {
  checkContainerResourceName,
  checkResourceName,
  isOvercommitAllowed,
  type ResourceList,
} from './resource-names.ts';

const MEMBERS = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

/** The defaults of containers follow from their bounds. */
export function applyLimitDefaults(limit: LimitRangeItem): void {
  if (limit.type !== 'Container') return;
  complete(limit, 'default', limit.max);
  complete(limit, 'defaultRequest', limit.default);
  complete(limit, 'defaultRequest', limit.min);
}

/** Adds the amounts of `others` for resources that the list does not name. */
function complete(
  limit: LimitRangeItem,
  member: 'default' | 'defaultRequest',
  others: ResourceList | undefined,
): void {
  if (others === undefined) return;
  limit[member] = textMap({ ...others, ...limit[member] });
}

/** Adds the problems of a limit at the path `field`. */
export function checkLimit(limit: LimitRangeItem, field: string, errors: FieldError[]): void {
  const isPod = limit.type === 'Pod';
  const checkName =
    isPod || limit.type === 'Container' ? checkContainerResourceName : checkResourceName;
  const names = new Set<string>();
  for (const member of MEMBERS) {
    const path = `${field}.${member}`;
    if (isPod && member.startsWith('default')) {
      if (limit[member] === undefined) continue;
      errors.push(fieldForbidden(path, "may not be specified when `type` is 'Pod'"));
      continue;
    }
    for (const name in limit[member]) {
      checkName(name, `${path}[${name}]`, errors);
      names.add(name);
    }
  }
  if (limit.type === 'PersistentVolumeClaim') checkClaim(limit, field, errors);
  for (const name of [...names].sort()) checkOrder(limit, name, field, errors);
}

function checkClaim({ min, max }: LimitRangeItem, field: string, errors: FieldError[]): void {
  if (min?.['storage'] !== undefined || max?.['storage'] !== undefined) return;
  const detail = 'either minimum or maximum storage value is required, but neither was provided';
  errors.push(required(`${field}.limits`, detail));
}

/**
 * Pairs of bounds, the first of which may not exceed the second: the member and the value that the
 * error shows, and its words.
 */
const ORDER = [
  ['min', 'max', 'min', 'min', 'min value', 'max value'],
  [
    'min',
    'defaultRequest',
    'defaultRequest',
    'defaultRequest',
    'min value',
    'default request value',
  ],
  [
    'defaultRequest',
    'max',
    'defaultRequest',
    'defaultRequest',
    'default request value',
    'max value',
  ],
  [
    'defaultRequest',
    'default',
    'defaultRequest',
    'defaultRequest',
    'default request value',
    'default limit value',
  ],
  ['min', 'default', 'default', 'min', 'min value', 'default value'],
  ['default', 'max', 'default', 'max', 'default value', 'max value'],
] as const;

function checkOrder(
  limit: LimitRangeItem,
  name: string,
  field: string,
  errors: FieldError[],
): void {
  const isPod = limit.type === 'Pod';
  for (const [lesser, greater, member, shown, lesserText, greaterText] of ORDER) {
    // Defaults of pods are an error of their own.
    if (isPod && (lesser.startsWith('default') || greater.startsWith('default'))) continue;
    const low = limit[lesser]?.[name];
    const high = limit[greater]?.[name];
    if (low === undefined || high === undefined || compareQuantities(low, high) <= 0) continue;
    const detail = `${lesserText} ${low} is greater than ${greaterText} ${high}`;
    errors.push(invalid(`${field}.${member}[${name}]`, limit[shown]?.[name], detail));
  }
  checkRatio(limit, name, field, errors);
  const { default: given, defaultRequest: asked } = limit;
  if (isPod || isOvercommitAllowed(name)) return;
  checkNoOvercommit(given?.[name], asked?.[name], name, field, errors);
}

function checkNoOvercommit(
  given: string | undefined,
  asked: string | undefined,
  name: string,
  field: string,
  errors: FieldError[],
): void {
  if (given === undefined || asked === undefined || compareQuantities(given, asked) === 0) return;
  const detail = `default value ${given} must equal to defaultRequest value ${asked} in ${name}`;
  errors.push(invalid(`${field}.defaultRequest[${name}]`, asked, detail));
}

function checkRatio(
  limit: LimitRangeItem,
  name: string,
  field: string,
  errors: FieldError[],
): void {
  const ratio = limit.maxLimitRequestRatio?.[name];
  if (ratio === undefined) return;
  const path = `${field}.maxLimitRequestRatio[${name}]`;
  if (compareQuantities(ratio, '1') < 0) {
    errors.push(invalid(path, ratio, `ratio ${ratio} is less than 1`));
  }
  const min = limit.min?.[name];
  const max = limit.max?.[name];
  if (min === undefined || max === undefined) return;
  const bound = quantityNumber(max) / quantityNumber(min);
  if (quantityNumber(ratio) <= bound) return;
  errors.push(invalid(path, ratio, `ratio ${ratio} is greater than max/min = ${bound.toFixed(6)}`));
}

const QUANTITY = /^([+-]?[0-9.]+)(?:e([+-]?[0-9]+)|([numkMGTPE])|([KMGTPE])i)?$/;
const DECIMAL_SUFFIXES = 'num kMGTPE';
const BINARY_SUFFIXES = ' KMGTPE';

/** The approximate value of a canonical quantity, which is enough to compare ratios. */
function quantityNumber(quantity: string): number {
  const [, digits = '0', exponent, decimal, binary] = QUANTITY.exec(quantity) ?? [];
  const number = Number(digits);
  if (exponent !== undefined) return number * 10 ** Number(exponent);
  if (decimal !== undefined) return number * 1000 ** (DECIMAL_SUFFIXES.indexOf(decimal) - 3);
  return binary === undefined ? number : number * 1024 ** BINARY_SUFFIXES.indexOf(binary);
}
