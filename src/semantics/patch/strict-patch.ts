/** Refuses patches as strict decoding does, before they are applied (README.md#json-patch). */
import { valueKind, valueMismatch } from '../../codec/json/go-errors.ts';
import { isJsonText } from '../../codec/json/json-syntax.ts';
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
