/** Bodies in protobuf, with the marks that their texts have. */
import { join } from 'node:path';
import { compileMessage } from '../src/codec/message-codecs.ts';
import { loadSchemaModel } from '../src/codec/model/proto-schema.ts';
import { wrapProtobuf } from '../src/codec/protobuf/protobuf-envelope.ts';
import { readProtoFolder } from '../tools/read-proto.ts';
import { OBJECT_TEXTS } from './object-texts.ts';

/** The object that is written in JSON. */
export function protobufBody(
  kind: 'configmap' | 'newPod',
  namespace: string,
  objectBytes: number,
): Uint8Array {
  const { apiKind, text } = OBJECT_TEXTS[kind];
  const model = loadSchemaModel(readProtoFolder(join(import.meta.dirname, '../proto')));
  const { json, protobuf } = compileMessage(model, `core.v1.${apiKind}`);
  const { object } = json.decode(text(namespace, objectBytes));
  return wrapProtobuf({ apiVersion: 'v1', kind: apiKind, raw: protobuf.encodeObject(object) });
}
