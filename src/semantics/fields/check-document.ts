/**
 * Checks that a document fits the schema of its kind, and collects all errors (README.md#apply).
 */
import { RawJson } from '../../codec/json/raw-json.ts';
import type { Members } from '../../codec/model/schema-model.ts';
import { ownRelease } from '../../release/release.ts';
import { isMembers } from '../patch/document.ts';
import { numberText } from './equal-values.ts';
import { memberType } from './field-types.ts';
import type { FieldType, ListType, StructType } from './field-types.ts';
import { plainText, syntaxText, typeText } from './typed-value-text.ts';
import { duplicateText, itemElement, itemProblem, MAY_REPEAT } from './list-items.ts';
import { elementText } from './path-element.ts';
import { TypedError, FIELD_DEPTH_MAX } from './typed-error.ts';

interface Check {
  /** The path elements from the root to the current value. */
  readonly path: string[];
  readonly problems: string[];
  readonly mayRepeat: boolean;
}

/**
 * Throws a TypedError for a stored document that does not fit; its items may repeat where the
 * release owns them as one.
 */
export function checkStored(type: StructType, document: Members): void {
  checkDocument(type, document, MAY_REPEAT);
}

/**
 * Throws a TypedError that names unknown fields, values of the wrong type, items without keys and
 * repeated ones, unless they may be. After an unknown field or an item without key its neighbours
 * are not looked at.
 */
export function checkDocument(type: StructType, document: Members, mayRepeat = false): void {
  const check: Check = { path: [], problems: [], mayRepeat };
  checkValue(check, type, document);
  const { problems } = check;
  if (problems.length === 0) return;
  if (problems.length === 1) throw new TypedError(problems[0]);
  throw new TypedError(['errors:', ...problems.map((problem) => `  ${problem}`)].join('\n'));
}

function report(check: Check, problem: string): void {
  const path = check.path.map(elementText).join('');
  check.problems.push(path === '' ? problem : `${path}: ${problem}`);
}

/** Null fits every type. */
function checkValue(check: Check, type: FieldType, value: unknown): void {
  // JSON that is kept as text stands only where any value fits.
  if (value === null || value === undefined || value instanceof RawJson) return;
  if (check.path.length > FIELD_DEPTH_MAX) throw new TypedError('exceeded max depth');
  switch (type.kind) {
    case 'scalar':
      checkScalar(check, type.leaf, value);
      return;
    case 'list':
      if (Array.isArray(value)) checkItems(check, type, value);
      else report(check, `expected list, got ${plainText(value)}`);
      return;
    case 'untyped':
      if (isMembers(value)) {
        for (const name of Object.keys(value)) checkBelow(check, `f:${name}`, type, value[name]);
      }
      return;
    default:
      if (!isMembers(value)) report(check, `expected map, got ${plainText(value)}`);
      else if (type.kind === 'struct') checkMembers(check, type, value);
      else {
        for (const name of Object.keys(value)) {
          checkBelow(check, `f:${name}`, type.item, value[name]);
        }
      }
  }
}

function checkBelow(check: Check, element: string, type: FieldType, value: unknown): void {
  check.path.push(element);
  checkValue(check, type, value);
  check.path.pop();
}

function checkMembers(check: Check, type: StructType, members: Members): void {
  for (const name of Object.keys(members)) {
    const field = type.field(name);
    if (field === undefined && !(type.isPlain && type.isOpen)) {
      check.path.push(`f:${name}`);
      report(check, 'field not declared in schema');
      check.path.pop();
      return;
    }
    checkBelow(check, `f:${name}`, memberType(type, name), members[name]);
  }
}

function checkItems(check: Check, type: ListType, items: readonly unknown[]): void {
  const seen = new Set<string>();
  for (const [at, item] of items.entries()) {
    let element = `i:${at}`;
    if (type.relation !== 'atomic') {
      const problem = itemProblem(type, item);
      if (problem !== undefined) {
        report(check, `element ${at}: ${problem}`);
        return;
      }
      element = itemElement(type, item);
      if (seen.has(element) && !check.mayRepeat) report(check, duplicateText(element));
      seen.add(element);
    }
    checkBelow(check, element, type.item, item);
  }
}

/** Leaves that are written as several types of values. */
const UNTYPED: ReadonlySet<string> = new Set([
  'Formatted',
  'IntOrString',
  'MicroTime',
  'Quantity',
  'Time',
]);
const KNOWS_UNTYPED = ownRelease().has('scalarsOfAnyType');

/** Quantities, times and IntOrString may be anything, in newer releases any scalar. */
function checkScalar(check: Check, leaf: string, value: unknown): void {
  switch (leaf) {
    case 'string':
    case 'bytes':
    case 'Duration':
      if (typeof value !== 'string') report(check, `expected string, got ${syntaxText(value)}`);
      return;
    case 'int32':
    case 'int64':
    case 'double':
      if (numberText(value) === undefined) {
        report(check, `expected numeric (int or float), got ${typeText(value)}`);
      }
      return;
    case 'bool':
      if (typeof value !== 'boolean') report(check, `expected boolean, got ${plainText(value)}`);
      return;
    default:
      if (!KNOWS_UNTYPED || !UNTYPED.has(leaf) || typeof value !== 'object') return;
      report(check, `expected any scalar, got ${plainText(value)}`);
  }
}
