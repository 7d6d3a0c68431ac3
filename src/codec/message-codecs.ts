/** A message in both encodings. */
import { compileJsonCodec, type JsonCodec } from './json/json-codec.ts';
import { compileProtobufCodec, type ProtobufCodec } from './protobuf/protobuf-codec.ts';
import type { SchemaModel } from './model/schema-model.ts';

export interface MessageCodecs {
  readonly json: JsonCodec;
  readonly protobuf: ProtobufCodec;
}

/** The codecs of a root message such as `meta.v1.DeleteOptions`. */
export function compileMessage(model: SchemaModel, rootMessageName: string): MessageCodecs {
  return {
    json: compileJsonCodec(model, rootMessageName),
    protobuf: compileProtobufCodec(model, rootMessageName),
  };
}
