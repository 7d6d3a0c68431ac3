/** A piece of a text to replace: the replacement is letters, digits, dots, dashes and slashes. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const BACKSLASH = 0x5c;
const SMALL_U = 0x75;

/**
 * Applies edits, which are in order and do not overlap; without edits it returns the same string.
 */
export function withEdits(text: string, edits: readonly Edit[]): string {
  let out = '';
  let from = 0;
  for (const edit of edits) {
    out += text.slice(from, edit.start) + edit.text;
    from = edit.end;
  }
  return from === 0 ? text : out + text.slice(from);
}

/** The edit that turns one text into another; equal parts at their ends stay out of it. */
export function editBetween(text: string, other: string): Edit {
  const most = Math.min(text.length, other.length);
  let start = 0;
  while (start < most && text.charCodeAt(start) === other.charCodeAt(start)) start += 1;
  let end = text.length;
  let otherEnd = other.length;
  while (end > start && otherEnd > start) {
    if (text.charCodeAt(end - 1) !== other.charCodeAt(otherEnd - 1)) break;
    end -= 1;
    otherEnd -= 1;
  }
  return { start, end, text: other.slice(start, otherEnd) };
}

/**
 * Turns edits of a JSON string's value into edits of its spelling, which begins at `from`, after
 * the quote. `isExact` leaves out edits of characters that are spelled with escapes, because an
 * edit would lose that spelling.
 */
export function spelledEdits(
  text: string,
  from: number,
  edits: readonly Edit[],
  isExact: boolean,
): Edit[] {
  const spelled: Edit[] = [];
  let at = from;
  let said = 0;
  const walkTo = (end: number): void => {
    for (; said < end; said += 1) {
      if (text.charCodeAt(at) !== BACKSLASH) at += 1;
      else at += text.charCodeAt(at + 1) === SMALL_U ? 6 : 2;
    }
  };
  for (const edit of edits) {
    walkTo(edit.start);
    const start = at;
    walkTo(edit.end);
    if (isExact && at - start !== edit.end - edit.start) continue;
    spelled.push({ start, end: at, text: edit.text });
  }
  return spelled;
}
