/** Bodies of requests and answers as JSON text: what the audit log keeps of them. */
import { DecodeError } from '../codec/json/go-errors.ts';
import { compileMessage, type MessageCodecs } from '../codec/message-codecs.ts';
import { unwrapProtobuf } from '../codec/protobuf/protobuf-envelope.ts';
import type { SchemaModel } from '../codec/model/schema-model.ts';
import { isJson } from '../codec/yaml/read-yaml.ts';
import { decodeUntrusted } from '../codec/text-body.ts';
import type { Form } from '../semantics/options/answer-form.ts';
import { messageName } from './openapi/definition-names.ts';

export class AuditedJson {
  readonly #loadModel: () => SchemaModel;
  #model: SchemaModel | undefined;
  readonly #compiled = new Map<string, MessageCodecs>();

  /** `loadModel` is called once, when the first binary body comes. */
  constructor(loadModel: () => SchemaModel) {
    this.#loadModel = loadModel;
  }

  /**
   * Undefined for what cannot be read, and for YAML that is no JSON: others read that
   * (yaml-bodies.ts). What is JSON by its type is as it came, and may be none.
   */
  textOf(bytes: Uint8Array, encoding: Form['encoding']): string | undefined {
    if (encoding === 'protobuf') return this.#binary(bytes);
    const text = decodeUntrusted(bytes);
    if (text === undefined || encoding === 'json') return text;
    return isJson(text) ? text : undefined;
  }

  #binary(bytes: Uint8Array): string | undefined {
    try {
      const { apiVersion, kind, raw } = unwrapProtobuf(bytes);
      const codecs = this.#codecsOf(apiVersion, kind);
      if (codecs === undefined) return undefined;
      const members = codecs.json.encode(codecs.protobuf.decode(raw));
      const type = `"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)}`;
      // Options that say nothing have no members.
      return members === '}' ? `{${type}}` : `{${type},${members}`;
    } catch (error) {
      if (error instanceof DecodeError) return undefined;
      throw error;
    }
  }

  #codecsOf(apiVersion: string, kind: string): MessageCodecs | undefined {
    const { messages } = (this.#model ??= this.#loadModel());
    const name = messageNames(apiVersion, kind).find((one) => Object.hasOwn(messages, one));
    if (name === undefined) return undefined;
    let codecs = this.#compiled.get(name);
    if (codecs === undefined) {
      this.#compiled.set(name, (codecs = compileMessage(this.#model, name)));
    }
    return codecs;
  }
}

/** `batch/v1beta1` has the messages of `batch/v1`; options and Status are in every version. */
function messageNames(apiVersion: string, kind: string): readonly string[] {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  return [messageName(group, version, kind), messageName(group, 'v1', kind), `meta.v1.${kind}`];
}
