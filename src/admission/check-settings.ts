/** Rules for the form of settings, made of smaller ones (README.md#settings). */
import {
  fieldForbidden,
  invalid,
  notSupported,
  required,
} from '../semantics/errors/field-error.ts';
import type { FieldError } from '../semantics/errors/field-error.ts';

/** Adds the problems of a value, which is undefined where there is none, to `errors`. */
export type SettingRule = (value: unknown, field: string, errors: FieldError[]) => void;

const INT32_MAX = 2 ** 31 - 1;

/** Members that have no rule may not be there. */
export function members(rules: Readonly<Record<string, SettingRule>>): SettingRule {
  return (value, field, errors) => {
    if (value === undefined) return;
    if (!isObject(value)) return void errors.push(invalid(field, value, 'must have members'));
    const at = (name: string): string => (field === '' ? name : `${field}.${name}`);
    for (const name of Object.keys(value)) {
      if (!Object.hasOwn(rules, name)) errors.push(fieldForbidden(at(name), 'unknown member'));
    }
    for (const [name, rule] of Object.entries(rules)) rule(value[name], at(name), errors);
  };
}

/** The members of a document of one kind, besides what says that it is one. */
export function document(
  apiVersions: string | readonly string[],
  kind: string,
  rules: Readonly<Record<string, SettingRule>>,
): SettingRule {
  return members({ apiVersion: given(...[apiVersions].flat()), kind: given(kind), ...rules });
}

export function listOf(rule: SettingRule): SettingRule {
  return (value, field, errors) => {
    if (value === undefined) return;
    if (!Array.isArray(value)) return void errors.push(invalid(field, value, 'must be a list'));
    value.forEach((item, index) => rule(item, `${field}[${index}]`, errors));
  };
}

/** Values of one sort, by names that are free. */
export function mapOf(rule: SettingRule): SettingRule {
  return (value, field, errors) => {
    if (value === undefined) return;
    if (!isObject(value)) return void errors.push(invalid(field, value, 'must have members'));
    for (const [name, item] of Object.entries(value)) rule(item, `${field}.${name}`, errors);
  };
}

export const text: SettingRule = (value, field, errors) => {
  if (value === undefined || typeof value === 'string') return;
  errors.push(invalid(field, value, 'must be a text'));
};

export const wholeNumber: SettingRule = (value, field, errors) => {
  if (value === undefined || Number.isInteger(value)) return;
  errors.push(invalid(field, value, 'must be a whole number'));
};

/** A whole number of 32 bits, which is 0 where it is absent. */
export function atLeast(least: number, detail: string): SettingRule {
  return (value = 0, field, errors) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value > INT32_MAX) {
      errors.push(invalid(field, value, 'must be a whole number of 32 bits'));
    } else if (value < least) errors.push(invalid(field, value, detail));
  };
}

export function oneOf(...values: readonly string[]): SettingRule {
  return (value = '', field, errors) => {
    if (values.some((one) => one === value)) return;
    errors.push(notSupported(field, value, values));
  };
}

function given(...wanted: readonly string[]): SettingRule {
  const rule = oneOf(...wanted);
  return (value, field, errors) => {
    if (value === undefined) errors.push(required(field, `give ${wanted[0]}`));
    else rule(value, field, errors);
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
