/** Mail addresses as the reference reads them: RFC 5322, with names, comments and groups. */

/** Whether the text is one address, such as `a@b`, `A B <a@b>` or `group: a@b;`. */
export function isMailAddress(text: string): boolean {
  if (!text.isWellFormed()) return false;
  const parser = new AddressParser(text);
  return parser.address(true) === 1 && parser.skipComments() && parser.isAtEnd();
}

const SPACE = /[ \t]*/y;
/** Letters of words: no specials of RFC 5322, no blanks, no control characters. */
// oxlint-disable-next-line no-control-regex -- those are what it is about
const DOT_ATOM = /[^\u0000-\u0020\u007f()<>[\]:;@\\,"]+/y;
/** A quoted text. Tabs are the only control characters in it. */
// oxlint-disable-next-line no-control-regex -- those are what it is about
const QUOTED = /"(?:[^\u0000-\u0008\n-\u001f\u007f"\\]|\\[^\u0000-\u0008\n-\u001f\u007f])*"/y;

/** A word in another set of characters, as base64 or with quoted characters. */
const ENCODED_WORD = /^=\?([^?]+)\?(?:[bB]\?([^?]*)|[qQ]\?((?:[ -<>-~]|=[0-9a-fA-F]{2})*))\?=$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const KNOWN_CHARACTER_SET = /^(?:utf-8|iso-8859-1|us-ascii)$/i;

/** Whether the word is encoded in an unknown way: then it is not valid. */
function isUnreadable(word: string): boolean {
  const [, set, base64 = ''] = ENCODED_WORD.exec(word) ?? [];
  return set !== undefined && !KNOWN_CHARACTER_SET.test(set) && BASE64.test(base64);
}

/** Each method reads a part, and tells whether it was there. */
class AddressParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  /** Returns the number of addresses, 1 but for a group; undefined for none. */
  address(mayBeGroup: boolean): number | undefined {
    this.#take(SPACE);
    const start = this.#at;
    if (this.#specification()) {
      this.#take(SPACE);
      return this.#nameAfter() ? 1 : undefined;
    }
    this.#at = start;
    if (this.#peek() !== '<' && !this.#phrase()) return undefined;
    this.#take(SPACE);
    if (mayBeGroup && this.#skip(':')) return this.#group();
    const isWhole = this.#skip('<') && this.#specification() && this.#skip('>');
    return isWhole ? 1 : undefined;
  }

  /** false when a comment does not end. */
  skipComments(): boolean {
    for (;;) {
      this.#take(SPACE);
      if (this.#peek() !== '(') return true;
      if (!this.#comment()) return false;
    }
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }

  #skip(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at += 1;
    return true;
  }

  #take(what: RegExp): string | undefined {
    what.lastIndex = this.#at;
    const found = what.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #specification(): boolean {
    this.#take(SPACE);
    if (this.#peek() === '"') {
      const local = this.#take(QUOTED);
      if (local === undefined || local === '""') return false;
    } else if (!this.#dotAtom()) return false;
    if (!this.#skip('@')) return false;
    this.#take(SPACE);
    return this.#dotAtom();
  }

  #dotAtom(): boolean {
    const atom = this.#take(DOT_ATOM);
    if (atom === undefined) return false;
    return !atom.startsWith('.') && !atom.endsWith('.') && !atom.includes('..');
  }

  /** Reads words, and leaves the text behind the last of them. */
  #phrase(): boolean {
    let words = 0;
    for (;;) {
      if (!this.skipComments()) return false;
      const word = this.#take(this.#peek() === '"' ? QUOTED : DOT_ATOM);
      if (word === undefined || isUnreadable(word)) return words > 0;
      words += 1;
    }
  }

  /** A name may follow the address as a comment. */
  #nameAfter(): boolean {
    if (this.#peek() !== '(') return true;
    const start = this.#at + 1;
    if (!this.#comment()) return false;
    return !this.#text
      .slice(start, this.#at - 1)
      .split(/[ \t]/)
      .some(isUnreadable);
  }

  #comment(): boolean {
    let depth = 0;
    do {
      const character = this.#peek();
      if (character === '') return false;
      if (character === '\\') this.#at += 1;
      else if (character === '(') depth += 1;
      else if (character === ')') depth -= 1;
      this.#at += 1;
    } while (depth > 0);
    return true;
  }

  #group(): number | undefined {
    let count = 0;
    this.#take(SPACE);
    if (this.#skip(';')) return this.skipComments() ? count : undefined;
    for (;;) {
      this.#take(SPACE);
      if (this.address(false) === undefined || !this.skipComments()) return undefined;
      count += 1;
      if (this.#skip(';')) return this.skipComments() ? count : undefined;
      if (!this.#skip(',')) return undefined;
    }
  }
}
