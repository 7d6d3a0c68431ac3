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
  | {
      readonly op: 'list';
      readonly at: number;
      readonly items: readonly Expression[];
      /** The places of items that are left out where they are absent. */
      readonly optionals: ReadonlySet<number>;
    }
  | { readonly op: 'map'; readonly at: number; readonly entries: readonly Entry[] }
  | MessageExpression
  | {
      /** Macros make it: a variable for an expression. */
      readonly op: 'let';
      readonly at: number;
      readonly variable: string;
      readonly value: Expression;
      readonly body: Expression;
    }
  | Loop;

/** A message that is constructed: `Object.spec{replicas: 1}`. */
export interface MessageExpression {
  readonly op: 'message';
  readonly at: number;
  readonly type: string;
  readonly fields: readonly MessageField[];
}

export interface MessageField {
  readonly at: number;
  readonly name: string;
  readonly value: Expression;
  /** Left out where the value is absent. */
  readonly isOptional: boolean;
}

export interface Entry {
  readonly key: Expression;
  readonly value: Expression;
  /** Left out where the value is absent. */
  readonly isOptional: boolean;
}

/** A macro over a list, or over the keys of a map. */
export interface Loop {
  readonly op: 'loop';
  readonly at: number;
  readonly kind: LoopKind;
  readonly range: Expression;
  readonly variable: string;
  /** The variable of values, beside that of places or keys. */
  readonly second: string | undefined;
  /** Set for `map` with three arguments, and for `filter`. */
  readonly filter: Expression | undefined;
  readonly body: Expression;
}

export type LoopKind =
  | 'all'
  | 'exists'
  | 'exists_one'
  | 'map'
  | 'filter'
  | 'transformList'
  | 'transformMap'
  | 'transformMapEntry';

/** Whether an expression asks for a variable. */
export function mentions(expression: Expression, variable: string): boolean {
  return hasPart(
    expression,
    (part) => part.op === 'name' && (part.name === variable || part.name === `.${variable}`),
  );
}

/** Whether it selects a member of a variable by its name. */
export function selects(expression: Expression, variable: string, member: string): boolean {
  const isOf = (part: Expression | undefined): boolean =>
    part?.op === 'name' && part.name === variable;
  return hasPart(expression, (part) => {
    if (part.op === 'select') return part.field === member && isOf(part.of);
    if (part.op !== 'call' || part.name !== '_?._') return false;
    const [of, field] = part.args;
    return isOf(of) && field?.op === 'literal' && field.value === member;
  });
}

/** Whether the expression, or a part of it, is one that is looked for. */
function hasPart(expression: Expression, isIt: (part: Expression) => boolean): boolean {
  if (isIt(expression)) return true;
  const some = (...parts: readonly (Expression | undefined)[]): boolean =>
    parts.some((part) => part !== undefined && hasPart(part, isIt));
  switch (expression.op) {
    case 'select':
      return some(expression.of);
    case 'call':
      return some(expression.target, ...expression.args);
    case 'list':
      return some(...expression.items);
    case 'map':
      return expression.entries.some(({ key, value }) => some(key, value));
    case 'message':
      return some(...expression.fields.map(({ value }) => value));
    case 'loop':
      return some(expression.range, expression.filter, expression.body);
    case 'let':
      return some(expression.value, expression.body);
    default:
      return false;
  }
}

/** A name, or several with dots; undefined for anything else. */
export function qualifiedName(expression: Expression): string | undefined {
  const parts: string[] = [];
  let at = expression;
  for (; at.op === 'select' && !at.tests; at = at.of) parts.push(at.field);
  return at.op === 'name' ? [at.name, ...parts.reverse()].join('.') : undefined;
}

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
