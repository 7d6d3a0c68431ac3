/**
 * The bytes of messages (proto/etcd/rpc.proto). The library makes code for each message once; what
 * it reads is put into the shapes of `etcd.ts` by `from-messages.ts`.
 */
import protobuf from 'protobufjs/light.js';
import type { Int64, WrittenInt64 } from './message-types.ts';

/** As the build compiles `proto/etcd/rpc.proto`. */
export type EtcdMessages = protobuf.INamespace;

export interface Codec {
  /** `bytesHint` is about how long it gets, for one that is long. */
  encode(message: object, bytesHint?: number): Buffer;
  decode(bytes: Buffer): unknown;
}

const MESSAGE_NAMES = [
  'RangeRequest',
  'RangeResponse',
  'TxnRequest',
  'TxnResponse',
  'CompactionRequest',
  'CompactionResponse',
  'WatchRequest',
  'WatchResponse',
  'LeaseGrantRequest',
  'LeaseGrantResponse',
  'LeaseRevokeRequest',
  'LeaseRevokeResponse',
  'LeaseKeepAliveRequest',
  'LeaseKeepAliveResponse',
  'StatusRequest',
  'StatusResponse',
] as const;

const NO_BYTES = Buffer.alloc(0);

export type MessageName = (typeof MESSAGE_NAMES)[number];
export type Codecs = Readonly<Record<MessageName, Codec>>;

/** Makes the codecs of all messages that go over the wire. */
export function etcdCodecs(messages: EtcdMessages): Codecs {
  const root = protobuf.Root.fromJSON(messages);
  root.resolveAll();
  for (const type of Object.values((root.lookup('etcd') as protobuf.Namespace).nested ?? {})) {
    if (type instanceof protobuf.Type) readMissingAsNone(type);
  }
  return Object.fromEntries(
    MESSAGE_NAMES.map((name) => [name, codecOf(root.lookupType(`etcd.${name}`))]),
  ) as Record<MessageName, Codec>;
}

/** What was not sent would be an object for a number, and a list for bytes. */
function readMissingAsNone(type: protobuf.Type): void {
  const none = type.ctor.prototype as Record<string, unknown>;
  for (const { name, type: kind, repeated } of type.fieldsArray) {
    if (repeated) continue;
    if (/^u?int64$/.test(kind)) none[name] = 0;
    if (kind === 'bytes') none[name] = NO_BYTES;
  }
}

function codecOf(type: protobuf.Type): Codec {
  return {
    encode: (message, bytesHint = 0) => {
      const writer = protobuf.Writer.create();
      // It would grow to twice its size again and again, and copy what it has each time.
      if (bytesHint > writer.buf.length) writer.buf = Buffer.allocUnsafe(bytesHint);
      return type.encode(message, writer).finish(true) as Buffer;
    },
    decode: (bytes) => type.decode(new Int64Reader(bytes)),
  };
}

/** Reads 64 bits as numbers: an object for each would cost more than all the rest. */
class Int64Reader extends protobuf.BufferReader {
  override discardUnknown = true;

  // The library declares its own class of 64 bits.
  override int64(): never {
    return readInt64(this, true) as never;
  }

  override uint64(): never {
    return readInt64(this, false) as never;
  }
}

/** Up to seven bytes of a varint fit into a number. */
const NUMBER_BYTES_MAX = 7;

function readInt64(reader: protobuf.BufferReader, isSigned: boolean): Int64 {
  const { buf } = reader;
  let at = reader.pos;
  let value = 0;
  let factor = 1;
  for (let count = 0; count < NUMBER_BYTES_MAX; count += 1) {
    const byte = byteAt(buf, at, reader.len);
    at += 1;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) {
      reader.pos = at;
      return value;
    }
    factor *= 0x80;
  }
  let long = BigInt(value);
  for (let shift = 7n * BigInt(NUMBER_BYTES_MAX); shift < 70n; shift += 7n) {
    const byte = byteAt(buf, at, reader.len);
    at += 1;
    long |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) {
      reader.pos = at;
      const exact = isSigned ? BigInt.asIntN(64, long) : BigInt.asUintN(64, long);
      const short = Number(exact);
      return Number.isSafeInteger(short) ? short : exact;
    }
  }
  throw new RangeError('a number of more than 64 bits');
}

function byteAt(bytes: Uint8Array, at: number, end: number): number {
  const byte = at < end ? bytes[at] : undefined;
  if (byte === undefined) throw new RangeError('a message ends within a number');
  return byte;
}

/** An id of 64 bits as the library writes it. */
export function writtenInt64(id: bigint): WrittenInt64 {
  return id === 0n ? 0 : { low: Number(BigInt.asIntN(32, id)), high: Number(id >> 32n) };
}
