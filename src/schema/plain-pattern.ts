/**
 * Recognizes patterns that are certainly valid, as most are: compiling one to find out takes a
 * thousand times as long. All others are left to the compiler.
 */

const DEPTH_MAX = 100;
const REPETITIONS_MAX = 100;
/** Classes of characters, and characters that may be escaped. */
const ESCAPED = /[dwsDWS.*+?^$|()[\]{}\\/:,;=!@#%&"'<>~`_-]/;
const CLASS_ESCAPE = /[dwsDWS]/;
const REPETITION = /\{(\d{1,3})(?:,(\d{0,3}))?\}/y;
/** Characters that stand for themselves. */
const LITERAL = /[^\\^$.|?*+()[\]{}\ud800-\udfff]/;

/** True is certain: the pattern is a regular expression. */
export function isPlainPattern(pattern: string): boolean {
  let depth = 0;
  let repetitions = 0;
  let mayRepeat = false;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    if (character === '(') {
      if (pattern.charAt(at + 1) === '?') {
        if (pattern.charAt(at + 2) !== ':') return false;
        at += 2;
      }
      depth += 1;
      if (depth > DEPTH_MAX) return false;
      mayRepeat = false;
    } else if (character === ')') {
      depth -= 1;
      if (depth < 0) return false;
      mayRepeat = true;
    } else if (character === '|' || character === '^' || character === '$') mayRepeat = false;
    else if (character === '*' || character === '+' || character === '?') {
      if (!mayRepeat) return false;
      mayRepeat = false;
      if (pattern.charAt(at + 1) === '?') at += 1;
    } else if (character === '{') {
      const end = mayRepeat && pattern.charAt(at - 1) !== ')' ? repetitionEnd(pattern, at) : 0;
      repetitions += 1;
      if (end === 0 || repetitions > REPETITIONS_MAX) return false;
      at = end - 1;
      mayRepeat = false;
    } else {
      const end = characterEnd(pattern, at);
      if (end === 0) return false;
      at = end - 1;
      mayRepeat = true;
    }
  }
  return depth === 0;
}

/** After one character or class; 0 when it is not plain. */
function characterEnd(pattern: string, at: number): number {
  const character = pattern.charAt(at);
  if (character === '[') return classEnd(pattern, at);
  if (character === '\\') return ESCAPED.test(pattern.charAt(at + 1)) ? at + 2 : 0;
  return character === '.' || LITERAL.test(character) ? at + 1 : 0;
}

function repetitionEnd(pattern: string, at: number): number {
  REPETITION.lastIndex = at;
  const match = REPETITION.exec(pattern);
  if (match === null) return 0;
  const [text, least, most = ''] = match;
  return most === '' || Number(least) <= Number(most) ? at + text.length : 0;
}

/** After `[…]`: of characters, escapes and ranges that go up. */
function classEnd(pattern: string, from: number): number {
  let at = pattern.charAt(from + 1) === '^' ? from + 2 : from + 1;
  const start = at;
  while (pattern.charAt(at) !== ']' || at === start) {
    const first = classCharacter(pattern, at);
    if (first === undefined) return 0;
    at += first.length;
    const isRange = pattern.charAt(at) === '-' && pattern.charAt(at + 1) !== ']';
    if (!isRange) continue;
    const last = first === '-' ? undefined : classCharacter(pattern, at + 1);
    if (last === undefined || !isAscending(first, last)) return 0;
    at += 1 + last.length;
  }
  return at + 1;
}

/** A character of a class as it is written; undefined when it is not plain. */
function classCharacter(pattern: string, at: number): string | undefined {
  const character = pattern.charAt(at);
  if (character === '\\') {
    const escaped = pattern.charAt(at + 1);
    return ESCAPED.test(escaped) ? `\\${escaped}` : undefined;
  }
  if (character === '' || character === '[' || character === ']') return undefined;
  return character >= '\ud800' && character <= '\udfff' ? undefined : character;
}

function isAscending(first: string, last: string): boolean {
  const ends = [first, last].map((written) => written.at(-1) ?? '');
  if (first.length === 2 && CLASS_ESCAPE.test(ends[0] ?? '')) return false;
  if (last.length === 2 && CLASS_ESCAPE.test(ends[1] ?? '')) return false;
  return (ends[0] ?? '') <= (ends[1] ?? '');
}
