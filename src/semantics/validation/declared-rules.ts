/**
 * Rules as the reference declares them beside the members of its types, with its words
 * (README.md#declared-rules). A kind whose rules are declared says them as a table.
 */
import { deepEqual } from '../../base/deep-equal.ts';
import type { FeatureGate, FeatureGates } from '../../release/feature-gates.ts';
import {
  addProblems,
  duplicate,
  FIELD_IMMUTABLE,
  fieldForbidden,
  invalid,
  notSupported,
  required,
  tooLongText,
  tooMany,
  type FieldError,
} from '../errors/field-error.ts';

/** Rules know this besides the value, and put errors there. */
export interface DeclaredCheck {
  readonly isUpdate: boolean;
  readonly gates: FeatureGates;
  readonly errors: FieldError[];
}

/** A value with what was stored in its place; undefined is absent. */
export interface DeclaredValue {
  readonly value: unknown;
  readonly stored: unknown;
  readonly field: string;
}

/** Returns false where nothing else is to be asked of the value. */
export type DeclaredRule = (value: DeclaredValue, check: DeclaredCheck) => boolean;

export type Members = Readonly<Record<string, unknown>>;

/** The errors of an object; `stored` is absent on create. */
export function declaredErrors(
  rule: DeclaredRule,
  object: object,
  stored: object | undefined,
  gates: FeatureGates,
): FieldError[] {
  const errors: FieldError[] = [];
  const isUpdate = stored !== undefined;
  rule({ value: object, stored, field: '' }, { isUpdate, gates, errors });
  return errors;
}

/** Asks all of `first`, and the rest only if none of them ends it. */
export function rules(first: readonly DeclaredRule[], ...rest: DeclaredRule[]): DeclaredRule {
  return (value, check) => {
    const goesOn = first.map((rule) => rule(value, check));
    if (goesOn.includes(false)) return false;
    for (const rule of rest) rule(value, check);
    return true;
  };
}

/**
 * The rules of a message: those of the whole, then those of its members in the order of the table.
 * What an update leaves as it is, is not checked again.
 */
export function message(
  table: Readonly<Record<string, DeclaredRule>>,
  ...whole: DeclaredRule[]
): DeclaredRule {
  const members = Object.entries(table);
  return ({ value = {}, stored, field }, check) => {
    for (const rule of whole) rule({ value, stored, field }, check);
    for (const [name, rule] of members) {
      const now = (value as Members)[name];
      const before = (stored as Members | undefined)?.[name];
      if (check.isUpdate && stored !== undefined && deepEqual(now, before)) continue;
      const path = field === '' ? name : `${field}.${name}`;
      rule({ value: now, stored: before, field: path }, check);
    }
    return true;
  };
}

/** The items of a list that has no keys. */
export function items(rule: DeclaredRule): DeclaredRule {
  return ({ value = [], field }, check) => {
    (value as readonly unknown[]).forEach((item, index) => {
      rule({ value: item, stored: undefined, field: `${field}[${index}]` }, check);
    });
    return true;
  };
}

/** The items of a list of which no two have the same key; `shown` is how one is told. */
export function keyedItems(
  key: string,
  rule: DeclaredRule,
  shown: (item: Members) => object = (item) => item,
): DeclaredRule {
  return ({ value = [], stored = [], field }, check) => {
    const seen = new Set<unknown>();
    const list = value as readonly Members[];
    list.forEach((item, index) => {
      const name = keyOf(item, key);
      if (seen.has(name)) check.errors.push(duplicate(`${field}[${index}]`, shown(item)));
      seen.add(name);
    });
    list.forEach((item, index) => {
      const before = withKey(stored as readonly Members[], key, item);
      if (check.isUpdate && before !== undefined && deepEqual(item, before)) return;
      rule({ value: item, stored: before, field: `${field}[${index}]` }, check);
    });
    return true;
  };
}

/** Shows items with those members that are always written, in front. */
export function withMembers(zeros: Members): (item: Members) => object {
  return (item) => ({ ...zeros, ...item });
}

function keyOf(item: Members, key: string): unknown {
  return item[key] ?? '';
}

function withKey(list: readonly Members[], key: string, item: Members): Members | undefined {
  return list.find((other) => keyOf(other, key) === keyOf(item, key));
}

/** Items may be neither added nor removed. */
export function sameItems(key: string): DeclaredRule {
  return ({ value = [], stored = [], field }, { isUpdate, errors }) => {
    if (!isUpdate) return true;
    const before = errors.length;
    const now = value as readonly Members[];
    const then = stored as readonly Members[];
    now.forEach((item, index) => {
      if (withKey(then, key, item) !== undefined) return;
      errors.push(fieldForbidden(`${field}[${index}]`, 'item may not be added'));
    });
    for (const item of then) {
      if (withKey(now, key, item) !== undefined) continue;
      errors.push(fieldForbidden(field, 'item may not be removed'));
    }
    return errors.length === before;
  };
}

