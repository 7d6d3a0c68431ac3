/** A version of a built-in type, compiled from the schema model on first use. */
import { goInternalTypeName } from '../../codec/json/go-errors.ts';
import {
  compileJsonCodec,
  type DecodedObject,
  type JsonCodec,
} from '../../codec/json/json-codec.ts';
import { compileProtobufCodec, type ProtobufCodec } from '../../codec/protobuf/protobuf-codec.ts';
import type { Members, SchemaModel } from '../../codec/model/schema-model.ts';
import { messageNamed } from '../../codec/model/schema-walk.ts';
import { compileStrictCheck, type StrictCheck } from '../../codec/json/strict-check.ts';
import { decodeUtf8 } from '../../codec/text-body.ts';
import { compileFieldTypes, type StructType } from '../../semantics/fields/field-types.ts';
import { METADATA_FIELDS } from '../../semantics/selectors/field-selector.ts';
import { compileStrategicPlan, type StrategicPlan } from '../../semantics/patch/strategic-plan.ts';
import type { GroupResource } from '../../semantics/errors/status.ts';
import {
  groupVersionOf,
  type ApiObject,
  type BuiltInKind,
  type KindDefinition,
  type KindVersion,
} from '../../resources/kind.ts';
import type { NamedType, ServedVersion } from '../served-version.ts';
import { typeProblem } from './type-problem.ts';

/** The names and the message of a version: another version's, or those of the stored one. */
function facts(definition: BuiltInKind, other: KindVersion | undefined) {
  const { group = definition.group, version, message = definition.message } = other ?? definition;
  return { group, version, message, groupVersion: groupVersionOf({ group, version }) };
}

export class BuiltInVersion implements ServedVersion {
  readonly hasTypedItems = false;
  /** Its place among the versions of the kind; 0 is the stored one. */
  readonly index: number;
  readonly kind: string;
  readonly listKind: string;
  /** `v1`. */
  readonly version: string;
  /** `v1`, `batch/v1`. */
  readonly groupVersion: string;
  /** As errors of conversion name the stored version: `core.ConfigMap`. */
  readonly #internalType: string;
  /** As errors name the type here. */
  readonly resource: GroupResource;
  readonly codec: JsonCodec;
  /** The kind's selectable fields as they are named here, in the kind's order. */
  readonly fieldNames: readonly string[];
  readonly selectableFieldNames: ReadonlySet<string>;
  readonly defaultPropagation: KindDefinition['defaultPropagation'];
  readonly unconditionalUpdate: boolean;
  readonly deleteReturns: KindDefinition['deleteReturns'];
  readonly #definition: BuiltInKind;
  readonly #conversion: KindVersion | undefined;
  readonly #stored: JsonCodec;
  readonly #strictCheck: StrictCheck;
  readonly #model: SchemaModel;
  readonly #message: string;
  readonly #objectStart: string;
  #protobuf: ProtobufCodec | undefined;
  #fieldTypes: StructType | undefined;
  #strategicPlan: StrategicPlan | undefined;
  #copying: JsonCodec | undefined;
  #empty: ApiObject | undefined;
  #emptyDocument: Members | undefined;

  /** `stored` is the stored version, absent for that one itself. */
  constructor(definition: BuiltInKind, model: SchemaModel, index: number, stored?: JsonCodec) {
    const other = index === 0 ? undefined : definition.otherVersions?.[index - 1];
    const { group, version, message, groupVersion } = facts(definition, other);
    const hasStoredMessage = stored !== undefined && message === definition.message;
    this.index = index;
    this.#model = model;
    this.#message = message;
    this.defaultPropagation = other?.defaultPropagation ?? definition.defaultPropagation;
    this.unconditionalUpdate = other?.unconditionalUpdate ?? definition.unconditionalUpdate;
    this.deleteReturns = other?.deleteReturns ?? definition.deleteReturns;
    this.#definition = definition;
    this.kind = definition.kind;
    this.listKind = `${definition.kind}List`;
    this.version = version;
    this.groupVersion = groupVersion;
    this.#internalType = goInternalTypeName(definition.message);
    this.resource = { group, resource: definition.plural };
    this.codec = hasStoredMessage ? stored : compileJsonCodec(model, message, 'null');
    this.#stored = stored ?? this.codec;
    const converts = other?.toStored !== undefined || other?.fromStored !== undefined;
    this.#conversion = hasStoredMessage && !converts ? undefined : other;
    this.#objectStart = `{"kind":"${this.kind}","apiVersion":"${groupVersion}",`;
    this.fieldNames = Object.keys(definition.selectableFields ?? {}).map(
      (name) => fieldNameHere(other, name) ?? name,
    );
    const offered = this.fieldNames.filter((name) => other?.hiddenFields?.includes(name) !== true);
    this.selectableFieldNames = new Set([...metadataFields(definition), ...offered]);
    this.#strictCheck = compileStrictCheck(model, message);
  }

