/**
 * Leaf types of protobuf (../README.md#protobuf) to values: scalars, and messages that are one
 * value in JSON. `transcode-leaf.ts` is the way back.
 */
import { durationText } from '../leaves/duration-text.ts';
import { DecodeError } from '../json/go-errors.ts';
import { jsonSyntaxError, nestsTooDeep, TOO_DEEP } from '../json/json-syntax.ts';
import { enterMessage, readNestedTuple, readTuple, tagOf, unexpectedEnd } from './protobuf-item.ts';
import type { ItemDecoder, Reader, Writer } from './protobuf-item.ts';
import { microTimeText, timeText } from './protobuf-time.ts';
import { keptQuantity } from '../leaves/quantity.ts';
import { RawJson } from '../json/raw-json.ts';
import { loneSurrogate } from '../text-body.ts';

export const STRING: ItemDecoder = {
  wireType: 2,
  read: readString,
  zero: () => '',
};

export const BOOL: ItemDecoder = {
  wireType: 0,
  read: (reader) => reader.bool(),
  zero: () => false,
};

const INT32: ItemDecoder = {
  wireType: 0,
  read: (reader) => reader.int32(),
  zero: () => 0,
};

const INT64: ItemDecoder = {
  wireType: 0,
  read: readInt64,
  zero: () => 0,
};

const DOUBLE: ItemDecoder = {
  wireType: 1,
  read: readDouble,
  zero: () => 0,
};

const BYTES: ItemDecoder = {
  wireType: 2,
  read: (reader) => (reader.bytes() as Buffer).toString('base64'),
  zero: () => '',
};

const ONE_STRING = [STRING];
const TIMESTAMP = [INT64, INT32];

const TIME: ItemDecoder = {
  wireType: 2,
  read: (reader) => readTimestamp(reader, 'Time', timeText),
  zero: () => undefined,
};

const MICRO_TIME: ItemDecoder = {
  wireType: 2,
  read: (reader) => readTimestamp(reader, 'MicroTime', microTimeText),
  zero: () => undefined,
};

const DURATION: ItemDecoder = {
  wireType: 2,
  read: (reader) => {
    const [nanos = 0] = readNestedTuple(reader, 'Duration', [INT64], 0);
    return durationText(BigInt(nanos as number | bigint));
  },
  zero: () => '0s',
};

const QUANTITY: ItemDecoder = {
  wireType: 2,
  read: readQuantity,
  zero: () => '0',
};

const INT_OR_STRING: ItemDecoder = {
  wireType: 2,
  read: readIntOrString,
  zero: () => 0,
};

/** No bytes; absent where a single value is expected. */
export const NULL_JSON = new RawJson('null');

const RAW_EXTENSION: ItemDecoder = {
  wireType: 2,
  read: (reader) => readRawJson(reader, 'RawExtension'),
  zero: () => NULL_JSON,
};

const FIELDS_V1: ItemDecoder = {
  ...RAW_EXTENSION,
  read: (reader) => readRawJson(reader, 'FieldsV1'),
};

const LEAVES: Readonly<Record<string, ItemDecoder>> = {
  string: STRING,
  bool: BOOL,
  int32: INT32,
  int64: INT64,
  double: DOUBLE,
  bytes: BYTES,
  Time: TIME,
  MicroTime: MICRO_TIME,
  Duration: DURATION,
  Quantity: QUANTITY,
  IntOrString: INT_OR_STRING,
  RawExtension: RAW_EXTENSION,
  FieldsV1: FIELDS_V1,
};

/** The decoder of one of `LEAF_TYPES`. */
export function leafDecoder(type: string): ItemDecoder {
  const leaf = LEAVES[type];
  if (leaf === undefined) throw new Error(`leaf type ${type} is not known`);
  return leaf;
}

/** A string that is always written, with its tag. */
export function writeTextField(number: number, text: string, writer: Writer): void {
  writer.uint32(tagOf(number, 2)).string(text);
}

/** Most strings are empty, because zero values are written, or short and equal in many messages. */
function readString(reader: Reader): string {
  const start = reader.pos + 1;
  const length = reader.buf[start - 1] as number;
  if (length <= KNOWN_LENGTH_MAX && start + length <= reader.len) {
    const known = knownText(reader.buf, start, length);
    if (known !== undefined) {
      reader.pos = start + length;
      return known;
    }
  }
  const text = reader.string();
  if (!text.includes('\ufffd')) return text;
  // U+FFFD was sent itself, or stands for bytes that are no UTF-8: those are refused.
  reader.pos = start - 1;
  return reader.stringVerify();
}

/**
 * Short strings that were read, by a hash of their bytes; a new one replaces another with its hash.
 */
