/**
 * Reads DER as the reference does, with its error texts: values must have the expected tags and the
 * shortest lengths, and end within the value that holds them.
 */

export class DerError extends Error {}

export interface DerValue {
  readonly tag: number;
  readonly content: Buffer;
  /** With its tag and length. */
  readonly whole: Buffer;
}

interface Header {
  readonly class: number;
  readonly tag: number;
  readonly length: number;
  readonly isCompound: boolean;
  /** Where the content begins. */
  readonly start: number;
}

const INTEGER = 2;
const BIT_STRING = 3;
const OCTET_STRING = 4;
const OBJECT_IDENTIFIER = 6;
const SEQUENCE = 16;
const SET = 17;
const UNIVERSAL = 0;
const CONTEXT_SPECIFIC = 2;

const LENGTH_MAX = 2 ** 23;
const INTEGER_BYTES_MAX = 8;
const PART_BYTES_MAX = 5;

export function syntaxError(text: string): DerError {
  return new DerError(`asn1: syntax error: ${text}`);
}

function structureError(text: string): DerError {
  return new DerError(`asn1: structure error: ${text}`);
}

/** Returns what `read` returns; replaces the text of a `DerError` that it throws. */
export function reworded<T>(text: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof DerError ? new DerError(text) : error;
  }
}

/** Reads one value after the other; each method throws `DerError`. */
export class DerReader {
  /** All bytes of the sequence, with its tag and length. */
  readonly whole: Buffer;
  readonly #bytes: Buffer;
  #offset = 0;

  constructor(bytes: Buffer, whole = bytes) {
    this.#bytes = bytes;
    this.whole = whole;
  }

  get isAtEnd(): boolean {
    return this.#offset === this.#bytes.length;
  }

  any(): DerValue {
    return this.#take(this.#header());
  }

  /** The members of a sequence; `type` is what the reference calls it. */
  sequence(type = ''): DerReader {
    const { content, whole } = this.#expect(SEQUENCE, true, type);
    return new DerReader(content, whole);
  }

