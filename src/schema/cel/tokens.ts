/** The words of expressions. */
import { ownRelease } from '../../release/release.ts';
import { Bytes, INT_MAX, INT_MIN, Uint, UINT_MAX, type Literal } from './values.ts';

export type TokenKind =
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  /** An operator, a bracket, or one of the words that are no names. */
  | 'mark'
  | 'name'
  /** A name between accents, as fields may have. */
  | 'field'
  | 'end';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly at: number;
}

const ESCAPE =
  '\\\\(?:[abfnrtv"\'\\\\?`]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})';
const RAW_STRING = '[rR](?:"""[^]*?"""|\'\'\'[^]*?\'\'\'|"[^"\\n\\r]*"|\'[^\'\\n\\r]*\')';
const PLAIN_STRING =
  `"""(?:${ESCAPE}|[^\\\\])*?"""|'''(?:${ESCAPE}|[^\\\\])*?'''|` +
  `"(?:${ESCAPE}|[^\\\\"\\n\\r])*"|'(?:${ESCAPE}|[^\\\\'\\n\\r])*'`;
const STRING = `(?:${RAW_STRING}|${PLAIN_STRING})`;
/** One group for each kind, in the order of KINDS; blanks and comments have none. */
const TOKEN = new RegExp(
  [
    '(?:[\\t \\r\\n\\f]+|//[^\\n]*)',
    `([bB]${STRING})`,
    `(${STRING})`,
    '(\\d+\\.\\d+(?:[eE][+-]?\\d+)?|\\d+[eE][+-]?\\d+|\\.\\d+(?:[eE][+-]?\\d+)?)',
    '((?:0x[0-9a-fA-F]+|\\d+)[uU])',
    '(0x[0-9a-fA-F]+|\\d+)',
    '((?:true|false|null|in)(?![A-Za-z0-9_])|==|!=|<=|>=|&&|\\|\\||[-<>[\\]{}().,!?:+*/%])',
    '([A-Za-z_][A-Za-z0-9_]*)',
    ...(ownRelease().has('namesBetweenAccents') ? ['(`[A-Za-z0-9_./ -]+`)'] : []),
  ].join('|'),
  'y',
);
const KINDS: readonly TokenKind[] = [
  'bytes',
  'string',
  'double',
  'uint',
  'int',
  'mark',
  'name',
  'field',
];

/** The tokens of a text, the last of them its end; a number where no token begins. */
export function tokensOf(text: string): Token[] | number {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(text);
    if (found === null) return at;
    const kind = KINDS.find((_kind, group) => found[group + 1] !== undefined);
    if (kind !== undefined) tokens.push({ kind, text: found[0], at });
  }
  tokens.push({ kind: 'end', text: '<EOF>', at: text.length });
  return tokens;
}

/** The tokens that begin a value, as errors list them. */
export const VALUE_STARTS =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, " +
  'BYTES, IDENTIFIER}';

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const TELLS_CODE_POINTS = ownRelease().has('refusedSurrogates');
const SURROGATE_MIN = 0xd800;
const SURROGATE_MAX = 0xdfff;

/** Why a literal has no value. */
export function literalProblem(kind: Token['kind']): string {
  if (kind !== 'string' && kind !== 'bytes') return `invalid ${kind} literal`;
  const isText = kind === 'string' && TELLS_CODE_POINTS;
  return isText ? 'invalid unicode code point' : 'unable to unescape string';
}

/** The text of a string token; undefined where it has a character that does not exist. */
function stringOf(token: string): string | undefined {
  const { body, isRaw } = bodyOf(token);
  if (isRaw) return body;
  let isSound = true;
  const text = body.replace(
    /\\([xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2}|[^])/g,
    (whole, escape: string) => {
      const code = codeOf(escape, whole);
      if (code === undefined) return SIMPLE_ESCAPES[escape] ?? escape;
      const isHalf = code >= SURROGATE_MIN && code <= SURROGATE_MAX;
      if (code > 0x10ffff || (isHalf && TELLS_CODE_POINTS)) isSound = false;
      else return String.fromCodePoint(isHalf ? 0xfffd : code);
      return '';
    },
  );
  return isSound ? text : undefined;
}

/** The bytes of a token; undefined where it names characters by their numbers. */
function bytesOf(token: string): Buffer | undefined {
  const { body, isRaw } = bodyOf(token.slice(1));
  if (isRaw) return Buffer.from(body);
  const parts = body.split(/(\\(?:[xX][0-9a-fA-F]{2}|[0-3][0-7]{2}|[^]))/);
  if (parts.some((part) => /^\\[uU]/.test(part))) return undefined;
  return Buffer.concat(
    parts.map((part) => {
      if (!part.startsWith('\\')) return Buffer.from(part);
      const escape = part.slice(1);
      const code = codeOf(escape, part);
      return code === undefined
        ? Buffer.from(SIMPLE_ESCAPES[escape] ?? escape)
        : Buffer.from([code]);
    }),
  );
}

/** Line ends are all alike. */
function bodyOf(token: string): { body: string; isRaw: boolean } {
  const text = token.replace(/\r\n?/g, '\n');
  const isRaw = /^[rR]/.test(text);
  const quoted = isRaw ? text.slice(1) : text;
  const isLong = quoted.length >= 6 && /^("""|''')/.test(quoted);
  return { body: isLong ? quoted.slice(3, -3) : quoted.slice(1, -1), isRaw };
}

function codeOf(escape: string, whole: string): number | undefined {
  if (/^[xXuU]./.test(escape)) return Number.parseInt(escape.slice(1), 16);
  return /^\\[0-3][0-7]{2}$/.test(whole) ? Number.parseInt(escape, 8) : undefined;
}

/** The value of a token; undefined for one that is out of range. */
export function literalOf(kind: Token['kind'], text: string): Literal | undefined {
  switch (kind) {
    case 'int': {
      const isNegative = text.startsWith('-');
      const size = BigInt(isNegative ? text.slice(1) : text);
      const value = isNegative ? -size : size;
      return value >= INT_MIN && value <= INT_MAX ? value : undefined;
    }
    case 'uint': {
      const value = BigInt(text.slice(0, -1));
      return value <= UINT_MAX ? new Uint(value) : undefined;
    }
    case 'double': {
      const value = Number(text);
      return Number.isFinite(value) ? value : undefined;
    }
    case 'string':
      return stringOf(text);
    default: {
      const bytes = bytesOf(text);
      return bytes && new Bytes(bytes);
    }
  }
}