const KNOWN: string[] = Array.from({ length: 2_048 }, () => '');
const KNOWN_LENGTH_MAX = 32;

/** The text of so many bytes, found or made; undefined when they are not all ASCII. */
function knownText(bytes: Uint8Array, start: number, length: number): string | undefined {
  if (length === 0) return '';
  let hash = length;
  for (let at = start; at < start + length; at += 1) {
    const byte = bytes[at] as number;
    if (byte > 0x7f) return undefined;
    hash = Math.imul(hash, 31) + byte;
  }
  const slot = (hash ^ (hash >>> 11)) & (KNOWN.length - 1);
  const known = KNOWN[slot] as string;
  if (isText(known, bytes, start, length)) return known;
  const text = (bytes as Buffer).toString('latin1', start, start + length);
  KNOWN[slot] = text;
  return text;
}

function isText(text: string, bytes: Uint8Array, start: number, length: number): boolean {
  if (text.length !== length) return false;
  for (let index = 0; index < length; index += 1) {
    if (text.charCodeAt(index) !== bytes[start + index]) return false;
  }
  return true;
}

/** A bigint when it does not fit a number. */
function readInt64(reader: Reader): number | bigint {
  // Reads groups of 28, 28 and 8 bits, because shifts work on 32 bits. Further bits of the last
  // byte are cut off.
  let low = 0;
  let middle = 0;
  let high = 0;
  for (let index = 0; index < 10; index += 1) {
    if (reader.pos >= reader.len) throw unexpectedEnd();
    const byte = reader.buf[reader.pos] ?? 0;
    reader.pos += 1;
    const bits = byte & 0x7f;
    if (index < 4) low |= bits << (7 * index);
    else if (index < 8) middle |= bits << (7 * (index - 4));
    else high |= bits << (7 * (index - 8));
    if (byte < 0x80) return int64Of(low, middle, high);
  }
  throw new DecodeError('proto: integer overflow');
}

function int64Of(low: number, middle: number, high: number): number | bigint {
  const small = middle * 2 ** 28 + low;
  if (high === 0 && Number.isSafeInteger(small)) return small;
  const all = (BigInt(high) << 56n) | (BigInt(middle) << 28n) | BigInt(low);
  const value = BigInt.asIntN(64, all);
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** JSON has no other numbers. */
function readDouble(reader: Reader): number {
  const value = reader.double();
  if (Number.isFinite(value)) return value + 0;
  throw new DecodeError(
    `json: unsupported value: ${Number.isNaN(value) ? 'NaN' : infinity(value)}`,
  );
}

function infinity(value: number): string {
  return value > 0 ? '+Inf' : '-Inf';
}

/** undefined for the zero time: as in JSON it is absent. An empty message is one too. */
function readTimestamp(
  reader: Reader,
  type: string,
  textOf: (seconds: number, nanos: number) => string,
): string | undefined {
  const outer = enterMessage(reader);
  const isEmpty = reader.pos === reader.len;
  const [seconds = 0, nanos = 0] = readTuple(reader, type, TIMESTAMP, 0);
  reader.len = outer;
  return isEmpty ? undefined : textOf(Number(seconds), nanos as number) || undefined;
}

function readQuantity(reader: Reader): string {
  const [text] = readNestedTuple(reader, 'Quantity', ONE_STRING, 0);
  // An empty message is the zero quantity, but empty text is none.
  if (text === undefined) return '0';
  try {
    return keptQuantity(text as string);
  } catch (error) {
    throw new DecodeError((error as Error).message);
  }
}

const INT_OR_STRING_FIELDS = [INT64, INT32, STRING];

function readIntOrString(reader: Reader): unknown {
  const [type = 0, int = 0, text = ''] = readNestedTuple(
    reader,
    'IntOrString',
    INT_OR_STRING_FIELDS,
    0,
  );
  if (type === 0) return int;
  if (type === 1) return text;
  throw new DecodeError('impossible IntOrString.Type');
}

/** No bytes are `null`. */
function readRawJson(reader: Reader, type: string): RawJson {
  const [text = ''] = readNestedTuple(reader, type, ONE_STRING, 0) as string[];
  return text === '' || text === 'null' ? NULL_JSON : validRawJson(text);
}

function validRawJson(text: string): RawJson {
  if (nestsTooDeep(text)) throw new DecodeError(TOO_DEEP);
  try {
    JSON.parse(text);
  } catch {
    throw new DecodeError(jsonSyntaxError(text) || 'invalid JSON');
  }
  const half = loneSurrogate(text);
  if (half !== '') throw new DecodeError(`${half} is half of a surrogate pair`);
  return RawJson.ofText(text);
}
