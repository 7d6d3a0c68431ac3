/**
 * The text of a JSON path as nodes: the template language of the public client libraries, of which
 * a column is one action (`json-path.ts`).
 */
import { appendAll } from '../../base/append-all.ts';
import { trimEndOf } from '../../base/text/trim-end.ts';

export type PathNode =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'literal'; readonly value: boolean | PathNumber }
  /** A word that only templates of more than one action have a use for. */
  | { readonly type: 'identifier' }
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'wildcard' }
  | { readonly type: 'recursive' }
  | { readonly type: 'slice'; readonly slice: Slice }
  | { readonly type: 'union'; readonly lists: readonly PathList[] }
  | { readonly type: 'exists'; readonly left: PathList }
  | {
      readonly type: 'compare';
      readonly left: PathList;
      readonly operator: string;
      readonly right: PathList;
    };

export type PathList = readonly PathNode[];

/** `[start:end:step]`; parts that were not written are undefined. */
export interface Slice {
  readonly start: number | undefined;
  readonly end: number | undefined;
  /** Whether one index was written: the end is the one after it. */
  readonly isIndex: boolean;
  readonly step: number | undefined;
}

/**
 * A number that is none of the object's: one in the path, or a byte of a text. They compare, but
 * are no integers to a column.
 */
export class PathNumber {
  readonly value: number | bigint;
  readonly type: 'int' | 'float' | 'byte';

  constructor(value: number | bigint, type: 'int' | 'float' | 'byte') {
    this.value = value;
    this.type = type;
  }
}

const TERMINATORS = new Set([' ', '\t', '\r', '\n', '.', ',', '[', ']', '$', '@', '{', '}', '']);
const WORD = /[\p{L}\p{Nd}_]/u;
const DIGIT = /\p{Nd}/u;
const QUOTED_KEY = /^'([^']*)'$/;
const SLICE = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;
const COMPARISON = /^([^!<>=]+)([!<>=]+)([^\n]+?)$/;
const INTEGER = /^[-+]?\d+$/;
/** A number of more digits is none of 64 bits: to make one takes time that grows faster than it. */
const DIGITS_MAX = 400;
const DECIMAL = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)$/;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/**
 * The blocks of `{path}`: its own, and those that follow where it has a brace in it. Undefined
 * where it cannot be understood.
 */
export function parseJsonPath(path: string): readonly PathList[] | undefined {
  try {
    return parseTemplate(`{${path}}`);
  } catch (error) {
    if (error instanceof PathSyntaxError) return undefined;
    throw error;
  }
}

class PathSyntaxError extends Error {}

function parseTemplate(text: string): PathList[] {
  return new Parser(text).template();
}