function isAbsent(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

function isZero(value: unknown): boolean {
  return isAbsent(value) || value === '' || value === 0;
}

/** Absent values are not checked. */
export const optional: DeclaredRule = ({ value }) => !isAbsent(value);

/** Nor is what is empty, where that is the same as absent. */
export const optionalValue: DeclaredRule = ({ value }) => !isZero(value);

/** Empty and zero values count as absent. */
export const requiredValue: DeclaredRule = ({ value, field }, { errors }) => {
  if (!isZero(value)) return true;
  errors.push(required(field));
  return false;
};

/** Empty and zero values are there. */
export const present: DeclaredRule = ({ value, field }, { errors }) => {
  if (!isAbsent(value)) return true;
  errors.push(required(field));
  return false;
};

/** An update cannot change it: only what changed is asked. */
export const immutable: DeclaredRule = ({ field }, { isUpdate, errors }) => {
  if (isUpdate) errors.push(invalid(field, null, FIELD_IMMUTABLE));
  return !isUpdate;
};

/** May be there only while the feature is on. */
export function forbiddenWithout(gate: FeatureGate): DeclaredRule {
  return ({ value, field }, { gates, errors }) => {
    if (gates.has(gate)) return true;
    if (!isAbsent(value) && value !== '') errors.push(fieldForbidden(field, ''));
    return false;
  };
}

/** A rule that holds while the feature is on. */
export function withGate(gate: FeatureGate, rule: DeclaredRule): DeclaredRule {
  return (value, check) => !check.gates.has(gate) || rule(value, check);
}

function changeOf(detail: string, isRefused: (now: boolean, then: boolean) => boolean) {
  const rule: DeclaredRule = ({ value, stored, field }, { isUpdate, errors }) => {
    if (!isUpdate || !isRefused(!isAbsent(value), !isAbsent(stored))) return true;
    errors.push(invalid(field, null, detail));
    return false;
  };
  return rule;
}

/** An update may not add it. */
export const notSet = changeOf('field cannot be set once created', (now, then) => now && !then);

/** An update may not remove it. */
export const notCleared = changeOf('field cannot be cleared once set', (now, then) => !now && then);

/** An update may not give it another value. */
export const notModified = changeOf(
  'field cannot be modified once set',
  (now, then) => now && then,
);

/** An update may not make it less. */
export const monotonic: DeclaredRule = ({ value, stored, field }, { errors }) => {
  if (value !== undefined && stored !== undefined && Number(value) < Number(stored)) {
    errors.push(invalid(field, value, `may not be decreased from ${Number(stored)}`));
  }
  return true;
};

/** Exactly one of the members is there; an update that leaves open which ones is not asked. */
export function oneOf(...names: readonly string[]): DeclaredRule {
  const quoted = names.map((name) => `\`${name}\``).join(', ');
  return ({ value = {}, stored, field }, { isUpdate, errors }) => {
    const has = (object: unknown, name: string): boolean => !isAbsent((object as Members)[name]);
    const isSame = (name: string): boolean => has(value, name) === has(stored, name);
    if (isUpdate && stored !== undefined && names.every(isSame)) return true;
    const set = names.filter((name) => has(value, name));
    if (set.length > 1) {
      const detail = `must specify exactly one of: ${quoted}`;
      errors.push(invalid(field, `{${set.join(', ')}}`, detail));
    } else if (set.length === 0) {
      errors.push(invalid(field, '', `must specify one of: ${quoted}`));
    }
    return true;
  };
}

/**
 * A member that may be there only while the member `by` has a value, and then must be where it is
 * needed. An update that leaves both as they are is not asked.
 */
export function onlyWith(name: string, by: string, value: string, isNeeded: boolean): DeclaredRule {
  return ({ value: whole = {}, stored, field }, { isUpdate, errors }) => {
    const now = whole as Members;
    const before = stored as Members | undefined;
    const isSame = (member: string): boolean => deepEqual(now[member], before?.[member]);
    if (isUpdate && before !== undefined && isSame(by) && isSame(name)) return true;
    const path = `${field}.${name}`;
    if (now[by] !== value) {
      if (!isAbsent(now[name])) errors.push(fieldForbidden(path, ''));
    } else if (isNeeded && isAbsent(now[name])) {
      errors.push(required(path));
    }
    return true;
  };
}

export function maxItems(most: number): DeclaredRule {
  return ({ value = [], field }, { errors }) => {
    const { length } = value as readonly unknown[];
    if (length <= most) return true;
    errors.push(tooMany(field, length, most));
    return false;
  };
}

export function minimum(least: number): DeclaredRule {
  return ({ value = 0, field }, { errors }) => {
    if (Number(value) >= least) return true;
    errors.push(invalid(field, value, `must be greater than or equal to ${least}`));
    return true;
  };
}

export function maximum(most: number): DeclaredRule {
  return ({ value = 0, field }, { errors }) => {
    if (Number(value) > most) {
      errors.push(invalid(field, value, `must be less than or equal to ${most}`));
    }
    return true;
  };
}

/** A text of so many characters at most. */
export function maxLength(most: number): DeclaredRule {
  return ({ value = '', field }, { errors }) => {
    if (Array.from(value as string).length > most) errors.push(tooLongText(field, most));
    return true;
  };
}

/** A text in a form; `problemsOf` is one of `names.ts`. */
export function textForm(problemsOf: (text: string) => readonly string[]): DeclaredRule {
  return ({ value = '', field }, { errors }) => {
    const text = value as string;
    addProblems(problemsOf(text), field, text, errors);
    return true;
  };
}

/** One of some values, which are told in the order of their names. */
export function among(...values: readonly string[]): DeclaredRule {
  const sorted = [...values].sort();
  return ({ value = '', field }, { errors }) => {
    if (!values.includes(value as string)) errors.push(notSupported(field, value, sorted));
    return true;
  };
}