  /** Whether objects look here as they are stored. */
  get matchesStored(): boolean {
    return this.#conversion?.fromStored === undefined;
  }

  /** Objects of this version in binary. */
  get protobuf(): ProtobufCodec {
    return (this.#protobuf ??= compileProtobufCodec(this.#model, this.#message));
  }

  /** The types of fields of this version, as field owners see them. */
  get fieldTypes(): StructType {
    return (this.#fieldTypes ??= compileFieldTypes(this.#model, this.#message));
  }

  /** The plan of strategic merge patches. */
  get strategicPlan(): StrategicPlan {
    return (this.#strategicPlan ??= compileStrategicPlan(this.#model, this.#message));
  }

  /** An object with nothing set. It must not be changed. */
  get empty(): ApiObject {
    return (this.#empty ??= this.codec.decode('{}').object as ApiObject);
  }

  /**
   * The document of such an object, without members that only a client can set. It must not be
   * changed.
   */
  get emptyDocument(): Members {
    if (this.#emptyDocument === undefined) {
      const text = this.#objectStart + this.codec.encode(this.empty);
      this.#emptyDocument = JSON.parse(text) as Members;
      for (const { name, mustBeSent } of messageNamed(this.#model, this.#message).fields) {
        if (mustBeSent === true) delete this.#emptyDocument[name];
      }
    }
    return this.#emptyDocument;
  }

  /** A body as an object in the stored version. Throws `DecodeError`. */
  decode(text: string): DecodedObject {
    return this.#toStored(this.codec.decode(text));
  }

  /** The bare message of an object as an object in the stored version. */
  decodeProtobuf(message: Uint8Array): ApiObject {
    const object = this.protobuf.decode(message);
    return this.#toStored({ object, kind: '', apiVersion: '', isExact: true }).object as ApiObject;
  }

  /** A body that is parsed already as an object in the stored version; see `JsonCodec`. */
  decodeDocument(document: unknown, textOf: () => string): DecodedObject {
    return this.#toStored(this.codec.decodeDocument(document, textOf));
  }

  #toStored(decoded: DecodedObject): DecodedObject {
    this.#definition.afterDecoding?.(decoded.object as ApiObject);
    const conversion = this.#conversion;
    if (conversion?.toStored === undefined) return decoded;
    this.codec.applyDefaults(decoded.object);
    return { ...decoded, object: conversion.toStored(decoded.object as ApiObject) };
  }

  /** A stored object in this version: the same one where they agree. */
  fromStored(object: ApiObject): ApiObject {
    const conversion = this.#conversion;
    if (conversion?.fromStored === undefined) return object;
    // An empty list stays another one than none: whoever sends it owns it.
    const codec = (this.#copying ??= compileJsonCodec(this.#model, this.#definition.message, '[]'));
    const copy = codec.decode(`{${codec.encode(object)}`).object as ApiObject;
    return conversion.fromStored(copy);
  }

  /** Both may be absent. */
  typeProblem(named: NamedType): string {
    return typeProblem(this, this.#internalType, named);
  }

  /** The unknown and repeated members that strict decoding finds in valid JSON text. */
  strictProblems(text: string): string[] {
    return this.#strictCheck(text);
  }

  /** The members of an object here, from its stored ones: the same bytes where versions agree. */
  members(wire: Uint8Array): Uint8Array {
    const conversion = this.#conversion;
    if (conversion?.fromStored === undefined) return wire;
    const stored = this.#stored.decode(`{${decodeUtf8(wire)}`).object as ApiObject;
    return Buffer.from(this.codec.encode(conversion.fromStored(stored)));
  }

  /** The document of an object, from its stored members, where those are its members here. */
  documentOf(members: Members): Members | undefined {
    if (!this.matchesStored) return undefined;
    return { kind: this.kind, apiVersion: this.groupVersion, ...members };
  }

  /** The text of a whole document, from the text of the stored members. */
  documentText(wire: string): string {
    const members = this.matchesStored ? wire : decodeUtf8(this.members(Buffer.from(wire)));
    return this.#objectStart + members;
  }
}

/** Kinds without a namespace have the field too, unless they have fields of their own. */
function metadataFields({ namespaced, selectableFields }: KindDefinition): readonly string[] {
  if (namespaced || selectableFields === undefined) return METADATA_FIELDS;
  return METADATA_FIELDS.filter((name) => name !== 'metadata.namespace');
}

/** The name of a field here. Other versions give it by the name in the stored kind. */
function fieldNameHere(other: KindVersion | undefined, storedName: string): string | undefined {
  const names = Object.entries(other?.fieldNames ?? {});
  return names.find(([, stored]) => stored === storedName)?.[0];
}