/** The nodes of one action. */
function parseAction(text: string): PathList {
  return parseTemplate(`{${text}}`)[0] as PathList;
}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  template(): PathList[] {
    const blocks: PathList[] = [];
    while (this.#at < this.#text.length) {
      const brace = this.#text.indexOf('{', this.#at);
      const end = brace === -1 ? this.#text.length : brace;
      if (end > this.#at) blocks.push([{ type: 'text', text: this.#text.slice(this.#at, end) }]);
      this.#at = end + 1;
      if (brace !== -1) blocks.push(this.#action());
    }
    return blocks;
  }

  /** Reads the nodes up to the closing brace; the opening one is passed. */
  #action(): PathList {
    const nodes: PathNode[] = [];
    for (;;) {
      if (this.#take('}')) return nodes;
      if (this.#take('[?(')) nodes.push(this.#filter());
      else if (this.#take('..')) this.#recursive(nodes);
      else this.#node(nodes);
    }
  }

  #node(nodes: PathNode[]): void {
    const start = this.#at;
    const char = this.#next();
    if (char === ' ' || char === '@' || char === '$') return;
    if (char === '[') appendAll(nodes, this.#subscript());
    else if (char === '"' || char === "'") nodes.push({ type: 'text', text: this.#quoted(char) });
    else if (char === '.') nodes.push(this.#field());
    else if (char === '+' || char === '-' || DIGIT.test(char)) nodes.push(this.#number(start));
    else if (WORD.test(char)) nodes.push(this.#word(start));
    else throw new PathSyntaxError();
  }

  #recursive(nodes: PathNode[]): void {
    if (nodes.at(-1)?.type === 'recursive') throw new PathSyntaxError();
    nodes.push({ type: 'recursive' });
    if (WORD.test(this.#peek())) nodes.push(this.#field());
  }

  #field(): PathNode {
    const start = this.#at;
    while (!TERMINATORS.has(this.#peek())) if (this.#next() === '\\') this.#next();
    const name = this.#text.slice(start, this.#at);
    return name === '*' ? { type: 'wildcard' } : { type: 'field', name: name.replaceAll('\\', '') };
  }

  #word(start: number): PathNode {
    while (!TERMINATORS.has(this.#peek())) this.#next();
    const word = this.#text.slice(start, this.#at);
    const isBoolean = word === 'true' || word === 'false';
    return isBoolean ? { type: 'literal', value: word === 'true' } : { type: 'identifier' };
  }

  #number(start: number): PathNode {
    while (this.#peek() === '.' || DIGIT.test(this.#peek())) this.#next();
    const text = this.#text.slice(start, this.#at);
    if (text.length <= DIGITS_MAX && INTEGER.test(text)) {
      const value = BigInt(text.replace('+', ''));
      if (isInt64(value)) return { type: 'literal', value: new PathNumber(value, 'int') };
    }
    const value = Number(text);
    if (!DECIMAL.test(text) || !Number.isFinite(value)) throw new PathSyntaxError();
    return { type: 'literal', value: new PathNumber(value, 'float') };
  }

  /** Reads up to the closing bracket; the opening one is passed. */
  #subscript(): PathList {
    const text = this.#until(']');
    const parts = text.split(',');
    if (parts.length > 1) {
      const lists = parts.map((part) =>
        parseAction(`[${trimEndOf(part.replace(/^ +/, ''), ' ')}]`),
      );
      return [{ type: 'union', lists }];
    }
    const key = QUOTED_KEY.exec(text)?.[1];
    if (key !== undefined) return parseAction(`.${key}`);
    return [{ type: 'slice', slice: sliceOf(text === '*' ? ':' : text) }];
  }

  /** A condition up to `)]`. The first quote pairs with the next one like it. */
  #filter(): PathNode {
    const start = this.#at;
    let quote = '';
    let isPaired = true;
    for (;;) {
      const char = this.#next();
      if (char === '' || char === '\n') throw new PathSyntaxError();
      if ((char === '"' || char === "'") && quote === '') {
        quote = char;
        isPaired = false;
      } else if (char === quote && this.#text[this.#at - 2] !== '\\') isPaired = true;
      else if (char === ')' && isPaired) break;
    }
    const text = this.#text.slice(start, this.#at - 1);
    if (!this.#take(']')) throw new PathSyntaxError();
    const comparison = COMPARISON.exec(text);
    if (comparison === null) return { type: 'exists', left: parseAction(text) };
    const [, left = '', operator = '', right = ''] = comparison;
    return { type: 'compare', left: parseAction(left), operator, right: parseAction(right) };
  }

  #quoted(quote: string): string {
    const start = this.#at;
    do this.#until(quote);
    while (this.#text[this.#at - 2] === '\\');
    return unquoted(this.#text.slice(start, this.#at - 1), quote);
  }

  /** Passes `end`, and returns the text before it on the same line. */
  #until(end: string): string {
    const start = this.#at;
    const at = this.#text.indexOf(end, start);
    const text = this.#text.slice(start, Math.max(at, start));
    if (at === -1 || text.includes('\n')) throw new PathSyntaxError();
    this.#at = at + end.length;
    return text;
  }

  #take(text: string): boolean {
    const found = this.#text.startsWith(text, this.#at);
    if (found) this.#at += text.length;
    return found;
  }

  /** The next character; '' at the end. */
  #peek(): string {
    const code = this.#text.codePointAt(this.#at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  #next(): string {
    const char = this.#peek();
    this.#at += char.length;
    return char;
  }
}

function isInt64(value: bigint): boolean {
  return value >= INT64_MIN && value <= INT64_MAX;
}

function sliceOf(text: string): Slice {
  const match = SLICE.exec(text);
  if (match === null) throw new PathSyntaxError();
  const [, start = '', end, step = ''] = match;
  return {
    start: start === '' ? undefined : indexOf(start),
    end: end === undefined || end === ':' ? undefined : indexOf(end.slice(1)),
    isIndex: end === undefined,
    step: step === '' || step === ':' ? undefined : indexOf(step.slice(1)),
  };
}

function indexOf(text: string): number {
  if (text.length > DIGITS_MAX || !INTEGER.test(text) || !isInt64(BigInt(text)))
    throw new PathSyntaxError();
  return Number(text);
}

const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{3})|([^]))/y;
const ESCAPED: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

/** The text between two quotes, with its escapes read. */
function unquoted(text: string, quote: string): string {
  if (!text.includes('\\') && !text.includes(quote)) return text;
  let result = '';
  for (let at = 0; at < text.length;) {
    const char = text[at] as string;
    if (char === quote) throw new PathSyntaxError();
    if (char === '\\') {
      ESCAPE.lastIndex = at;
      result += escaped(ESCAPE.exec(text), quote);
      at = ESCAPE.lastIndex;
    } else {
      result += char;
      at += 1;
    }
  }
  return result;
}

function escaped(match: RegExpExecArray | null, quote: string): string {
  if (match === null) throw new PathSyntaxError();
  const [, byte, unit, point, octal, char = ''] = match;
  if (octal !== undefined) return byteText(Number.parseInt(octal, 8));
  if (byte !== undefined) return byteText(Number.parseInt(byte, 16));
  const code = unit ?? point;
  if (code !== undefined) return characterOf(Number.parseInt(code, 16));
  if (char === quote) return char;
  const text = Object.hasOwn(ESCAPED, char) ? ESCAPED[char] : undefined;
  if (text === undefined) throw new PathSyntaxError();
  return text;
}

/** The text of one byte; a byte that is no character by itself shows as an unknown one. */
function byteText(byte: number): string {
  if (byte > 0xff) throw new PathSyntaxError();
  return byte < 0x80 ? String.fromCodePoint(byte) : '\ufffd';
}

function characterOf(code: number): string {
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) throw new PathSyntaxError();
  return String.fromCodePoint(code);
}
