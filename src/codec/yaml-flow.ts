/**
 * Flow collections whose lines are indented too little. YAML wants them indented more than what
 * holds the collection; Go, and so the reference, does not look, and people write it either way.
 */
import { Lexer } from 'yaml';

/** What the lexer sends before the source of a scalar, which may look like an indicator. */
export const SCALAR_FOLLOWS = '\u001f';
/** What it sends where it gives a flow collection up for the indentation of a line. */
const FLOW_END = '\u0018';
/** What it sends that is no part of the text. */
const MARKS: ReadonlySet<string> = new Set([SCALAR_FOLLOWS, FLOW_END, '\u0002']);

/** Each collection that is moved takes a pass: so many characters may be read and added in all. */
const WORK_FACTOR_MAX = 4;
const WORK_ALLOWANCE = 1024 * 1024;

/**
 * The text with each such collection indented as far as the YAML package wants it, which means the
 * same and has the same lines; the text itself where there is none, where one has no end, and where
 * it would take too much work.
 */
export function withIndentedFlow(text: string): string {
  let moved = text;
  let left = text.length * WORK_FACTOR_MAX + WORK_ALLOWANCE;
  for (;;) {
    left -= moved.length;
    const start = flowStart(moved);
    if (start === -1) return moved;
    const end = flowEnd(moved, start);
    if (end === -1 || left < 0) return text;
    const column = start - moved.lastIndexOf('\n', start) - 1;
    const lines = moved.slice(start, end).split('\n');
    left -= lines.length * column;
    if (left < 0) return text;
    const indented = lines.join(`\n${' '.repeat(column + 1)}`);
    moved = moved.slice(0, start) + indented + moved.slice(end);
  }
}

/** Where the first one begins that the lexer gives up; -1 for none. */
function flowStart(text: string): number {
  let depth = 0;
  let start = -1;
  for (const [lexeme, offset] of indicators(text)) {
    if (lexeme === FLOW_END) return start;
    if (isOpening(lexeme)) {
      if (depth === 0) start = offset;
      depth += 1;
    } else depth -= 1;
  }
  return -1;
}

/** Where the one that begins there ends; -1 if it does not. At the root indentation is free. */
function flowEnd(text: string, start: number): number {
  let depth = 0;
  for (const [lexeme, offset] of indicators(text.slice(start))) {
    if (lexeme === FLOW_END) return -1;
    depth += isOpening(lexeme) ? 1 : -1;
    if (depth === 0) return start + offset + 1;
  }
  return -1;
}

/** The indicators of flow collections, with their offsets, and where one is given up. */
function* indicators(text: string): Iterable<readonly [string, number]> {
  let offset = 0;
  let previous = '';
  for (const lexeme of new Lexer().lex(text)) {
    const isMark = MARKS.has(lexeme);
    const isIndicator = isOpening(lexeme) || lexeme === ']' || lexeme === '}';
    if (lexeme === FLOW_END || (isIndicator && previous !== SCALAR_FOLLOWS)) {
      yield [lexeme, offset];
    }
    if (!isMark) offset += lexeme.length;
    previous = lexeme;
  }
}

function isOpening(lexeme: string): boolean {
  return lexeme === '[' || lexeme === '{';
}
