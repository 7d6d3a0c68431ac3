/** JSON text exactly as the reference server's encoder writes it (../README.md#json). */
import { jsonText } from './json-text.ts';

/** Characters that `JSON.stringify` writes differently from the reference. */
// oxlint-disable-next-line no-control-regex -- those two are the point
const DIFFERENT = /[<>&\u0008\u000c\u2028\u2029\ud800-\udfff]/;
/**
 * Matches bare characters in JSON text. It matches escapes too, so that the b of `\\b` is not taken
 * for an escape of its own.
 */
const TO_ESCAPE = /\\.|[<>&\u2028\u2029]/g;
/** Like `TO_ESCAPE`, and also lone surrogates, in the spelling of `JSON.stringify`. */
const TO_REWRITE = /\\(?:ud[89a-f]..|.)|[<>&\u2028\u2029]/g;
/** JSON text that may differ from what the reference writes; lone surrogates are escapes in it. */
const MAY_DIFFER = /[<>&\u2028\u2029]|\\[bfu]/;
/** An escape that the reference may write differently. */
const OTHER_ESCAPE = /\\[bfu]/;
const HTML_CHARACTER = /[<>&\u2028\u2029]/;

const ESCAPES: Readonly<Record<string, string>> = {
  '\\b': '\\u0008',
  '\\f': '\\u000c',
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** A lone surrogate becomes U+FFFD, as when the reference decodes it. */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

/** Characters that are not written as they are. Most texts have none. */
const NOT_PLAIN = /[^ !#-%'-;=?-[\]-~]/;

/** A well-formed string as a JSON string literal. */
export function quoteGo(value: string): string {
  if (!NOT_PLAIN.test(value)) return `"${value}"`;
  if (!DIFFERENT.test(value)) return JSON.stringify(value);
  return JSON.stringify(wellFormed(value)).replace(TO_ESCAPE, escapeOf);
}

/** Any JSON value as compact text; members keep their order. */
export function stringifyGo(value: unknown): string {
  const text = jsonText(value);
  if (!MAY_DIFFER.test(text)) return text;
  if (!OTHER_ESCAPE.test(text)) return escapeHtmlInJson(text);
  return text.replace(TO_REWRITE, (match) => (match.length === 6 ? '\ufffd' : escapeOf(match)));
}

/** Escapes what the reference escapes inside compact JSON text, leaving its own escapes alone. */
export function escapeHtmlInJson(json: string): string {
  if (!HTML_CHARACTER.test(json)) return json;
  return json.replace(TO_ESCAPE, (match) => (match.length === 2 ? match : escapeOf(match)));
}

function escapeOf(match: string): string {
  return ESCAPES[match] ?? match;
}
