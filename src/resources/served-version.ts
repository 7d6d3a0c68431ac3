/**
 * One version in which the objects of a kind are served: the stored one, or a view of it. What a
 * shard does, it does in the stored shape; bodies are converted as they come in, and stored bytes
 * as they go out (DESIGN "Between actors").
 */
import { goInternalTypeName } from '../codec/go-errors.ts';
import { compileJsonCodec, type DecodedObject, type JsonCodec } from '../codec/json-codec.ts';
import { compileProtobufCodec, type ProtobufCodec } from '../codec/protobuf-codec.ts';
import type { Members, SchemaModel } from '../codec/schema-model.ts';
import { compileStrictCheck, type StrictCheck } from '../codec/strict-check.ts';
import { decodeUtf8 } from '../codec/text-body.ts';
import { compileFieldTypes, type StructType } from '../semantics/fields/field-types.ts';
import { METADATA_FIELDS } from '../semantics/field-selector.ts';
import { compileStrategicPlan, type StrategicPlan } from '../semantics/patch/strategic-plan.ts';
import type { GroupResource } from '../semantics/status.ts';
import { groupVersionOf, type ApiObject, type KindDefinition, type KindView } from './kind.ts';

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** The names and the message of a version: a view's, or those of the stored one. */
function facts(definition: KindDefinition, view: KindView | undefined) {
  const { group = definition.group, version, message = definition.message } = view ?? definition;
  return { group, version, message, groupVersion: groupVersionOf({ group, version }) };
}

export class ServedVersion {
  /** Its place among the versions of the kind; 0 is the stored one. */
  readonly index: number;
  readonly kind: string;
  /** `v1`. */
  readonly version: string;
  /** `v1`, `batch/v1`. */
  readonly groupVersion: string;
  /** As errors of conversion name the stored shape: `core.ConfigMap`. */
  readonly internalType: string;
  /** As errors name the type here. */
  readonly resource: GroupResource;
  readonly codec: JsonCodec;
  /** The kind's selectable fields as they are named here, in the kind's order. */
  readonly fieldNames: readonly string[];
  readonly selectableFieldNames: ReadonlySet<string>;
  readonly defaultPropagation: KindDefinition['defaultPropagation'];
  readonly #view: KindView | undefined;
  readonly #stored: JsonCodec;
  readonly #strictCheck: StrictCheck;
  readonly #model: SchemaModel;
  readonly #message: string;
  readonly #objectStart: string;
  #protobuf: ProtobufCodec | undefined;
  #fieldTypes: StructType | undefined;
  #strategicPlan: StrategicPlan | undefined;
  #empty: ApiObject | undefined;
  #emptyDocument: Members | undefined;

  /** `stored` is the stored version, absent for that one itself. */
  constructor(definition: KindDefinition, model: SchemaModel, index: number, stored?: JsonCodec) {
    const view = index === 0 ? undefined : definition.views?.[index - 1];
    const { group, version, message, groupVersion } = facts(definition, view);
    const sameShape = stored !== undefined && message === definition.message;
    this.index = index;
    this.#model = model;
    this.#message = message;
    this.defaultPropagation = view?.defaultPropagation ?? definition.defaultPropagation;
    this.kind = definition.kind;
    this.version = version;
    this.groupVersion = groupVersion;
    this.internalType = goInternalTypeName(definition.message);
    this.resource = { group, resource: definition.plural };
    this.codec = sameShape ? stored : compileJsonCodec(model, message);
    this.#stored = stored ?? this.codec;
    this.#view = sameShape ? undefined : view;
    this.#objectStart = `{"kind":"${this.kind}","apiVersion":"${groupVersion}",`;
    this.fieldNames = Object.keys(definition.selectableFields ?? {}).map(
      (name) => fieldNameHere(view, name) ?? name,
    );
    this.selectableFieldNames = new Set([...metadataFields(definition), ...this.fieldNames]);
    this.#strictCheck = compileStrictCheck(model, message);
  }

