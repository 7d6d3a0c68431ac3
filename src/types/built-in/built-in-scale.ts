/**
 * The `/scale` subresource: an `autoscaling/v1` Scale made of an object
 * (src/resources/README.md#scale).
 */
import { compileJsonCodec, type DecodedObject, type JsonCodec } from '../../codec/json-codec.ts';
import { compileProtobufCodec, type ProtobufCodec } from '../../codec/protobuf-codec.ts';
import type { SchemaModel } from '../../codec/schema-model.ts';
import { compileStrictCheck, type StrictCheck } from '../../codec/strict-check.ts';
import { decodeUtf8 } from '../../codec/text-body.ts';
import { invalid, invalidObject, NOT_NEGATIVE } from '../../semantics/field-error.ts';
import { compileFieldTypes, type StructType } from '../../semantics/fields/field-types.ts';
import { compileStrategicPlan, type StrategicPlan } from '../../semantics/patch/strategic-plan.ts';
import type { ApiObject, KindDefinition } from '../../resources/kind.ts';
import type { NamedType, Scale, ServedScale } from '../served-version.ts';
import { typeProblem } from './type-problem.ts';

/** What scalable kinds have in common. */
interface Scalable extends ApiObject {
  spec?: { replicas?: number };
  status?: { replicas?: number };
}

const MESSAGE = 'autoscaling.v1.Scale';
const PREFIX = '{"kind":"Scale","apiVersion":"autoscaling/v1",';

export class BuiltInScale implements ServedScale {
  readonly hasTypedItems = false;
  readonly kind = 'Scale';
  readonly version = 'v1';
  readonly groupVersion = 'autoscaling/v1';
  readonly codec: JsonCodec;
  /** As in `ServedVersion`: a Scale is never what is stored. */
  readonly matchesStored = false;
  readonly #definition: KindDefinition;
  readonly #stored: JsonCodec;
  readonly #strictCheck: StrictCheck;
  readonly #model: SchemaModel;
  #protobuf: ProtobufCodec | undefined;
  #fieldTypes: StructType | undefined;
  #strategicPlan: StrategicPlan | undefined;

  constructor(definition: KindDefinition, model: SchemaModel, stored: JsonCodec) {
    this.#definition = definition;
    this.#model = model;
    this.#stored = stored;
    this.codec = compileJsonCodec(model, MESSAGE);
    this.#strictCheck = compileStrictCheck(model, MESSAGE);
  }

  /** As in `ServedVersion`. */
  get protobuf(): ProtobufCodec {
    return (this.#protobuf ??= compileProtobufCodec(this.#model, MESSAGE));
  }

  get fieldTypes(): StructType {
    return (this.#fieldTypes ??= compileFieldTypes(this.#model, MESSAGE));
  }

  get strategicPlan(): StrategicPlan {
    return (this.#strategicPlan ??= compileStrategicPlan(this.#model, MESSAGE));
  }

  /** A body as a Scale. Throws `DecodeError`. */
  decode(text: string): DecodedObject {
    return this.codec.decode(text);
  }

  /** The same for the bare message of a Scale. */
  decodeProtobuf(message: Uint8Array): ApiObject {
    return this.protobuf.decode(message) as ApiObject;
  }

  /** The same for a body that is parsed already; see `JsonCodec`. */
  decodeDocument(document: unknown, textOf: () => string): DecodedObject {
    return this.codec.decodeDocument(document, textOf);
  }

  typeProblem(named: NamedType): string {
    return typeProblem(this, 'autoscaling.Scale', named);
  }

  /** What strict decoding finds in valid JSON text: unknown and repeated members. */
  strictProblems(text: string): string[] {
    return this.#strictCheck(text);
  }

  /** As in `ServedVersion`: undefined, because a Scale is made of several members. */
  documentOf(): undefined {
    return undefined;
  }

  /** The text of the Scale of an object, from the text of its stored members. */
  documentText(wire: string): string {
    return PREFIX + this.#membersText(wire);
  }

  /** The members of the Scale of an object, from its stored bytes. */
  members(wire: Uint8Array): Uint8Array {
    return Buffer.from(this.#membersText(decodeUtf8(wire)));
  }

  #membersText(wire: string): string {
    const object = this.#stored.decode(`{${wire}`).object as Scalable;
    const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
    const scale = {
      metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
      spec: { replicas: object.spec?.replicas ?? 0 },
      status: {
        replicas: object.status?.replicas ?? 0,
        selector: this.#definition.scaleSelector?.(object) ?? '',
      },
    };
    return this.codec.encode(scale);
  }

  /** The stored object (which is changed) with the replicas of a Scale. Throws StatusError 422. */
  merge(scale: Scale, stored: ApiObject): ApiObject {
    const replicas = scale.spec?.replicas ?? 0;
    const { uid, resourceVersion, name = '' } = scale.metadata;
    if (replicas < 0) {
      const errors = [invalid('spec.replicas', replicas, NOT_NEGATIVE)];
      throw invalidObject('autoscaling', 'Scale', name, errors);
    }
    return {
      ...stored,
      metadata: { ...stored.metadata, uid, resourceVersion },
      spec: { ...(stored as Scalable).spec, replicas },
    };
  }
}
