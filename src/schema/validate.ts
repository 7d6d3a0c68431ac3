/**
 * Validates values by their schema, with the error texts of the reference (README.md#errors).
 * Errors of the items of a list have the path of the list, as there in release 1.23.
 */
import { appendAll } from '../base/append-all.ts';
import type { Members } from '../codec/model/schema-model.ts';
import { quoteText } from '../codec/json/strict-quote.ts';
import { ownRelease } from '../release/release.ts';
import type { FieldError } from '../semantics/errors/field-error.ts';
import { isFloat } from './go-value.ts';
import { isNearInteger, numberErrors } from './number-rules.ts';
import { matchesPattern, matchSteps, PatternError } from './pattern.ts';
import type { StructuralSchema } from './structural-schema.ts';
import { unstructuredText } from './unstructured.ts';
import { fieldErrors, schemaError, valueError, type ValueError } from './value-errors.ts';
import { TYPE, ValueRules, type Enumeration, type Junctors } from './value-rules.ts';

/** Returns the errors of the value at `path`; '' for a whole object, its metadata included. */
export type ValueValidator = (value: unknown, path: string) => FieldError[];

/** The most steps, of about 2 ns, for one value; a value that takes more is refused. */
const STEPS_MAX = 200_000_000;
/** Steps that one value under one schema takes, or a comparison with a value that is allowed. */
const CHECK_STEPS = 50;
/** Steps that an instruction of a pattern takes for each character at worst. */
const MATCH_STEPS = 5;

/** The validator of values by a schema. Rules are compiled when they are first needed. */
export function compileValueValidator(schema: StructuralSchema): ValueValidator {
  const rules = new ValueRules(schema.json);
  return (value, path) => {
    const walk: Walk = { errors: [], stepsLeft: STEPS_MAX };
    try {
      checkValue(walk, rules, value, '');
    } catch (error) {
      if (!(error instanceof TooManySteps)) throw error;
      walk.errors = [schemaError('', 'take less time to validate')];
    }
    return walk.errors.length === 0 ? [] : fieldErrors(walk.errors, path);
  };
}

interface Walk {
  errors: ValueError[];
  stepsLeft: number;
}

class TooManySteps extends Error {}

function spend(walk: Walk, steps: number): void {
  walk.stepsLeft -= steps;
  if (walk.stepsLeft < 0) throw new TooManySteps();
}

/**
 * Adds the errors of the value. Returns how many checks were made and passed, as the reference
 * counts them: by that it picks the alternative whose errors it reports.
 */
function checkValue(walk: Walk, rules: ValueRules, value: unknown, path: string): number {
  spend(walk, CHECK_STEPS);
  const isTypeTold = rules.types !== 0 || rules.format !== '';
  const kind = kindOf(value);
  const isRightType = !isTypeTold || checkType(walk, rules, value, kind, path);
  if (kind === 0) {
    if (rules.enumeration !== undefined) checkEnumeration(walk, rules.enumeration, value, path);
    return isRightType ? 1 : 0;
  }
  let passed = 4;
  if (isTypeTold) passed += isRightType ? 2 : 1;
  if (rules.junctors !== undefined) passed += checkJunctors(walk, rules.junctors, value, path);
  if (kind === TYPE.string) {
    checkText(walk, rules, value as string, path);
    passed += rules.format === '' ? 1 : 2;
  } else if (kind === TYPE.integer || kind === TYPE.number) {
    const { numbers } = rules;
    if (numbers !== undefined) {
      appendAll(walk.errors, numberErrors(numbers, value as number | bigint, path));
    }
    passed += 2;
  } else if (kind === TYPE.array) {
    passed += 2 + checkItems(walk, rules, value as unknown[], path);
  }
  if (rules.enumeration !== undefined) checkEnumeration(walk, rules.enumeration, value, path);
  if (kind === TYPE.object) passed += 1 + checkMembers(walk, rules, value as Members, path);
  return passed;
}

/** The type of a value, as in `TYPE`; 0 for null. */
function kindOf(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return TYPE.string;
    case 'number':
      return isFloat(value) ? TYPE.number : TYPE.integer;
    case 'bigint':
      return TYPE.integer;
    case 'boolean':
      return TYPE.boolean;
    default:
      if (value === null || value === undefined) return 0;
      return Array.isArray(value) ? TYPE.array : TYPE.object;
  }
}

const KIND_NAMES: Readonly<Record<number, string>> = {
  0: 'null',
  ...Object.fromEntries(Object.entries(TYPE).map(([name, bit]) => [bit, name])),
};

