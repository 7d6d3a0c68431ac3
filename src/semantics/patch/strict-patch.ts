/** Refuses patches as strict decoding does, before they are applied (README.md#json-patch). */
import { valueKind, valueMismatch } from '../../codec/json/go-errors.ts';
import { JsonCursor } from '../../codec/json/json-cursor.ts';
import { isJsonText } from '../../codec/json/json-syntax.ts';
import { STRICT_PROBLEMS_MAX } from '../../codec/json/strict-check.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import { CAUSES_CHARACTERS_MAX } from '../../limits.ts';
import {
  holdsLongNumbers,
  isMembers,
  isRawNumber,
  numberBeyondDoubles,
  parseDocument,
} from './document.ts';

const TEXTS = ['op', 'path', 'from'];

/**
 * The first mistake of a text as a JSON patch or merge patch; '' when it has none, or is no JSON,
 * which is told otherwise.
 */
export function strictPatchError(patchType: 'json' | 'merge', text: string): string {
  if (patchType === 'merge') return mergePatchError(text);
  if (!isJsonText(text)) return '';
  const patch = parseDocument(text);
  if (patch === null) return '';
  if (!Array.isArray(patch)) return mismatch(patch, '[]handlers.jsonPatchOp');
  for (const operation of patch) {
    const error = operationError(operation);
    if (error !== '') return error;
  }
  return '';
}

/** Most of them are objects with short numbers, which shows without reading them. */
function mergePatchError(text: string): string {
  const isObject = /^\s*\{/.test(text);
  if ((isObject && !holdsLongNumbers(text)) || !isJsonText(text)) return '';
  const patch = parseDocument(text);
  if (isObject) {
    const number = numberBeyondDoubles(patch);
    const type = 'Go value of type float64';
    return number === undefined ? '' : `json: cannot unmarshal number ${number} into ${type}`;
  }
  return patch === null ? '' : mismatch(patch, 'map[string]interface {}');
}

function operationError(operation: unknown): string {
  if (operation === null) return '';
  if (!isMembers(operation)) return mismatch(operation, 'handlers.jsonPatchOp');
  const wrong = Object.keys(operation).find((name) => {
    const value = operation[name];
    return TEXTS.includes(name) && value !== null && typeof value !== 'string';
  });
  if (wrong === undefined) return '';
  const kind = kindOf(operation[wrong]);
  return `json: cannot unmarshal ${kind} into Go struct field jsonPatchOp.${wrong} of type string`;
}

function mismatch(value: unknown, type: string): string {
  return valueMismatch(kindOf(value), type).message;
}

function kindOf(value: unknown): string {
  return isRawNumber(value) ? 'number' : valueKind(value);
}

/**
 * A value of the patch that is being read; the steps of the open ones form the path of a problem.
 */
interface Frame {
  readonly close: '}' | ']';
  readonly seen: Set<string>;
  step: string | number;
}

const OPERATION_MEMBERS: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);

/**
 * The problems that strict decoding finds in a JSON patch that can be read: members that no
 * operation has, and members that come twice.
 */
export function jsonPatchProblems(text: string): string[] {
  const isKnown = (name: string, depth: number): boolean =>
    depth > 2 || OPERATION_MEMBERS.has(name);
  return problemsOf(text, isKnown, (what, path) => `json patch ${what} field ${quoteText(path)}`);
}

/** The members that come twice in another patch, whether or not the kind has them. */
export function repeatedInPatch(text: string): string[] {
  const anything = (): boolean => true;
  return problemsOf(text, anything, (what, path) => {
    return `${what} field ${quoteText(path.replace(/^\./, ''))}`;
  });
}

function problemsOf(
  text: string,
  knows: (name: string, depth: number) => boolean,
  told: (what: string, path: string) => string,
): string[] {
  const cursor = new JsonCursor(text);
  const open: Frame[] = [];
  const problems = new Set<string>();
  let characters = 0;
  const report = (what: string): void => {
    const steps = open.map(({ step }) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
    const problem = told(what, steps.join(''));
    problems.add(problem);
    characters += problem.length;
  };
  const readValue = (): void => {
    const opening = cursor.peek();
    if (opening !== '{' && opening !== '[') cursor.skipValue();
    else {
      cursor.enter();
      open.push({ close: opening === '{' ? '}' : ']', seen: new Set(), step: -1 });
    }
  };
  cursor.skipSpace();
  readValue();
  for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
    if (problems.size >= STRICT_PROBLEMS_MAX || characters > CAUSES_CHARACTERS_MAX) break;
    if (cursor.leaves(frame.close)) open.pop();
    else if (frame.close === ']') {
      frame.step = Number(frame.step) + 1;
      readValue();
    } else {
      frame.step = cursor.takeKey();
      const isKnown = knows(frame.step, open.length);
      if (!isKnown) report('unknown');
      else if (frame.seen.size === frame.seen.add(frame.step).size) report('duplicate');
      if (isKnown) readValue();
      else cursor.skipValue();
    }
  }
  return [...problems];
}
