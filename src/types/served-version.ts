/**
 * One version in which the objects of a type are served: the stored one, or one that is converted.
 * The shard works on stored objects; bodies are converted as they come in, and stored bytes as they
 * go out.
 */
import type { DecodedObject, JsonCodec } from '../codec/json/json-codec.ts';
import type { ProtobufCodec } from '../codec/protobuf/protobuf-codec.ts';
import type { Members } from '../codec/model/schema-model.ts';
import type { ApiObject, KindDefinition } from '../resources/kind.ts';
import type { StructType } from '../semantics/fields/field-types.ts';
import type { StrategicPlan } from '../semantics/patch/strategic-plan.ts';
import type { FieldError } from '../semantics/errors/field-error.ts';
import type { GroupResource } from '../semantics/errors/status.ts';
import type { Conversion } from './conversion.ts';
import type { Scale } from './scale-mapping.ts';

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** The kind and version that a document names; '' where it names none. */
export type NamedType = Pick<DecodedObject, 'kind' | 'apiVersion'>;

/** Decodes bodies and encodes answers: objects in a version, or their Scale. */
export interface Served {
  readonly kind: string;
  /** The kind of lists of such objects. */
  readonly listKind: string;
  /** `v1`. */
  readonly version: string;
  /** `v1`, `batch/v1`. */
  readonly groupVersion: string;
  /** Reads and writes objects as they look here. */
  readonly codec: JsonCodec;
  /** Whether objects look here as they are stored. */
  readonly matchesStored: boolean;
  /** Where a webhook says how objects look here; absent where the server knows. */
  readonly conversion?: Conversion | undefined;
  /** Items of lists have `kind` and `apiVersion` in JSON. */
  readonly hasTypedItems: boolean;
  /** Objects of this version in binary; absent where they have no such form. */
  readonly protobuf?: ProtobufCodec;
  /** The types of fields of this version, as field owners see them. */
  readonly fieldTypes: StructType;
  /** The plan of strategic merge patches; absent where it takes none. */
  readonly strategicPlan?: StrategicPlan;
  /**
   * A body as an object in the stored version. Null members of custom objects go where their schema
   * does not allow them, or with `keepsRefused` stay, to be refused. Throws `DecodeError`.
   */
  decode(text: string, keepsRefused?: boolean): DecodedObject;
  /**
   * The bare message of an object as an object in the stored version; absent where objects have no
   * binary form.
   */
  decodeProtobuf?(message: Uint8Array): ApiObject;
  /** A body that is parsed already as an object in the stored version; see `JsonCodec`. */
  decodeDocument(document: unknown, textOf: () => string, keepsRefused?: boolean): DecodedObject;
  /** The problem of the kind and version that a body names; '' for none. */
  typeProblem(named: NamedType): string;
  /** The errors of kind and version as members of an object; absent where objects have neither. */
  typeErrors?(named: NamedType): readonly FieldError[];
  /** The unknown and repeated members that strict decoding finds in valid JSON text. */
  strictProblems(text: string): string[];
  /**
   * The members of an object here, from its stored ones: the same bytes where versions agree.
   * Throws ConversionNeeded, as whatever follows from stored members does where `conversion` is
   * there.
   */
  members(wire: Uint8Array): Uint8Array;
  /**
   * The document of an object, from its stored members; undefined where those are not its members
   * here, or are not to be changed.
   */
  documentOf(members: Members): Members | undefined;
  /** The text of a whole document, from the text of the stored members. */
  documentText(wire: string): string;
}

export interface ServedVersion extends Served {
  /** Its place among the versions of the type; 0 is the stored one. */
  readonly index: number;
  /** As errors name the type here. */
  readonly resource: GroupResource;
  /** The type's selectable fields as they are named here, in the type's order. */
  readonly fieldNames: readonly string[];
  readonly selectableFieldNames: ReadonlySet<string>;
  readonly defaultPropagation: KindDefinition['defaultPropagation'];
  readonly unconditionalUpdate: boolean;
  readonly deleteReturns: KindDefinition['deleteReturns'];
  /** An object with nothing set. It must not be changed. */
  readonly empty: ApiObject;
  /**
   * The document of such an object, without members that only a client can set. It must not be
   * changed.
   */
  readonly emptyDocument: Members;
  /** A stored object in this version: the same one where they agree. */
  fromStored(object: ApiObject): ApiObject;
}

/** The `/scale` subresource: an `autoscaling/v1` Scale made of an object. */
export interface ServedScale extends Served {
  /** As in `ScaleMapping`. */
  merge(scale: Scale, stored: ApiObject): ApiObject;
}
