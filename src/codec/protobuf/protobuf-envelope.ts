/** The binary envelope (../README.md#protobuf): magic bytes, then `Unknown`. */
import { DecodeError } from '../json/go-errors.ts';
import {
  decodingBytes,
  newWriter,
  readNestedTuple,
  readerOf,
  readTuple,
  tagOf,
} from './protobuf-item.ts';
import type { ItemReader, Writer } from './protobuf-item.ts';
import { STRING, writeTextField } from './protobuf-leaf.ts';

export interface ProtobufEnvelope {
  /** '' when the envelope has none. */
  readonly apiVersion: string;
  readonly kind: string;
  /** The message of the object, which has no type inside. */
  readonly raw: Uint8Array;
}

const MAGIC = Uint8Array.of(0x6b, 0x38, 0x73, 0x00);
/** The end of a document: the reference writes contentEncoding (3) and contentType (4), empty. */
export const EMPTY_CONTENT_FIELDS = Uint8Array.of(0x1a, 0x00, 0x22, 0x00);

/** The bytes of a document whose message is `raw`. */
export function wrapProtobuf(envelope: ProtobufEnvelope): Uint8Array {
  const writer = newWriter();
  writeUnknownStart(envelope, envelope.raw.length, writer);
  return Buffer.concat([writer.finish(), envelope.raw, EMPTY_CONTENT_FIELDS]);
}

/**
 * The part of a document before the field of its message. That field has the number of `items` in
 * lists, so that it can stand in a list as it is.
 */
export function envelopeStart(type: Pick<ProtobufEnvelope, 'apiVersion' | 'kind'>): Uint8Array {
  const writer = newWriter();
  writeType(type, writer);
  return writer.finish();
}

/** Writes the part of a document before its message, which has `rawLength` bytes. */
export function writeUnknownStart(
  type: Pick<ProtobufEnvelope, 'apiVersion' | 'kind'>,
  rawLength: number,
  writer: Writer,
): void {
  writeType(type, writer);
  writer.uint32(tagOf(2, 2)).uint32(rawLength);
}

function writeType(
  { apiVersion, kind }: Pick<ProtobufEnvelope, 'apiVersion' | 'kind'>,
  writer: Writer,
): void {
  writer.raw(MAGIC).uint32(tagOf(1, 2)).fork();
  writeTextField(1, apiVersion, writer);
  writeTextField(2, kind, writer);
  writer.ldelim();
}

/** Throws `DecodeError`, also for an envelope that says that its content is not protobuf. */
export function unwrapProtobuf(bytes: Uint8Array): ProtobufEnvelope {
  if (bytes.length === 0) throw new DecodeError('empty data', true);
  if (!MAGIC.every((byte, index) => bytes[index] === byte)) {
    const expected = `expected prefix [${MAGIC.join(' ')}]`;
    throw new DecodeError(
      `provided data does not appear to be a protobuf message, ${expected}`,
      true,
    );
  }
  if (bytes.length === MAGIC.length) throw new DecodeError('empty body', true);
  return decodingBytes(() => {
    const reader = readerOf(bytes.subarray(MAGIC.length));
    const fields = readTuple(reader, 'Unknown', UNKNOWN, 0);
    const [typeMeta = NO_TYPE, raw = NO_BYTES, contentEncoding = '', contentType = ''] = fields;
    checkContent(contentEncoding as string, contentType as string);
    const [apiVersion = '', kind = ''] = typeMeta as string[];
    return { apiVersion, kind, raw: raw as Uint8Array };
  }, true);
}

function checkContent(contentEncoding: string, contentType: string): void {
  if (contentEncoding !== '') {
    const what = `contentEncoding ${JSON.stringify(contentEncoding)}`;
    throw new DecodeError(`${what} of the envelope is not supported: only '' is`, true);
  }
  if (contentType !== '' && !PROTOBUF_TYPE.test(contentType)) {
    const what = `contentType ${JSON.stringify(contentType)}`;
    throw new DecodeError(`${what} of the envelope is not supported: only protobuf is`, true);
  }
}

/** The media types of both dialects. */
const PROTOBUF_TYPE = /^application\/vnd\.[a-z]+\.protobuf$/;

const NO_TYPE: readonly string[] = [];
const NO_BYTES = new Uint8Array();

/** {apiVersion 1, kind 2}, as a list. */
const TYPE_META: ItemReader = {
  wireType: 2,
  read: (reader) => readNestedTuple(reader, 'TypeMeta', [STRING, STRING], 0),
};

/** Bytes as they are, a view of the input. */
const RAW_BYTES: ItemReader = { wireType: 2, read: (reader) => reader.bytes() };

const UNKNOWN = [TYPE_META, RAW_BYTES, STRING, STRING];
