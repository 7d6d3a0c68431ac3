/** Negative when the first text comes before the other one, by UTF-16 units. */
export function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Characters whose order differs between UTF-16, which strings have, and UTF-8. */
const HIGH_CHARACTER = /[\ud800-\uffff]/;

/** Compares by UTF-8 bytes, the order in which the reference sorts. */
export function compareAsUtf8(one: string, other: string): number {
  if (HIGH_CHARACTER.test(one) && HIGH_CHARACTER.test(other)) return compareCodePoints(one, other);
  return compareTexts(one, other);
}

function compareCodePoints(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return codePointRank(one.charCodeAt(at)) - codePointRank(other.charCodeAt(at));
}

/** Halves of pairs come last; the end of a string comes first. */
function codePointRank(unit: number): number {
  if (Number.isNaN(unit)) return -1;
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
