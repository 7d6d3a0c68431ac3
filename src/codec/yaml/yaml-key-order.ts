/** The order in which the reference's YAML library writes members. */

const LETTER = /^\p{L}/u;
const DIGIT = /^\p{Nd}/u;
const ZERO = 0x30;

/**
 * Compares names for sorting: by what they differ in first, digits by the number that they make
 * (`a2` before `a10`), other characters before letters, else by code points. 0 for equal names.
 */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === length) return a.length - b.length;
  if (at > 0 && isLowSurrogate(a.charCodeAt(at)) && isLowSurrogate(b.charCodeAt(at))) at--;
  const codeA = a.codePointAt(at) ?? 0;
  const codeB = b.codePointAt(at) ?? 0;
  const isLetterA = isLetter(codeA);
  const isLetterB = isLetter(codeB);
  if (isLetterA !== isLetterB) return isLetterB ? -1 : 1;
  return (isLetterA ? 0 : compareNumbers(a, b, at)) || codeA - codeB;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/**
 * Compares the numbers at `at`, where no digits count as 0 and are shorter; zeros inside of a
 * number count.
 */
function compareNumbers(a: string, b: string, at: number): number {
  const isZero = a.charCodeAt(at) === ZERO || b.charCodeAt(at) === ZERO;
  const start = isZero && followsNumber(a, at) ? 1 : 0;
  const numberA = numberAt(a, at, start);
  const numberB = numberAt(b, at, start);
  return numberA.value - numberB.value || numberA.length - numberB.length;
}

/** Whether digits stand before `at` that are not all zeros. */
function followsNumber(text: string, at: number): boolean {
  for (let before = at - 1; before >= 0; before--) {
    const code = text.charCodeAt(before);
    if (!isDigit(code)) return false;
    if (code !== ZERO) return true;
  }
  return false;
}

function numberAt(text: string, at: number, start: number): { value: number; length: number } {
  let value = start;
  let end = at;
  while (isDigit(text.charCodeAt(end))) {
    value = value * 10 + text.charCodeAt(end) - ZERO;
    end++;
  }
  return { value, length: end - at };
}

function isLetter(code: number): boolean {
  if (code < 0x80) return (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
  return LETTER.test(String.fromCodePoint(code));
}

function isDigit(code: number): boolean {
  if (code < 0x80) return code >= ZERO && code <= 0x39;
  return DIGIT.test(String.fromCharCode(code));
}
