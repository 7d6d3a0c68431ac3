/**
 * Leaf types in protobuf (README.md#protobuf): scalars, and messages that are one value in JSON.
 */
import { durationText, parseDuration } from './duration-text.ts';
import { DecodeError } from './go-errors.ts';
import { wellFormed } from './go-json.ts';
import { jsonSyntaxError, nestsTooDeep, TOO_DEEP } from './json-syntax.ts';
import { enterMessage, readNestedTuple, readTuple, tagOf, unexpectedEnd } from './protobuf-item.ts';
import type { ItemCodec, Reader, Writer } from './protobuf-item.ts';
import { microTimeText, nanosOf, secondsOf, timeText } from './protobuf-time.ts';
import { keptQuantity } from './quantity.ts';
import { RawJson } from './raw-json.ts';
import { loneSurrogate } from './text-body.ts';

export const STRING: ItemCodec = {
  wireType: 2,
  write: writeString,
  read: readString,
  zero: () => '',
};

export const BOOL: ItemCodec = {
  wireType: 0,
  write: (value, writer) => void writer.bool(value === true),
  read: (reader) => reader.bool(),
  zero: () => false,
};

const INT32: ItemCodec = {
  wireType: 0,
  write: (value, writer) => void writer.int32((value ?? 0) as number),
  read: (reader) => reader.int32(),
  zero: () => 0,
};

const INT64: ItemCodec = {
  wireType: 0,
  write: (value, writer) => writeInt64((value ?? 0) as number | bigint, writer),
  read: readInt64,
  zero: () => 0,
};

const DOUBLE: ItemCodec = {
  wireType: 1,
  write: (value, writer) => void writer.double((value ?? 0) as number),
  read: readDouble,
  zero: () => 0,
};

const BYTES: ItemCodec = {
  wireType: 2,
  write: (value, writer) => void writer.bytes(Buffer.from((value ?? '') as string, 'base64')),
  read: (reader) => (reader.bytes() as Buffer).toString('base64'),
  zero: () => '',
};

const TIMESTAMP = [INT64, INT32];

const TIME: ItemCodec = {
  wireType: 2,
  write: (value, writer) => writeTimestamp(value, writer),
  read: (reader) => readTimestamp(reader, 'Time', timeText),
  zero: () => undefined,
};

const MICRO_TIME: ItemCodec = {
  wireType: 2,
  write: (value, writer) => writeTimestamp(value, writer),
  read: (reader) => readTimestamp(reader, 'MicroTime', microTimeText),
  zero: () => undefined,
};

const DURATION: ItemCodec = {
  wireType: 2,
  write: (value, writer) => {
    writer.fork().uint32(tagOf(1, 0));
    writeInt64(parseDuration((value ?? '0s') as string), writer);
    writer.ldelim();
  },
  read: (reader) => {
    const [nanos = 0] = readNestedTuple(reader, 'Duration', [INT64], 0);
    return durationText(BigInt(nanos as number | bigint));
  },
  zero: () => '0s',
};

const QUANTITY: ItemCodec = {
  wireType: 2,
  write: (value, writer) => {
    writer.fork().uint32(tagOf(1, 2));
    writer.string((value ?? '0') as string).ldelim();
  },
  read: readQuantity,
  zero: () => '0',
};

const INT_OR_STRING: ItemCodec = {
  wireType: 2,
  write: writeIntOrString,
  read: readIntOrString,
  zero: () => 0,
};

/** No bytes; absent where a single value is expected. */
export const NULL_JSON = new RawJson('null');

const RAW_EXTENSION: ItemCodec = {
  wireType: 2,
  write: writeRawJson,
  read: (reader) => readRawJson(reader, 'RawExtension'),
  zero: () => NULL_JSON,
};

const FIELDS_V1: ItemCodec = {
  ...RAW_EXTENSION,
  read: (reader) => readRawJson(reader, 'FieldsV1'),
};

const LEAVES: Readonly<Record<string, ItemCodec>> = {
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

/** The codec of one of `LEAF_TYPES`. */
export function leafCodec(type: string): ItemCodec {
  const leaf = LEAVES[type];
  if (leaf === undefined) throw new Error(`leaf type ${type} is not known`);
  return leaf;
}

/** Most strings are empty, as zero is written: here and in `readString` they go the short way. */
function writeString(value: unknown, writer: Writer): void {
  if (value === undefined || value === null || value === '') writer.uint32(0);
  else writer.string(wellFormed(value as string));
}

/** A string that is always written, with its tag. */
export function writeTextField(number: number, text: string, writer: Writer): void {
  writer.uint32(tagOf(number, 2));
  writeString(text, writer);
}

function readString(reader: Reader): string {
  const start = reader.pos;
  if (start >= reader.len || reader.buf[start] !== 0) {
    const text = reader.string();
    if (!text.includes('\ufffd')) return text;
    // It was sent, or it stands for bytes that are no text, which are refused.
    reader.pos = start;
    return reader.stringVerify();
  }
  reader.pos += 1;
  return '';
}

function writeInt64(value: number | bigint, writer: Writer): void {
  writer.int64(typeof value === 'bigint' ? String(value) : value);
}

/** A bigint when it does not fit a number. */
function readInt64(reader: Reader): number | bigint {
  // Groups of 28, 28 and 8 bits, as numbers shift 32 of them. What the last byte has beyond is cut.
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

function writeTimestamp(value: unknown, writer: Writer): void {
  if (value === undefined || value === null || value === '') {
    writer.uint32(0);
    return;
  }
  const text = value as string;
  writer.fork().uint32(tagOf(1, 0)).int64(secondsOf(text));
  writer.uint32(tagOf(2, 0)).int32(nanosOf(text)).ldelim();
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
  const [text] = readNestedTuple(reader, 'Quantity', [STRING], 0);
  // An empty message is the zero quantity, but empty text is none.
  if (text === undefined) return '0';
  try {
    return keptQuantity(text as string);
  } catch (error) {
    throw new DecodeError((error as Error).message);
  }
}

function writeIntOrString(value: unknown, writer: Writer): void {
  const isText = typeof value === 'string';
  writer.fork().uint32(tagOf(1, 0));
  writer.uint32(isText ? 1 : 0).uint32(tagOf(2, 0));
  writer.int32(isText ? 0 : ((value ?? 0) as number)).uint32(tagOf(3, 2));
  STRING.write(isText ? value : '', writer);
  writer.ldelim();
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

function writeRawJson(value: unknown, writer: Writer): void {
  const text = value === undefined || value === null ? 'null' : (value as RawJson).text;
  if (text === 'null') writer.uint32(0);
  else {
    writer.fork().uint32(tagOf(1, 2));
    STRING.write(text, writer);
    writer.ldelim();
  }
}

/** No bytes are `null`. */
function readRawJson(reader: Reader, type: string): RawJson {
  const [text = ''] = readNestedTuple(reader, type, [STRING], 0) as string[];
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
