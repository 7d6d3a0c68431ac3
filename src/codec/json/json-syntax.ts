/**
 * Finds the first error of JSON text, in the words of the reference server's scanner. Slow and
 * exact: it runs only after `JSON.parse` has refused the text (which says it in words of its own).
 */
import { nestsDeeperThan } from './text-depth.ts';

/** Deeper nesting is refused, whether or not the members are known. */
export const JSON_DEPTH_MAX = 10_000;

const DIGIT = /[0-9]/;
const HEX = /[0-9a-fA-F]/;
const UNEXPECTED_END = 'unexpected end of JSON input';
/** What the reference reads behind a text, to find out whether that may end there. */
const END = ' ';
export const TOO_DEEP = 'exceeded max depth';

/** The message of the first error, `''` when the text is valid JSON. */
export function jsonSyntaxError(text: string): string {
  return new Scanner(text).run();
}

/** Whether text is JSON, and nests no deeper than allowed. */
export function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
  } catch {
    return false;
  }
  return !nestsTooDeep(text);
}

/** Whether valid JSON text nests deeper than allowed. Cheap for text with few brackets. */
export function nestsTooDeep(text: string): boolean {
  if (text.length <= 2 * JSON_DEPTH_MAX) return false;
  if (!occursMoreThan(text, JSON_DEPTH_MAX) || !nestsDeeperThan(text, JSON_DEPTH_MAX)) return false;
  return jsonSyntaxError(text) === TOO_DEEP;
}

function occursMoreThan(text: string, limit: number): boolean {
  let count = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      count += 1;
      if (count > limit) return true;
    }
  }
  return false;
}

/** The part of the text that must come next. */
type Wanted = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'afterValue';

class Scanner {
  readonly #text: string;
  #at = 0;
  /** The open brackets, innermost last. */
  readonly #open: ('{' | '[')[] = [];
  #error = '';

  constructor(text: string) {
    this.#text = text;
  }

  run(): string {
    let wanted: Wanted = 'value';
    for (;;) {
      this.#skipSpace();
      if (wanted === 'afterValue' && this.#open.length === 0) {
        if (this.#at < this.#text.length) this.#fail('after top-level value');
        return this.#error;
      }
      wanted = this.#step(wanted);
      if (this.#error !== '') return this.#error;
    }
  }

  #step(wanted: Wanted): Wanted {
    const character = this.#text[this.#at];
    if (character === undefined) {
      this.#error = UNEXPECTED_END;
      return wanted;
    }
    if (wanted === 'afterValue') return this.#separator(character);
    if (wanted === 'key' || wanted === 'keyOrEnd') return this.#key(wanted, character);
    if (wanted === 'valueOrEnd' && character === ']') return this.#close();
    return this.#value(character);
  }

  #value(character: string): Wanted {
    if (character === '{' || character === '[') {
      this.#at += 1;
      this.#open.push(character);
      if (this.#open.length > JSON_DEPTH_MAX) this.#error = TOO_DEEP;
      return character === '{' ? 'keyOrEnd' : 'valueOrEnd';
    }
    if (character === '"') this.#string();
    else if (character === 't') this.#literal('true');
    else if (character === 'f') this.#literal('false');
    else if (character === 'n') this.#literal('null');
    else if (character === '-' || DIGIT.test(character)) this.#number();
    else this.#fail('looking for beginning of value');
    return 'afterValue';
  }

  #key(wanted: Wanted, character: string): Wanted {
    if (wanted === 'keyOrEnd' && character === '}') return this.#close();
    if (character !== '"') this.#fail('looking for beginning of object key string');
    else this.#string();
    this.#skipSpace();
    if (this.#error === '') this.#expect(':', 'after object key');
    return 'value';
  }

  #separator(character: string): Wanted {
    const inObject = this.#open.at(-1) === '{';
    if (character === (inObject ? '}' : ']')) return this.#close();
    this.#expect(',', inObject ? 'after object key:value pair' : 'after array element');
    return inObject ? 'key' : 'value';
  }

