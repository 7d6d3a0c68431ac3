/** Text in the quotes of the reference server's error messages. */
import { wellFormed } from './go-json.ts';

/** Letters, marks, numbers, punctuation, symbols and the space are shown as they are. */
const NOT_SHOWN = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|["\\]/gu;

/** Characters that have an escape of their own in literals of Go and of expressions. */
export const NAMED_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

/** The text as a double-quoted Go string literal, as `%q` writes it. */
export function quoteText(text: string): string {
  return `"${wellFormed(text).replace(NOT_SHOWN, escapeCharacter)}"`;
}

function escapeCharacter(character: string): string {
  const named = NAMED_ESCAPES[character];
  if (named !== undefined) return named;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x80) return `\\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
