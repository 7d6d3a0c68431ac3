/**
 * TypeScript source without what is written in its comments and literals, for rules that look at
 * text: a brace in a string is no brace. Lines stay where they are. It reads characters and knows
 * no grammar, so a regular expression is told from a division by what stands before it.
 */
export interface SourceText {
  /** Comments and the contents of literals are gone, their quotes are left. */
  readonly code: string;
  /** As `code`, but strings that are no templates keep their contents: imports need them. */
  readonly withStrings: string;
}

const REGEX_MAY_FOLLOW = /(?:^|[([{,;=:!&|?+\-*%~^<>]|\b(?:return|typeof|case|in|of|void))\s*$/;

export function readSource(text: string): SourceText {
  const reader = new SourceReader(text);
  reader.readCode('');
  return { code: reader.code, withStrings: reader.withStrings };
}

class SourceReader {
  code = '';
  withStrings = '';
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads up to the brace that ends a `${}`, or to the end of the text. */
  readCode(end: '' | '}'): void {
    for (let depth = 0; this.#at < this.#text.length;) {
      const char = this.#text[this.#at] ?? '';
      if (char === end && depth === 0) return;
      if (char === '{') depth += 1;
      if (char === '}') depth -= 1;
      if (!this.#readLiteral(char)) this.#take(1);
    }
  }

  #readLiteral(char: string): boolean {
    const pair = this.#text.slice(this.#at, this.#at + 2);
    if (pair === '//') this.#skipTo('\n', 0);
    else if (pair === '/*') this.#skipTo('*/', 2);
    else if (char === "'" || char === '"') this.#readString(char);
    else if (char === '`') this.#readTemplate();
    else if (char === '/' && REGEX_MAY_FOLLOW.test(this.code.slice(-20))) this.#readRegex();
    else return false;
    return true;
  }

  #readString(quote: string): void {
    this.#take(1);
    while (this.#at < this.#text.length && this.#text[this.#at] !== quote) {
      const length = this.#text[this.#at] === '\\' ? 2 : 1;
      this.withStrings += this.#text.slice(this.#at, this.#at + length);
      this.#at += length;
    }
    this.#take(1);
  }

  #readTemplate(): void {
    this.#take(1);
    while (this.#at < this.#text.length && this.#text[this.#at] !== '`') {
      if (this.#text.startsWith('${', this.#at)) {
        this.#take(2);
        this.readCode('}');
        this.#take(1);
      } else {
        this.#skip(this.#text[this.#at] === '\\' ? 2 : 1);
      }
    }
    this.#take(1);
  }

  #readRegex(): void {
    this.#take(1);
    for (let inClass = false; this.#at < this.#text.length;) {
      const char = this.#text[this.#at];
      if (char === '\n' || (char === '/' && !inClass)) break;
      if (char === '[') inClass = true;
      if (char === ']') inClass = false;
      this.#skip(char === '\\' ? 2 : 1);
    }
    this.#take(1);
  }

  #take(length: number): void {
    const taken = this.#text.slice(this.#at, this.#at + length);
    this.code += taken;
    this.withStrings += taken;
    this.#at += length;
  }

  #skip(length: number): void {
    const lines = this.#text.slice(this.#at, this.#at + length).replace(/[^\n]/g, '');
    this.code += lines;
    this.withStrings += lines;
    this.#at += length;
  }

  #skipTo(end: string, endLength: number): void {
    const found = this.#text.indexOf(end, this.#at + endLength);
    this.#skip((found < 0 ? this.#text.length : found + endLength) - this.#at);
  }
}
