/** `Warning` headers (RFC 7234 section 5.5; ../README.md#warnings). */

const TOTAL_CHARACTERS_MAX = 4096;
const CUT_CHARACTERS = 256;
/** A header cannot carry a text with one: like the reference, it is left out. */
const CONTROL = /\p{Cc}/u;
/** The first half of a character that was cut in two. */
const HALF_CHARACTER = /[\ud800-\udbff]$/;

/** The values of the headers for these texts: each once, and all within the limit. */
export function warningValues(texts: readonly string[]): string[] {
  const distinct = [...new Set(texts)].filter((text) => text !== '' && !CONTROL.test(text));
  const total = distinct.reduce((sum, text) => sum + text.length, 0);
  const cut =
    total <= TOTAL_CHARACTERS_MAX
      ? distinct
      : distinct.map((text) => text.slice(0, CUT_CHARACTERS).replace(HALF_CHARACTER, ''));
  const values: string[] = [];
  let characters = 0;
  for (const text of cut) {
    characters += text.length;
    if (characters > TOTAL_CHARACTERS_MAX) break;
    values.push(`299 - "${text.replaceAll(/["\\]/g, '\\$&')}"`);
  }
  return values;
}