  /** The items of a set. */
  setOfAny(): DerValue[] {
    return allOf(this.#expect(SET, true, '').content);
  }

  /** The items of a list with the context-specific tag `tag`. */
  taggedListOfAny(tag: number): DerValue[] {
    return allOf(this.#expect(tag, true, '', CONTEXT_SPECIFIC).content);
  }

  /** The content of a value with the context-specific tag `tag`. */
  tagged(tag: number): DerReader {
    return new DerReader(this.#expect(tag, true, '', CONTEXT_SPECIFIC).content);
  }

  /** Sequences that are in a sequence, or in a set. */
  listOfSequences(inSet = false): DerReader[] {
    const bytes = this.#expect(inSet ? SET : SEQUENCE, true, inSet ? SET_NAME : '').content;
    return itemsOf(bytes, SEQUENCE);
  }

  /** Sets that are in a sequence. */
  listOfSets(): Buffer[] {
    const bytes = this.#expect(SEQUENCE, true, 'RDNSequence').content;
    return allOf(bytes, SET).map(({ whole }) => whole);
  }

  /** An integer of at most 64 bits, unless it may be `large`. */
  integer(large = false): Buffer {
    const bytes = this.#expect(INTEGER, false, 'int').content;
    checkInteger(bytes, large);
    return bytes;
  }

  bitString(): Buffer {
    return bitsOf(this.#expect(BIT_STRING, false, 'BitString').content);
  }

  octets(): Buffer {
    return this.#expect(OCTET_STRING, false, '').content;
  }

  /** As `1.2.840.113549.1.1.1`. */
  objectIdentifier(): string {
    return identifierOf(this.#expect(OBJECT_IDENTIFIER, false, 'ObjectIdentifier').content);
  }

  /** Passes over a value with this tag, where there is one. */
  skipOptional(tag: number): void {
    if (this.isAtEnd) return;
    const header = headerAt(this.#bytes, this.#offset);
    if (header.class === UNIVERSAL && header.tag === tag) this.#take(header);
  }

  #expect(tag: number, isCompound: boolean, type: string, ofClass = UNIVERSAL): DerValue {
    const header = this.#header();
    const { class: classThere, tag: tagThere, length, start } = header;
    const isIt = classThere === ofClass && tagThere === tag && header.isCompound === isCompound;
    if (!isIt) {
      throw structureError(
        `tags don't match (${tag} vs {class:${classThere} tag:${tagThere} length:${length} ` +
          `isCompound:${header.isCompound}}) ${NO_PARAMETERS} ${type} @${start}`,
      );
    }
    return this.#take(header);
  }

  #header(): Header {
    if (this.isAtEnd) throw syntaxError('sequence truncated');
    return headerAt(this.#bytes, this.#offset);
  }

  #take({ tag, length, start }: Header): DerValue {
    const end = start + length;
    if (end > this.#bytes.length) throw syntaxError('data truncated');
    const whole = this.#bytes.subarray(this.#offset, end);
    this.#offset = end;
    return { tag, content: this.#bytes.subarray(start, end), whole };
  }
}

const SET_NAME = 'RelativeDistinguishedNameSET';
const NO_PARAMETERS =
  '{optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> ' +
  'stringType:0 timeType:0 set:false omitEmpty:false}';

function headerAt(bytes: Buffer, offset: number): Header {
  const first = bytes[offset] as number;
  const header = { class: first >> 6, isCompound: (first & 0x20) !== 0 };
  if ((first & 0x1f) !== 0x1f)
    return { ...header, tag: first & 0x1f, ...lengthAt(bytes, offset + 1) };
  const [tag, next] = partAt(bytes, offset + 1);
  if (tag < 0x1f) throw syntaxError('non-minimal tag');
  return { ...header, tag, ...lengthAt(bytes, next) };
}

function lengthAt(bytes: Buffer, offset: number): { length: number; start: number } {
  const first = bytes[offset];
  if (first === undefined) throw syntaxError('truncated tag or length');
  if (first < 0x80) return { length: first, start: offset + 1 };
  const count = first & 0x7f;
  if (count === 0) throw syntaxError('indefinite length found (not DER)');
  let length = 0;
  for (let index = 1; index <= count; index += 1) {
    const byte = bytes[offset + index];
    if (byte === undefined) throw syntaxError('truncated tag or length');
    if (length >= LENGTH_MAX) throw structureError('length too large');
    length = length * 256 + byte;
    if (length === 0) throw structureError('superfluous leading zeros in length');
  }
  if (length < 0x80) throw structureError('non-minimal length');
  return { length, start: offset + 1 + count };
}

/** A number of seven bits in each byte, and where what follows it begins. */
function partAt(bytes: Buffer, start: number): readonly [number, number] {
  let value = 0;
  for (let offset = start; offset < bytes.length; offset += 1) {
    const byte = bytes[offset] as number;
    if (offset - start === PART_BYTES_MAX) throw structureError('base 128 integer too large');
    if (offset === start && byte === 0x80) throw syntaxError('integer is not minimally encoded');
    value = value * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    if (value > 2 ** 31 - 1) throw structureError('base 128 integer too large');
    return [value, offset + 1];
  }
  throw syntaxError('truncated base 128 integer');
}

/** The values that lie in these bytes, all with this tag if one is given. */
function allOf(bytes: Buffer, tag?: number): DerValue[] {
  const values: DerValue[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const header = headerAt(bytes, offset);
    const { length, start } = header;
    const isIt = header.class === UNIVERSAL && header.isCompound && header.tag === tag;
    if (tag !== undefined && !isIt) throw structureError('sequence tag mismatch');
    if (start + length > bytes.length) throw syntaxError('truncated sequence');
    const end = start + length;
    const content = bytes.subarray(start, end);
    values.push({ tag: header.tag, content, whole: bytes.subarray(offset, end) });
    offset = end;
  }
  return values;
}

function itemsOf(bytes: Buffer, tag: number): DerReader[] {
  return allOf(bytes, tag).map(({ content }) => new DerReader(content));
}

/** Throws `DerError` unless the content is that of an integer, of 64 bits if it is not `large`. */
export function checkInteger(bytes: Buffer, large = false): void {
  const [first, second = 0] = bytes;
  if (first === undefined) throw structureError('empty integer');
  if (bytes.length === 1) return;
  const isPadded = first === 0 ? second < 0x80 : first === 0xff && second >= 0x80;
  if (isPadded) throw structureError('integer not minimally-encoded');
  if (!large && bytes.length > INTEGER_BYTES_MAX) throw structureError('integer too large');
}

/** The bits aligned to the right, as keys have them. */
export function bitsOf(bytes: Buffer): Buffer {
  const [padding] = bytes;
  if (padding === undefined) throw syntaxError('zero length BIT STRING');
  const last = bytes[bytes.length - 1] as number;
  const isWrong = padding > 7 || (bytes.length === 1 && padding > 0);
  if (isWrong || (last & ((1 << padding) - 1)) !== 0) {
    throw syntaxError('invalid padding bits in BIT STRING');
  }
  const bits = bytes.subarray(1);
  if (padding === 0) return bits;
  return bits.map((byte, index) => {
    const before = index === 0 ? 0 : (bits[index - 1] as number);
    return ((before << (8 - padding)) | (byte >> padding)) & 0xff;
  }) as Buffer;
}

/** The text of an object identifier, from its content. */
export function identifierOf(bytes: Buffer): string {
  if (bytes.length === 0) throw syntaxError('zero length OBJECT IDENTIFIER');
  let [part, offset] = partAt(bytes, 0);
  const first = Math.min(Math.floor(part / 40), 2);
  const parts = [first, part - 40 * first];
  while (offset < bytes.length) {
    [part, offset] = partAt(bytes, offset);
    parts.push(part);
  }
  return parts.join('.');
}