  /** Whether objects look here as they are stored. */
  get hasStoredShape(): boolean {
    return this.#view?.fromStored === undefined;
  }

  /** Objects of this version in binary. */
  get protobuf(): ProtobufCodec {
    return (this.#protobuf ??= compileProtobufCodec(this.#model, this.#message));
  }

  /** How field owners see the objects of this version. */
  get fieldTypes(): StructType {
    return (this.#fieldTypes ??= compileFieldTypes(this.#model, this.#message));
  }

  /** How strategic merge patches see them. */
  get strategicPlan(): StrategicPlan {
    return (this.#strategicPlan ??= compileStrategicPlan(this.#model, this.#message));
  }

  /** An object of which nothing is said: not to be changed. */
  get empty(): ApiObject {
    return (this.#empty ??= this.codec.decode('{}').object as ApiObject);
  }

  /** The document of such an object: not to be changed. */
  get emptyDocument(): Members {
    this.#emptyDocument ??= JSON.parse(
      this.#objectStart + this.codec.encode(this.empty),
    ) as Members;
    return this.#emptyDocument;
  }

  /** A body as an object in the stored shape. Throws `DecodeError`. */
  decode(text: string): DecodedObject {
    return this.#toStored(this.codec.decode(text));
  }

  /** The same for the bare message of an object. */
  decodeProtobuf(message: Uint8Array): ApiObject {
    const object = this.protobuf.decode(message);
    return this.#toStored({ object, kind: '', apiVersion: '', isExact: true }).object as ApiObject;
  }

  /** The same for a body that is parsed already; see `JsonCodec`. */
  decodeDocument(document: unknown, textOf: () => string): DecodedObject {
    return this.#toStored(this.codec.decodeDocument(document, textOf));
  }

  #toStored(decoded: DecodedObject): DecodedObject {
    const view = this.#view;
    if (view?.toStored === undefined) return decoded;
    this.codec.applyDefaults(decoded.object);
    return { ...decoded, object: view.toStored(decoded.object as ApiObject) };
  }

  /** A stored object in the shape of this version: the same one where shapes agree. */
  shapeOf(object: ApiObject): ApiObject {
    const view = this.#view;
    if (view?.fromStored === undefined) return object;
    const copy = this.#stored.decode(`{${this.#stored.encode(object)}`).object as ApiObject;
    return view.fromStored(copy);
  }

  /** What strict decoding finds in valid JSON text: unknown and repeated members. */
  strictProblems(text: string): string[] {
    return this.#strictCheck(text);
  }

  /** The members of an object here, from its stored ones: the same bytes where shapes agree. */
  members(wire: Uint8Array): Uint8Array {
    const view = this.#view;
    if (view?.fromStored === undefined) return wire;
    const stored = this.#stored.decode(`{${decodeUtf8(wire)}`).object as ApiObject;
    return Buffer.from(this.codec.encode(view.fromStored(stored)));
  }

  /** The document of an object, from its stored members, where those are its members here. */
  documentOf(members: Members): Members | undefined {
    if (!this.hasStoredShape) return undefined;
    return { kind: this.kind, apiVersion: this.groupVersion, ...members };
  }

  /** The text of a whole document, from the text of the stored members. */
  documentText(wire: string): string {
    const members = this.hasStoredShape ? wire : decodeUtf8(this.members(Buffer.from(wire)));
    return this.#objectStart + members;
  }
}

/** Kinds without a namespace offer it all the same, unless they have fields of their own (7.6). */
function metadataFields({ namespaced, selectableFields }: KindDefinition): readonly string[] {
  if (namespaced || selectableFields === undefined) return METADATA_FIELDS;
  return METADATA_FIELDS.filter((name) => name !== 'metadata.namespace');
}

/** A view names fields by what they are called in the stored kind. */
function fieldNameHere(view: KindView | undefined, storedName: string): string | undefined {
  const names = Object.entries(view?.fieldNames ?? {});
  return names.find(([, stored]) => stored === storedName)?.[0];
}