function checkType(
  walk: Walk,
  rules: ValueRules,
  value: unknown,
  kind: number,
  path: string,
): boolean {
  const { types, format } = rules;
  if ((types & kind) !== 0) return true;
  if (kind === 0 && (rules.nullable || types === 0)) return true;
  if (kind === TYPE.integer && (types & TYPE.number) !== 0) return true;
  if (kind === TYPE.number && (types & TYPE.integer) !== 0 && isNearInteger(value as number)) {
    return true;
  }
  let expected = rules.typeText;
  let found = KIND_NAMES[kind] as string;
  if (format !== '' && kind !== 0) {
    if (kind !== TYPE.string && kind !== TYPE.array) {
      expected = format;
      found = kind === TYPE.integer ? 'int64' : kind === TYPE.number ? 'float64' : '';
    } else if ((types & (TYPE.number | TYPE.integer)) === 0) return true;
  }
  const what = `must be of type ${expected}: "${found}"`;
  walk.errors.push(valueError(path, what, found, { of: 'type' }));
  return false;
}

function checkText(walk: Walk, rules: ValueRules, text: string, path: string): void {
  const { isOfFormat, format, maxLength } = rules;
  if (maxLength !== undefined && text.length > maxLength && lengthOf(text) > maxLength) {
    const what = `should be at most ${maxLength} chars long`;
    walk.errors.push(valueError(path, what, text, { of: 'long', max: maxLength }));
  } else {
    const problem = textProblem(walk, rules, text);
    if (problem !== undefined) walk.errors.push(valueError(path, `should ${problem}`, text));
  }
  if (isOfFormat === undefined || isOfFormat(text)) return;
  const what = `must be of type ${format}: ${quoteText(text)}`;
  walk.errors.push(valueError(path, what, text, { of: 'type' }));
}

/** Returns the first problem of a text that is not too long. */
function textProblem(walk: Walk, rules: ValueRules, text: string): string | undefined {
  const { minLength, pattern } = rules;
  if (minLength !== undefined && lengthOf(text) < minLength) {
    return `be at least ${minLength} chars long`;
  }
  if (pattern === '') return undefined;
  spend(walk, MATCH_STEPS * matchSteps(pattern, text));
  try {
    return matchesPattern(pattern, text) ? undefined : `match '${pattern}'`;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return `match '${pattern}, but pattern is invalid: ${error.message}'`;
  }
}

const SURROGATE = /[\ud800-\udfff]/;

/** In characters of Unicode. */
function lengthOf(text: string): number {
  return SURROGATE.test(text) ? Array.from(text).length : text.length;
}

const TELLS_ITEMS = ownRelease().has('itemsInValueErrors');

function checkItems(walk: Walk, rules: ValueRules, list: readonly unknown[], path: string): number {
  const { items, minItems, maxItems } = rules;
  const { length } = list;
  let passed = 0;
  if (items !== undefined) {
    for (const [at, item] of list.entries()) {
      passed += checkValue(walk, items, item, TELLS_ITEMS ? `${path}[${at}]` : path);
    }
  }
  if (minItems !== undefined && length < minItems) {
    walk.errors.push(valueError(path, `should have at least ${minItems} items`, length));
  }
  if (maxItems !== undefined && length > maxItems) {
    const kind = { of: 'many', count: length, max: maxItems } as const;
    walk.errors.push(valueError(path, `should have at most ${maxItems} items`, length, kind));
  }
  if (rules.uniqueItems && new Set(list.map(unstructuredText)).size < length) {
    walk.errors.push(valueError(path, "shouldn't contain duplicates", ''));
  }
  return passed;
}

const COUNTS_MEMBERS = ownRelease().has('countedMembers');
const CHECKS_ALL_MEMBERS = ownRelease().has('membersBesidesCounts');

function checkMembers(walk: Walk, rules: ValueRules, members: Members, path: string): number {
  const names = Object.keys(members);
  const { minProperties, maxProperties, additional, required } = rules;
  if (minProperties !== undefined && names.length < minProperties) {
    const what = `should have at least ${minProperties} properties`;
    walk.errors.push(valueError(path, what, COUNTS_MEMBERS ? names.length : minProperties));
    if (!CHECKS_ALL_MEMBERS) return 0;
  }
  if (maxProperties !== undefined && names.length > maxProperties) {
    const what = `should have at most ${maxProperties} properties`;
    const kind = { of: 'many', count: names.length, max: maxProperties } as const;
    const told = COUNTS_MEMBERS ? names.length : maxProperties;
    walk.errors.push(valueError(path, what, told, kind));
    if (!CHECKS_ALL_MEMBERS) return 0;
  }
  let passed = 0;
  for (const name of names) {
    const value = members[name];
    if (value === undefined) continue;
    const property = rules.property(name);
    if (property !== undefined) {
      passed += checkValue(walk, property, value, path === '' ? name : `${path}.${name}`);
    } else if (additional instanceof ValueRules) {
      passed += checkValue(walk, additional, value, `${path}.${name}`);
    } else if (additional === false) {
      const what = `${path}.${name} in body is a forbidden property`;
      walk.errors.push({ reason: 'whole', path, what, value: name });
    }
  }
  for (const name of required) {
    if (Object.hasOwn(members, name) && members[name] !== undefined) continue;
    const where = `${path}.${name}`;
    walk.errors.push({ reason: 'required', path: where, what: 'is required', value: undefined });
  }
  return passed;
}

