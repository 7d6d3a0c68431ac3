const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** The end of the string whose first character, behind its quote, is at `from`; or -1. */
export function stringEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at;
    if (unit === BACKSLASH) at += 1;
  }
  return -1;
}

/** The place behind the object or list that begins at `from`. */
export function containerEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = stringEnd(text, at + 1);
      if (at < 0) break;
    } else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) depth += 1;
    else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) {
      depth -= 1;
      if (depth <= 0) return at + 1;
    }
  }
  return text.length;
}

/** The text of a JSON string without its quotes; undefined when it is not valid. */
export function unquoted(spelled: string): string | undefined {
  if (!spelled.includes('\\')) return spelled;
  try {
    return JSON.parse(`"${spelled}"`) as string;
  } catch {
    // The decoder that reads the document later reports the error.
    return undefined;
  }
}

/** The string value of the first member with this name in the object that begins at `from`. */
export function memberText(text: string, from: number, name: string): string | undefined {
  let isName = true;
  let isFound = false;
  for (let at = from + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      const end = stringEnd(text, at + 1);
      if (end < 0) return undefined;
      if (isFound) return unquoted(text.slice(at + 1, end));
      if (isName && unquoted(text.slice(at + 1, end)) === name) isFound = true;
      isName = false;
      at = end;
    } else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) {
      at = containerEnd(text, at) - 1;
      isFound = false;
    } else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) return undefined;
    else if (unit === 0x2c) {
      isName = true;
      isFound = false;
    }
  }
  return undefined;
}
