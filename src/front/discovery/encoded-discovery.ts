/** Discovery documents in YAML and in binary: what clients that ask for objects so ask for too. */
import { compileProtobufCodec } from '../../codec/protobuf/protobuf-codec.ts';
import { wrapProtobuf } from '../../codec/protobuf/protobuf-envelope.ts';
import type { Members, SchemaModel } from '../../codec/model/schema-model.ts';
import { decodeUtf8 } from '../../codec/text-body.ts';
import { yamlText } from '../../codec/yaml/yaml-text.ts';

/** A document of its JSON, in another encoding. */
export function encodedDiscovery(
  json: Uint8Array,
  encoding: 'yaml' | 'protobuf',
  loadModel: () => SchemaModel,
): Uint8Array {
  const text = decodeUtf8(json);
  if (encoding === 'yaml') return Buffer.from(yamlText(text));
  const { kind, apiVersion = '', ...document } = JSON.parse(text) as Discovery;
  const { encodeObject } = compileProtobufCodec(loadModel(), `meta.v1.${kind}`);
  return wrapProtobuf({ apiVersion, kind, raw: encodeObject(binaryShape(document)) });
}

interface Discovery extends Members {
  readonly kind: string;
  /** Absent where old clients expect none. */
  readonly apiVersion?: string;
}

/** A list of verbs is a message of its own. */
function binaryShape(document: Members): Members {
  const resources = document['resources'] as readonly Members[] | undefined;
  if (resources === undefined) return document;
  const shaped = resources.map(({ verbs, ...resource }) => ({
    ...resource,
    verbs: { items: verbs },
  }));
  return { ...document, resources: shaped };
}