function checkEnumeration(
  walk: Walk,
  { values, scalars, text }: Enumeration,
  value: unknown,
  path: string,
): void {
  if (scalars.has(value)) return;
  spend(walk, CHECK_STEPS * values.length);
  if (values.some((allowed) => isAllowed(value, allowed))) return;
  const what = `should be one of ${text}`;
  walk.errors.push({ reason: 'enum', path, what, value, supported: values });
}

/** Null equals nothing. A number is converted to the type of the allowed number. */
function isAllowed(value: unknown, allowed: unknown): boolean {
  if (value === allowed) return value !== null;
  if (typeof value === 'object' || typeof allowed === 'object') {
    if (value === null || allowed === null || typeof value !== typeof allowed) return false;
    return unstructuredText(value) === unstructuredText(allowed);
  }
  if (typeof value !== 'number' && typeof value !== 'bigint') return false;
  if (typeof allowed === 'string') return !isFloat(value) && characterOf(value) === allowed;
  if (typeof allowed !== 'number') return false;
  return isFloat(value) && !isFloat(allowed) && Math.trunc(value) === allowed;
}

/** An integer as text, in the way of Go: the character of that number. */
function characterOf(value: number | bigint): string {
  const isCharacter = value >= 0 && value <= 0x10ffff && !(value >= 0xd800 && value <= 0xdfff);
  return isCharacter ? String.fromCodePoint(Number(value)) : '\ufffd';
}

/** The result of a schema for the value, apart from other errors. */
interface Attempt {
  readonly errors: readonly ValueError[];
  readonly passed: number;
}

function attempt(walk: Walk, rules: ValueRules, value: unknown, path: string): Attempt {
  const { errors } = walk;
  walk.errors = [];
  const passed = checkValue(walk, rules, value, path);
  const found = walk.errors;
  walk.errors = errors;
  return { errors: found, passed };
}

function checkJunctors(walk: Walk, junctors: Junctors, value: unknown, path: string): number {
  let passed = 0;
  if (junctors.anyOf.length > 0) passed += checkAnyOf(walk, junctors.anyOf, value, path);
  if (junctors.oneOf.length > 0) passed += checkOneOf(walk, junctors.oneOf, value, path);
  if (junctors.allOf.length > 0) passed += checkAllOf(walk, junctors.allOf, value, path);
  const { not } = junctors;
  if (not !== undefined && attempt(walk, not, value, path).errors.length === 0) {
    walk.errors.push(schemaError(path, 'not validate the schema (not)'));
  }
  return passed;
}

function checkAnyOf(
  walk: Walk,
  alternatives: readonly ValueRules[],
  value: unknown,
  path: string,
): number {
  let best: Attempt | undefined;
  for (const rules of alternatives) {
    const tried = attempt(walk, rules, value, path);
    if (tried.errors.length === 0) return tried.passed;
    if (best === undefined || tried.passed > best.passed) best = tried;
  }
  walk.errors.push(schemaError(path, 'validate at least one schema (anyOf)'));
  return merge(walk, best);
}

function checkOneOf(
  walk: Walk,
  alternatives: readonly ValueRules[],
  value: unknown,
  path: string,
): number {
  let best: Attempt | undefined;
  let first: Attempt | undefined;
  let valid = 0;
  for (const rules of alternatives) {
    const tried = attempt(walk, rules, value, path);
    if (tried.errors.length === 0) {
      valid += 1;
      first ??= tried;
    } else if (best === undefined || tried.passed > best.passed) best = tried;
  }
  if (valid === 1) return first?.passed ?? 0;
  const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
  walk.errors.push(schemaError(path, `validate one and only one schema (oneOf). ${found}`));
  return valid === 0 ? merge(walk, best) : 0;
}

function checkAllOf(
  walk: Walk,
  parts: readonly ValueRules[],
  value: unknown,
  path: string,
): number {
  let passed = 0;
  let valid = 0;
  for (const rules of parts) {
    const tried = attempt(walk, rules, value, path);
    if (tried.errors.length === 0) valid += 1;
    passed += merge(walk, tried);
  }
  if (valid < parts.length) {
    const none = valid === 0 ? '. None validated' : '';
    walk.errors.push(schemaError(path, `validate all the schemas (allOf)${none}`));
  }
  return passed;
}

function merge(walk: Walk, tried: Attempt | undefined): number {
  if (tried === undefined) return 0;
  for (const error of tried.errors) walk.errors.push(error);
  return tried.passed;
}
