/**
 * Indents flow collections and quoted texts whose lines are indented too little. YAML wants them
 * indented more than the collection around them; Go, and so the reference, does not look, and
 * people write either.
 */
import { yamlPackage } from './yaml-package.ts';

/** The lexer sends this before the source of a scalar, which may look like an indicator. */
const SCALAR_FOLLOWS = '\u001f';
/** The lexer sends this where the indentation of a line ends a flow collection early. */
const FLOW_END = '\u0018';
/** Tokens of the lexer that are no part of the text. */
const MARKS: ReadonlySet<string> = new Set([SCALAR_FOLLOWS, FLOW_END, '\u0002']);

/** All of a quoted text; one that the lexer gives up lacks its end. */
const QUOTED = /^(?:"[^"\\]*(?:\\.[^"\\]*)*"|'[^']*(?:''[^']*)*')$/su;

/**
 * Each indented one takes a pass over the text: all passes together may read and add so many times
 * its length.
 */
const WORK_FACTOR_MAX = 4;
const WORK_ALLOWANCE = 256 * 1024;

/**
 * The text with each of them indented as far as the YAML package wants it, which means the same and
 * has the same lines; the text itself where there is none, where one has no end, and where it would
 * take too much work.
 */
export function withIndentedFlow(text: string): string {
  let moved = text;
  let left = text.length * WORK_FACTOR_MAX + WORK_ALLOWANCE;
  for (;;) {
    left -= moved.length;
    const start = startOfFirst(moved);
    if (start === -1) return moved;
    const end = endOf(moved, start);
    if (end === -1 || left < 0) return text;
    const column = start - moved.lastIndexOf('\n', start) - 1;
    const lines = moved.slice(start, end).split('\n');
    left -= lines.length * column;
    if (left < 0) return text;
    const indented = lines.join(`\n${' '.repeat(column + 1)}`);
    moved = moved.slice(0, start) + indented + moved.slice(end);
  }
}

/** The start of the first collection or quoted text that the lexer ends early; -1 for none. */
function startOfFirst(text: string): number {
  let depth = 0;
  let start = -1;
  for (const { lexeme, offset } of flowLexemes(text)) {
    if (depth === 0) start = offset;
    if (lexeme === FLOW_END || (isQuote(lexeme) && !QUOTED.test(lexeme))) return start;
    depth += depthChange(lexeme);
  }
  return -1;
}

/**
 * The end of the one that begins at `start`; -1 where it has none. At the root indentation is free.
 */
function endOf(text: string, start: number): number {
  let depth = 0;
  for (const { lexeme, offset } of flowLexemes(text.slice(start))) {
    if (lexeme === FLOW_END || (isQuote(lexeme) && !QUOTED.test(lexeme))) return -1;
    depth += depthChange(lexeme);
    if (depth === 0) return start + offset + lexeme.length;
  }
  return -1;
}

interface FlowLexeme {
  readonly lexeme: string;
  readonly offset: number;
}

/** The indicators of flow collections, quoted texts, and where a collection is given up. */
function* flowLexemes(text: string): Iterable<FlowLexeme> {
  const { Lexer } = yamlPackage();
  let offset = 0;
  let previous = '';
  for (const lexeme of new Lexer().lex(text)) {
    const isOfFlow = depthChange(lexeme) !== 0 || isQuote(lexeme);
    if (lexeme === FLOW_END || (isOfFlow && previous !== SCALAR_FOLLOWS)) yield { lexeme, offset };
    if (!MARKS.has(lexeme)) offset += lexeme.length;
    previous = lexeme;
  }
}

function isQuote(lexeme: string): boolean {
  return lexeme.startsWith('"') || lexeme.startsWith("'");
}

function depthChange(lexeme: string): number {
  if (lexeme === '[' || lexeme === '{') return 1;
  return lexeme === ']' || lexeme === '}' ? -1 : 0;
}