  #close(): Wanted {
    this.#at += 1;
    this.#open.pop();
    return 'afterValue';
  }

  #string(): void {
    this.#at += 1;
    while (this.#error === '') {
      const character = this.#text[this.#at];
      if (character === '"') break;
      if (character === '\\') this.#escape();
      else if (character === undefined) this.#error = UNEXPECTED_END;
      else if (character < ' ') this.#fail('in string literal');
      this.#at += 1;
    }
    this.#at += 1;
  }

  /** Leaves the position on the last character of the escape. */
  #escape(): void {
    this.#at += 1;
    const character = this.#text[this.#at];
    if (character === 'u') {
      for (let count = 0; count < 4 && this.#error === ''; count += 1) {
        this.#at += 1;
        if (!HEX.test(this.#text[this.#at] ?? END)) {
          this.#fail('in \\u hexadecimal character escape');
        }
      }
    } else if (!'bfnrt\\/"'.includes(character ?? END)) this.#fail('in string escape code');
  }

  #literal(word: string): void {
    for (const expected of word) {
      if (this.#text[this.#at] !== expected) {
        return this.#fail(`in literal ${word} (expecting '${expected}')`);
      }
      this.#at += 1;
    }
  }

  #number(): void {
    if (this.#text[this.#at] === '-') this.#at += 1;
    if (this.#text[this.#at] === '0') this.#at += 1;
    else this.#digits('in numeric literal');
    if (this.#error === '' && this.#text[this.#at] === '.') {
      this.#at += 1;
      this.#digits('after decimal point in numeric literal');
    }
    const exponent = this.#text[this.#at];
    if (this.#error === '' && (exponent === 'e' || exponent === 'E')) {
      this.#at += 1;
      const sign = this.#text[this.#at];
      if (sign === '+' || sign === '-') this.#at += 1;
      this.#digits('in exponent of numeric literal');
    }
  }

  #digits(context: string): void {
    if (!DIGIT.test(this.#text[this.#at] ?? END)) this.#fail(context);
    else while (DIGIT.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }

  #skipSpace(): void {
    while (' \t\r\n'.includes(this.#text[this.#at] ?? '-')) this.#at += 1;
  }

  #expect(expected: string, context: string): void {
    const character = this.#text[this.#at];
    if (character === undefined) this.#error = UNEXPECTED_END;
    else if (character !== expected) this.#fail(context);
    this.#at += 1;
  }

  #fail(context: string): void {
    const character = this.#at < this.#text.length ? quoteByte(this.#text, this.#at) : `'${END}'`;
    this.#error = `invalid character ${character} ${context}`;
  }
}

/** The reference reads bytes: of a longer character it names the first one. */
function quoteByte(text: string, at: number): string {
  const codePoint = text.codePointAt(at) ?? 0;
  const byte = firstUtf8Byte(codePoint);
  const character = String.fromCharCode(byte);
  if (character === "'") return "'\\''";
  if (character === '\\') return "'\\\\'";
  const named = '\x07a\bb\ff\nn\rr\tt\x0bv';
  const index = named.indexOf(character);
  if (byte < 0x20 && index >= 0) return `'\\${named[index + 1]}'`;
  if (byte < 0x20 || byte === 0x7f) return `'\\x${byte.toString(16).padStart(2, '0')}'`;
  if (byte >= 0x80 && byte <= 0xa0) return `'\\u00${byte.toString(16)}'`;
  return `'${character}'`;
}

function firstUtf8Byte(codePoint: number): number {
  if (codePoint < 0x80) return codePoint;
  if (codePoint < 0x800) return 0xc0 | (codePoint >> 6);
  if (codePoint < 0x10000) return 0xe0 | (codePoint >> 12);
  return 0xf0 | (codePoint >> 18);
}
