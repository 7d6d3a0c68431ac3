/** The meaning of a YAML scalar, resolved as the reference server's YAML library does. */
import { isUtf8 } from 'node:buffer';

export type ScalarKind = 'null' | 'bool' | 'int' | 'float' | 'notFinite' | 'string';

/** `text` is JSON for null, bool, int and float; the string itself; or one of +Inf, -Inf, NaN. */
export interface ResolvedScalar {
  readonly kind: ScalarKind;
  readonly text: string;
}

const TAG_PREFIX = 'tag:yaml.org,2002:';

const NULL: ResolvedScalar = { kind: 'null', text: 'null' };
const TRUE: ResolvedScalar = { kind: 'bool', text: 'true' };
const FALSE: ResolvedScalar = { kind: 'bool', text: 'false' };
const INFINITY: ResolvedScalar = { kind: 'notFinite', text: '+Inf' };
const MINUS_INFINITY: ResolvedScalar = { kind: 'notFinite', text: '-Inf' };
const NOT_A_NUMBER: ResolvedScalar = { kind: 'notFinite', text: 'NaN' };

const WORDS: ReadonlyMap<string, ResolvedScalar> = new Map<string, ResolvedScalar>([
  ['', NULL],
  ...words('~ null Null NULL', NULL),
  ...words('y Y yes Yes YES true True TRUE on On ON', TRUE),
  ...words('n N no No NO false False FALSE off Off OFF', FALSE),
  ...words('.inf .Inf .INF +.inf +.Inf +.INF', INFINITY),
  ...words('-.inf -.Inf -.INF', MINUS_INFINITY),
  ...words('.nan .NaN .NAN', NOT_A_NUMBER),
]);

function words(texts: string, meaning: ResolvedScalar): [string, ResolvedScalar][] {
  return texts.split(' ').map((text) => [text, meaning]);
}

const DECIMAL = /^[+-]?[0-9]+$/;
/** Octal may be written 0644 as in YAML 1.1, which is how file modes are given. */
const OTHER_BASE = /^[+-]?0(?:[xX][0-9a-fA-F]+|[bB][01]+|[oO]?[0-7]+)$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
/** No 64-bit number in any base is longer. */
const OTHER_BASE_LENGTH_MAX = 70;
const INT64_MIN = -(2n ** 63n);
const UINT64_MAX = 2n ** 64n - 1n;

/**
 * Resolves an untagged plain scalar. Numbers are read as Go's YAML library reads them (bases,
 * underscores), booleans as YAML 1.1 does (`yes` and `on` are true), timestamps are strings.
 */
export function resolvePlain(source: string): ResolvedScalar {
  const word = WORDS.get(source);
  if (word !== undefined) return word;
  return resolveNumber(source) ?? { kind: 'string', text: source };
}

/**
 * Resolves a scalar with an explicit tag, whatever its style; returns undefined when the text is
 * not of the tag's type. Unknown tags make strings.
 */
export function resolveTagged(tag: string, source: string): ResolvedScalar | undefined {
  const name = tag.startsWith(TAG_PREFIX) ? tag.slice(TAG_PREFIX.length) : '';
  switch (name) {
    case 'null':
    case 'bool':
    case 'int': {
      const resolved = resolvePlain(source);
      return resolved.kind === name ? resolved : undefined;
    }
    case 'float': {
      const resolved = resolvePlain(source);
      if (resolved.kind === 'int') return finiteFloat(resolved.text);
      return resolved.kind === 'float' || resolved.kind === 'notFinite' ? resolved : undefined;
    }
    case 'binary':
      return resolveBinary(source);
    default:
      return { kind: 'string', text: source };
  }
}

function resolveNumber(source: string): ResolvedScalar | undefined {
  const first = source.charCodeAt(0);
  const isDigit = first >= 0x30 && first <= 0x39;
  const isDot = first === 0x2e;
  if (!isDigit && !isDot && first !== 0x2b && first !== 0x2d) return undefined;
  const digits = isDot || !source.includes('_') ? source : source.replaceAll('_', '');
  if (OTHER_BASE.test(digits)) {
    const resolved = resolveOtherBase(digits);
    if (resolved !== undefined) return resolved;
  }
  // Not through a number or bigint: digits of any length keep their precision, up to the doubles'.
  if (DECIMAL.test(digits)) {
    if (!Number.isFinite(Number(digits))) return undefined;
    return { kind: 'int', text: canonicalDecimal(digits) };
  }
  return FLOAT.test(digits) ? finiteFloat(digits) : undefined;
}

function resolveOtherBase(text: string): ResolvedScalar | undefined {
  if (text.length > OTHER_BASE_LENGTH_MAX) return undefined;
  const negative = text.startsWith('-');
  const unsigned = negative || text.startsWith('+') ? text.slice(1) : text;
  const isOldOctal = unsigned.charCodeAt(1) <= 0x39;
  const value = BigInt(isOldOctal ? `0o${unsigned.slice(1)}` : unsigned);
  const signed = negative ? -value : value;
  if (signed < INT64_MIN || signed > UINT64_MAX) return undefined;
  return { kind: 'int', text: String(signed) };
}

function canonicalDecimal(digits: string): string {
  const start = digits.startsWith('-') || digits.startsWith('+') ? 1 : 0;
  let significant = start;
  while (significant < digits.length - 1 && digits.charCodeAt(significant) === 0x30) significant++;
  const text = digits.slice(significant);
  return digits.startsWith('-') && text !== '0' ? `-${text}` : text;
}

/** JSON of a float; undefined when it is out of range. */
function finiteFloat(text: string): ResolvedScalar | undefined {
  const value = Number(text);
  if (!Number.isFinite(value)) return undefined;
  return { kind: 'float', text: Object.is(value, -0) ? '-0' : String(value) };
}

/** The decoded bytes as text; undefined when they are none. */
function resolveBinary(source: string): ResolvedScalar | undefined {
  const base64 = source.replace(/\s+/g, '');
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64 || !isUtf8(bytes)) return undefined;
  return { kind: 'string', text: bytes.toString('utf8') };
}
