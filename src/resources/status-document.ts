/**
 * A Status as bytes: its document, and the event that ends a watch
 * (src/semantics/README.md#status).
 */
import { stringifyGo } from '../codec/json/go-json.ts';
import { compileProtobufCodec } from '../codec/protobuf/protobuf-codec.ts';
import type { ProtobufCodec } from '../codec/protobuf/protobuf-codec.ts';
import { wrapProtobuf } from '../codec/protobuf/protobuf-envelope.ts';
import { protobufWatchFrame } from '../codec/protobuf/protobuf-frames.ts';
import type { SchemaModel } from '../codec/model/schema-model.ts';
import { yamlText } from '../codec/yaml/yaml-text.ts';
import type { Form } from '../semantics/options/answer-form.ts';
import type { Status } from '../semantics/errors/status.ts';

/** Gives the codec of the message of a Status. */
export type StatusCodec = () => ProtobufCodec;

/** `loadModel` is called once, when the first Status is to be binary. */
export function lazyStatusCodec(loadModel: () => SchemaModel): StatusCodec {
  let codec: ProtobufCodec | undefined;
  return () => (codec ??= compileProtobufCodec(loadModel(), 'meta.v1.Status'));
}

/** The whole document; JSON and YAML end with a newline. */
export function statusDocument(
  status: Status,
  encoding: Form['encoding'],
  codec: StatusCodec,
): Uint8Array {
  if (encoding === 'protobuf') {
    const { apiVersion, kind } = status;
    return wrapProtobuf({ apiVersion, kind, raw: codec().encodeObject(status) });
  }
  const json = `${stringifyGo(status)}\n`;
  return Buffer.from(encoding === 'json' ? json : yamlText(json));
}

/** The ERROR event of a watch: a line of JSON, or a frame. There are no watches in YAML. */
export function statusEvent(
  status: Status,
  encoding: Form['encoding'],
  codec: StatusCodec,
): Uint8Array {
  if (encoding === 'protobuf') {
    return protobufWatchFrame('ERROR', statusDocument(status, encoding, codec));
  }
  return Buffer.from(`${stringifyGo({ type: 'ERROR', object: status })}\n`);
}
