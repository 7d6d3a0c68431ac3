/** Expressions of rules as they are written; macros are expanded. */
import type { Literal } from './values.ts';

/** `at` is where the expression stands in the text: at its operator, where it has one. */
export type Expression =
  | { readonly op: 'literal'; readonly at: number; readonly value: Literal }
  | { readonly op: 'name'; readonly at: number; readonly name: string }
  | {
      readonly op: 'select';
      readonly at: number;
      readonly of: Expression;
      readonly field: string;
      /** Whether this is `has(of.field)`, a test for presence. */
      readonly tests: boolean;
    }
  | {
      readonly op: 'call';
      readonly at: number;
      /** The name of the function; that of an operator has `_` for each operand: `_+_`. */
      readonly name: string;
      readonly target: Expression | undefined;
      readonly args: readonly Expression[];
    }
  | { readonly op: 'list'; readonly at: number; readonly items: readonly Expression[] }
  | { readonly op: 'map'; readonly at: number; readonly entries: readonly Entry[] }
  | { readonly op: 'message'; readonly at: number; readonly type: string }
  | Loop;

export interface Entry {
  readonly key: Expression;
  readonly value: Expression;
}

/** A macro over a list, or over the keys of a map. */
export interface Loop {
  readonly op: 'loop';
  readonly at: number;
  readonly kind: LoopKind;
  readonly range: Expression;
  readonly variable: string;
  /** Set for `map` with three arguments, and for `filter`. */
  readonly filter: Expression | undefined;
  readonly body: Expression;
}

export type LoopKind = 'all' | 'exists' | 'exists_one' | 'map' | 'filter';

/** A problem of a text, and its place; `at` is undefined for all of it. */
export interface Problem {
  readonly at: number | undefined;
  readonly message: string;
}

/** Every problem shows its line: for a long line with many problems that would be gigabytes. */
const PRINTED_CHARACTERS_MAX = 64 * 1024;

/**
 * Problems as the reference prints them: each with its line, and a mark below. Very many are cut
 * after the first ones.
 */
export function printProblems(
  problems: readonly Problem[],
  text: string,
  of: 'grammar' | 'types',
): string {
  const lines = text.split('\n');
  const printed: string[] = [];
  let length = 0;
  for (const problem of problems.toSorted((a, b) => (a.at ?? -1) - (b.at ?? -1))) {
    if (length > PRINTED_CHARACTERS_MAX) break;
    const one = printProblem(problem, text, of, lines);
    length += one.length;
    printed.push(one);
  }
  return printed.join('\n');
}

function printProblem(
  { at, message }: Problem,
  text: string,
  of: 'grammar' | 'types',
  lines: readonly string[],
): string {
  const { line, column } = placeOf(at, text, of);
  const start = `ERROR: <input>:${line}:${column + 1}: ${message}`;
  const shown = lines[line - 1]?.replaceAll('\t', ' ');
  if (shown === undefined) return start;
  const characters = Array.from(shown);
  const dots = characters.slice(0, column).map((one) => (isWide(one) ? '．' : '.'));
  const mark = isWide(characters[column] ?? '') ? '＾' : '^';
  return `${start}\n | ${shown}\n | ${dots.join('')}${mark}`;
}

function isWide(character: string): boolean {
  return character > '\u007f';
}

/**
 * Columns count characters. In errors of types the first place of a line counts as the end of the
 * line before.
 */
function placeOf(
  at: number | undefined,
  text: string,
  of: 'grammar' | 'types',
): { line: number; column: number } {
  if (at === undefined) return { line: -1, column: -1 };
  const before = text.slice(0, of === 'types' && text[at - 1] === '\n' ? at - 1 : at);
  const start = before.lastIndexOf('\n') + 1;
  const line = before.split('\n').length;
  return { line, column: Array.from(text.slice(start, at)).length };
}
