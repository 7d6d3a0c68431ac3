/**
 * The `/scale` subresource: an `autoscaling/v1` Scale made of an object
 * (src/resources/README.md#scale).
 */
import { compileJsonCodec, type DecodedObject, type JsonCodec } from '../codec/json/json-codec.ts';
import { compileProtobufCodec, type ProtobufCodec } from '../codec/protobuf/protobuf-codec.ts';
import type { SchemaModel } from '../codec/model/schema-model.ts';
import { compileStrictCheck, type StrictCheck } from '../codec/json/strict-check.ts';
import { decodeUtf8 } from '../codec/text-body.ts';
import { compileFieldTypes, type StructType } from '../semantics/fields/field-types.ts';
import { compileStrategicPlan, type StrategicPlan } from '../semantics/patch/strategic-plan.ts';
import type { ApiObject } from '../resources/kind.ts';
import type { Conversion } from './conversion.ts';
import type { Scale, ScaleMapping, ScaleMembers } from './scale-mapping.ts';
import type { NamedType, ServedScale } from './served-version.ts';
import { typeProblem } from './built-in/type-problem.ts';

const MESSAGE = 'autoscaling.v1.Scale';
const PREFIX = '{"kind":"Scale","apiVersion":"autoscaling/v1",';

export class ObjectScale implements ServedScale {
  readonly hasTypedItems = false;
  readonly kind = 'Scale';
  readonly listKind = 'ScaleList';
  readonly version = 'v1';
  readonly groupVersion = 'autoscaling/v1';
  readonly codec: JsonCodec;
  /** As in `ServedVersion`: a Scale is never stored itself. */
  readonly matchesStored = false;
  readonly #mapping: ScaleMapping;
  readonly #readStored: (members: string) => ApiObject;
  readonly #strictCheck: StrictCheck;
  readonly #model: SchemaModel;
  #protobuf: ProtobufCodec | undefined;
  #fieldTypes: StructType | undefined;
  #strategicPlan: StrategicPlan | undefined;

  readonly conversion: Conversion | undefined;

  /**
   * `readStored` reads the text of the stored members of an object; `conversion` is that of the
   * version that the Scale is made of.
   */
  constructor(
    mapping: ScaleMapping,
    model: SchemaModel,
    readStored: (members: string) => ApiObject,
    conversion?: Conversion,
  ) {
    this.conversion = conversion;
    this.#mapping = mapping;
    this.#model = model;
    this.#readStored = readStored;
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

  /** The bare message of a Scale as a Scale. Throws `DecodeError`. */
  decodeProtobuf(message: Uint8Array): ApiObject {
    return this.protobuf.decode(message) as ApiObject;
  }

  /** A body that is parsed already as a Scale; see `JsonCodec`. */
  decodeDocument(document: unknown, textOf: () => string): DecodedObject {
    return this.codec.decodeDocument(document, textOf);
  }

  typeProblem(named: NamedType): string {
    return typeProblem(this, 'autoscaling.Scale', named);
  }

  /** The unknown and repeated members that strict decoding finds in valid JSON text. */
  strictProblems(text: string): string[] {
    return this.#strictCheck(text);
  }

  /** As in `ServedVersion`: undefined, because a Scale is made of several members. */
  documentOf(): undefined {
    return undefined;
  }

  /** The text of the Scale that a patch of an object changes, from its stored members. */
  documentText(wire: string): string {
    const object = this.#readStored(wire);
    return PREFIX + this.#text(object, this.#mapping.patchedMembersOf(object));
  }

  /** The members of the Scale of an object, from its stored bytes. Throws StatusError 500. */
  members(wire: Uint8Array): Uint8Array {
    const object = this.#readStored(decodeUtf8(wire));
    return Buffer.from(this.#text(object, this.#mapping.membersOf(object)));
  }

  #text({ metadata }: ApiObject, members: ScaleMembers): string {
    const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata;
    const shown = { name, namespace, uid, resourceVersion, creationTimestamp };
    return this.codec.encode({ metadata: shown, ...members });
  }

  merge(scale: Scale, stored: ApiObject): ApiObject {
    return this.#mapping.merge(scale, stored);
  }
}
