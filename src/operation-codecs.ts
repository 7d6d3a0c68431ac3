/** The codecs of kinds that are never stored, made when the first body of such a kind comes. */
import { goInternalTypeName } from './codec/go-errors.ts';
import { compileJsonCodec } from './codec/json-codec.ts';
import type { JsonCodec } from './codec/json-codec.ts';
import type { SchemaModel } from './codec/schema-model.ts';
import { compileStrictCheck } from './codec/strict-check.ts';
import type { StrictCheck } from './codec/strict-check.ts';
import type {
  OperationBody,
  OperationCodecs,
  OperationKind,
} from './front/operations/operation.ts';
import { groupVersionOf } from './resources/kind.ts';
import { decodeBody } from './shard/decode-body.ts';

type DecodeOptions = Parameters<OperationCodecs['decode']>[2];

interface Compiled {
  readonly codec: JsonCodec;
  readonly strictCheck: StrictCheck;
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
    const { codec, strictCheck } = this.#of(kind);
    const groupVersion = groupVersionOf(kind);
    let sentKind = '';
    const shown = {
      kind: kind.kind,
      version: kind.version,
      groupVersion,
      internalType: goInternalTypeName(kind.message),
      decode: (text: string) => {
        const decoded = codec.decode(text);
        sentKind = decoded.kind;
        const isAccepted = kind.accepts?.includes(decoded.apiVersion) === true;
        return isAccepted ? { ...decoded, apiVersion: groupVersion } : decoded;
      },
      strictProblems: strictCheck,
      document: (wire: Uint8Array) => [wire],
    };
    const { object, warnings } = decodeBody(shown, body, how);
    return { object, sentKind, warnings };
  }

  encode(kind: OperationKind, object: object): Uint8Array {
    const { codec } = this.#of(kind);
    const prefix = `{"kind":"${kind.kind}","apiVersion":"${groupVersionOf(kind)}",`;
    return Buffer.from(`${prefix}${codec.encode(object)}\n`);
  }

  #of({ message }: OperationKind): Compiled {
    let compiled = this.#compiled.get(message);
    if (compiled === undefined) {
      this.#model ??= this.#loadModel();
      compiled = {
        codec: compileJsonCodec(this.#model, message),
        strictCheck: compileStrictCheck(this.#model, message),
      };
      this.#compiled.set(message, compiled);
    }
    return compiled;
  }
}
