/**
 * Paths of fields in a notation of tests: as errors have them, without the quotes that words do not
 * need, and with braces as a shell has them: `.list[name=a]{,.name,.value}` are three.
 */
import { EMPTY_SET, pathTexts, setOfPaths } from '../../src/semantics/fields/field-set.ts';
import type { FieldSet } from '../../src/semantics/fields/field-set.ts';
import { fieldElement, keyElement, valueElement } from '../../src/semantics/fields/path-element.ts';

/** The paths of a set, in the order of their texts. */
export function pathsOf(set: FieldSet): string[] {
  return pathTexts(set).sort();
}

/** Paths in the notation of scenarios, written out and in order. */
export function expandPaths(paths: string): string[] {
  return splitPaths(paths).flatMap(expandBraces).map(quoteWords).sort();
}

export function parseSet(paths: string): FieldSet {
  const lists = expandPaths(paths).map(parsePath);
  return lists.length === 0 ? EMPTY_SET : setOfPaths(lists);
}

function splitPaths(paths: string): string[] {
  return paths.trim() === '' ? [] : paths.trim().split(/\s+(?=[.[{])/);
}

function expandBraces(path: string): string[] {
  const open = path.indexOf('{');
  if (open < 0) return [path];
  const parts = [''];
  let depth = 0;
  let at = open + 1;
  for (; depth > 0 || path[at] !== '}'; at++) {
    const char = path[at];
    if (char === undefined) throw new Error(`a brace is open in ${path}`);
    if (char === '{' || char === '[') depth++;
    if (char === '}' || char === ']') depth--;
    if (char === ',' && depth === 0) parts.push('');
    else parts.push(parts.pop() + char);
  }
  const [head, tail] = [path.slice(0, open), path.slice(at + 1)];
  return parts.flatMap((part) => expandBraces(head + part + tail));
}

/** `[name=a]` is `[name="a"]`, as `[name="1"]` is not `[name=1]`. */
function quoteWords(path: string): string {
  return path.replaceAll(/=([A-Za-z][\w./-]*)(?=[,\]])/g, (whole, word: string) =>
    /^(?:true|false|null)$/.test(word) ? whole : `="${word}"`,
  );
}

const STEPS = /\.([^.[\]]+)|\[([^\]]*)\]/g;

function parsePath(path: string): string[] {
  return [...path.matchAll(STEPS)].map(([, name, item]) => {
    if (name !== undefined) return fieldElement(name);
    if (item === undefined || /^\d+$/.test(item)) return `i:${item}`;
    if (item.startsWith('=')) return valueElement(JSON.parse(item.slice(1)));
    const keys = item.split(',').map((part): [string, unknown] => {
      const at = part.indexOf('=');
      return [part.slice(0, at), JSON.parse(part.slice(at + 1))];
    });
    return keyElement(Object.fromEntries(keys));
  });
}
