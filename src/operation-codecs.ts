/** The codecs of kinds that are never stored, made when the first body of such a kind comes. */
import { typeProblem } from './types/built-in/type-problem.ts';
import { ownersOfAsked } from './types/field-owners.ts';
import type { NamedType } from './types/served-version.ts';
import { DefaultsCompiler, type ApplyDefaults } from './codec/model/defaults.ts';
import { DecodeError, goInternalTypeName } from './codec/json/go-errors.ts';
import { compileMessage } from './codec/message-codecs.ts';
import type { MessageCodecs } from './codec/message-codecs.ts';
import { unwrapProtobuf, wrapProtobuf } from './codec/protobuf/protobuf-envelope.ts';
import type { RawJson } from './codec/json/raw-json.ts';
import type { SchemaModel } from './codec/model/schema-model.ts';
import { compileStrictCheck } from './codec/json/strict-check.ts';
import type { StrictCheck } from './codec/json/strict-check.ts';
import { yamlText } from './codec/yaml/yaml-text.ts';
import type { OperationBody, OperationCodecs, OperationKind } from './front/operation.ts';
import { groupVersionOf } from './resources/kind.ts';
import type { ApiObject } from './resources/kind.ts';
import type { Form } from './semantics/options/answer-form.ts';
import { compileFieldTypes, type StructType } from './semantics/fields/field-types.ts';
import type { Writer } from './semantics/fields/track-update.ts';
import { decodeBody } from './proposals/decode-body.ts';

type DecodeOptions = Parameters<OperationCodecs['decode']>[2];

interface Compiled extends MessageCodecs {
  readonly strictCheck: StrictCheck;
  readonly applyDefaults: ApplyDefaults;
  readonly fieldTypes: StructType;
}

export class LazyOperationCodecs implements OperationCodecs {
  readonly #compiled = new Map<string, Compiled>();
  readonly #loadModel: () => SchemaModel;
  #model: SchemaModel | undefined;

  /** `loadModel` is called once, when something is asked for. */
  constructor(loadModel: () => SchemaModel) {
    this.#loadModel = loadModel;
  }

  decode(kind: OperationKind, body: Uint8Array, how: DecodeOptions): OperationBody {
    const { json, protobuf, strictCheck, applyDefaults } = this.#of(kind);
    const sentVersion = how.format === 'protobuf' ? this.#envelopeVersion(body) : '';
    const expected = groupVersionOf(kind);
    const isAccepted = (apiVersion: string): boolean => kind.accepts?.includes(apiVersion) === true;
    const names = {
      kind: kind.kind,
      version: kind.version,
      groupVersion: isAccepted(sentVersion) ? sentVersion : expected,
    };
    const internalType = goInternalTypeName(kind.message);
    const shown = {
      ...names,
      decode: (text: string) => {
        const decoded = json.decode(text);
        return isAccepted(decoded.apiVersion) ? { ...decoded, apiVersion: expected } : decoded;
      },
      decodeProtobuf: (message: Uint8Array) => protobuf.decode(message) as ApiObject,
      strictProblems: strictCheck,
      typeProblem: (named: NamedType) => typeProblem(names, internalType, named),
    };
    const { object, warnings } = decodeBody(shown, body, how);
    applyDefaults(object);
    return { object, warnings };
  }

  ownersOf(kind: OperationKind, object: ApiObject, writer: Writer): RawJson | undefined {
    return ownersOfAsked(this.#of(kind).fieldTypes, object, writer);
  }

  strictProblems(kind: OperationKind, text: string): readonly string[] {
    return this.#of(kind).strictCheck(text);
  }

  fieldTypes(kind: OperationKind): StructType {
    return this.#of(kind).fieldTypes;
  }

  encode(kind: OperationKind, object: object, { encoding }: Pick<Form, 'encoding'>): Uint8Array {
    const { json, protobuf } = this.#of(kind);
    const apiVersion = groupVersionOf(kind);
    const members = json.encode(object);
    if (encoding === 'protobuf') {
      const raw = protobuf.encode(Buffer.from(members));
      return wrapProtobuf({ apiVersion, kind: kind.kind, raw });
    }
    const text = `{"kind":"${kind.kind}","apiVersion":"${apiVersion}",${members}\n`;
    return Buffer.from(encoding === 'yaml' ? yamlText(text) : text);
  }

  /** Errors of an envelope are reported when all of it is decoded. */
  #envelopeVersion(body: Uint8Array): string {
    try {
      return unwrapProtobuf(body).apiVersion;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return '';
    }
  }

  #of({ message }: OperationKind): Compiled {
    let compiled = this.#compiled.get(message);
    if (compiled === undefined) {
      this.#model ??= this.#loadModel();
      compiled = {
        ...compileMessage(this.#model, message),
        strictCheck: compileStrictCheck(this.#model, message),
        applyDefaults: new DefaultsCompiler(this.#model).message(message),
        fieldTypes: compileFieldTypes(this.#model, message),
      };
      this.#compiled.set(message, compiled);
    }
    return compiled;
  }
}
