/**
 * Protobuf of built-in kinds (../README.md#protobuf), compiled from the schema model: JSON text to
 * bytes, and bytes to objects. Objects have the shape that `json-codec.ts` documents, so that one
 * that is decoded here encodes to the same JSON and the other way round. One thing has no bytes: a
 * list or map that is always written in JSON comes back absent when it is empty.
 */
import { assert } from '../../base/assert.ts';
import { compileJsonCodec, type JsonCodec } from '../json/json-codec.ts';
import { decodingBytes, readerOf, type Reader } from './protobuf-item.ts';
import { DecoderCompiler } from './protobuf-message.ts';
import { VariantCodecs } from './protobuf-variants.ts';
import { SCHEMA_MESSAGE } from '../model/schema-model.ts';
import type { SchemaModel } from '../model/schema-model.ts';
import { decodeUtf8 } from '../text-body.ts';
import { transcode } from './transcode-members.ts';
import { PlanCompiler } from './transcode-plan.ts';

export interface ProtobufCodec {
  /**
   * The bare message of an object (no envelope) from its JSON, which begins with the first member,
   * as `JsonCodec.encode` writes it: `"metadata":{…}}`. Throws `DecodeError` for other text.
   */
  encode(members: Uint8Array): Uint8Array;
  /**
   * The message as a field of another one, with its tag and its length in front. The bytes are
   * valid until something else is encoded.
   */
  encodeField(number: number, members: Uint8Array): Uint8Array;
  encodeObject(object: object): Uint8Array;
  /** Unknown fields are dropped. Throws `DecodeError` for bytes that are no such message. */
  decode(bytes: Uint8Array): Record<string, unknown>;
}

/** The codec of a message such as `core.v1.ConfigMap`; nested ones compile on first use. */
export function compileProtobufCodec(model: SchemaModel, messageName: string): ProtobufCodec {
  const messages = new MessageCompiler(model);
  return {
    encode: (members) => Buffer.from(messages.encode(messageName, members)),
    encodeField: (number, members) => messages.encode(messageName, members, number),
    encodeObject: (object) => messages.encodeObject(messageName, object),
    decode: (bytes) => decodingBytes(() => messages.decode(messageName, readerOf(bytes))),
  };
}

/** Compiles the encoder and the decoder of a message, and of schemas that it may hold as text. */
class MessageCompiler {
  readonly #model: SchemaModel;
  readonly #json = new Map<string, JsonCodec>();
  readonly #decoders: DecoderCompiler;
  readonly #plans: PlanCompiler;

  constructor(model: SchemaModel) {
    this.#model = model;
    const variants = new VariantCodecs({
      decoder: () => this.#decoders.item(SCHEMA_MESSAGE),
      message: () => this.#plans.message(SCHEMA_MESSAGE),
    });
    this.#decoders = new DecoderCompiler(model, variants);
    this.#plans = new PlanCompiler(model, variants);
  }

  /** The bytes are valid until something else is encoded. */
  encode(name: string, members: Uint8Array, number?: number): Uint8Array {
    const root = this.#plans.root(name);
    const bytes = transcode(root, members, number);
    if (bytes !== undefined) return bytes;
    // Other releases may have written members in another order.
    const rewritten = this.#jsonOf(name).decode(`{${decodeUtf8(members)}`).object;
    const again = transcode(root, this.#membersOf(name, rewritten), number);
    assert(again !== undefined, `a ${name} cannot be read as the encoder writes it`);
    return again;
  }

  encodeObject(name: string, object: object): Uint8Array {
    return Buffer.from(this.encode(name, this.#membersOf(name, object)));
  }

  decode(name: string, reader: Reader): Record<string, unknown> {
    return this.#decoders.message(name).read(reader, 0);
  }

  #membersOf(name: string, object: object): Uint8Array {
    return Buffer.from(this.#jsonOf(name).encode(object));
  }

  #jsonOf(name: string): JsonCodec {
    let codec = this.#json.get(name);
    if (codec === undefined) {
      codec = compileJsonCodec(this.#model, name);
      this.#json.set(name, codec);
    }
    return codec;
  }
}
