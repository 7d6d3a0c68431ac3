/**
 * A resource type as a shard, a controller and the documents need it: a value that is made of a
 * kind file (`built-in/`) or of a definition (`custom/`), and knows nothing of where it came from.
 */
import { resourceNotServed } from '../semantics/errors/status.ts';
import { assert } from '../base/assert.ts';
import { compileMessage, type MessageCodecs } from '../codec/message-codecs.ts';
import type { SchemaModel } from '../codec/model/schema-model.ts';
import type { FeatureGates } from '../release/feature-gates.ts';
import type { ApiObject, KindDefinition } from '../resources/kind.ts';
import type { Printer } from '../resources/printer.ts';
import type { FieldError } from '../semantics/errors/field-error.ts';
import type { Ownable } from '../semantics/fields/track-update.ts';
import { ownableThrough } from './ownable-fields.ts';
import type { ServedScale, ServedVersion } from './served-version.ts';

/** The subresource that an update came through; '' is the object itself. */
export type UpdatedPart = string;

/** All rules for objects that are decoded, defaulted and prepared; nothing is changed. */
export interface ObjectRules {
  /** The errors of an object that is to be created in a version, absent for the stored one. */
  validateCreate(object: ApiObject, groupVersion?: string): FieldError[];
  /**
   * The errors of an update of `stored`, or of a part of it. For a missing version see
   * `RESOURCE_VERSION_MISSING`.
   */
  validateUpdate(
    object: ApiObject,
    stored: ApiObject,
    part?: UpdatedPart,
    groupVersion?: string,
  ): FieldError[];
}

/** The columns and cells of objects of a type in a Table. */
export interface PrintedAs {
  readonly printer: Printer;
  /** The members of an object that the printer needs, from its stored ones. */
  read(wire: Uint8Array): ApiObject;
}

/** The selectable fields in a record, and the form in which they are written. */
export interface RecordedFields {
  readonly fields: readonly string[];
  readonly writtenAs: string;
}

/** The form in which objects are written to the log, where it may change while there are some. */
export interface StoredShape {
  /**
   * Stands beside each record: the same text for all records in one form. Begins with `version`.
   */
  readonly writtenAs: string;
  /** The version that is stored. */
  readonly version: string;
  /**
   * The values of the selectable fields of a record, from its members as they are written now;
   * `before` are those that stand in it.
   */
  fieldsOf(wire: string, before: RecordedFields): readonly string[];
  /**
   * The text of stored members as they are written now, from those that were written otherwise; or
   * as they were, and marked, where a webhook has to say how they look now (`conversion.ts`).
   */
  upToDate(wire: string, writtenAs: string): string;
}

export interface ResourceTypeParts {
  /** The names of the type, and the traits of its objects. */
  readonly definition: KindDefinition;
  /** The model of the messages that all types share. */
  readonly model: SchemaModel;
  /** Name of its log and shard: `configmaps`, `leases.coordination.cluster.io`. */
  readonly key: string;
  /** All versions that are served, after the stored one. */
  readonly versions: readonly [ServedVersion, ...ServedVersion[]];
  /** The traits of objects in a version, where those differ; absent is `definition`. */
  readonly traitsIn?: (version: number) => KindDefinition;
  /** The `/scale` subresource in a version of the type, where it has one. */
  readonly scaleOf: (version: number) => ServedScale | undefined;
  readonly validator: ObjectRules;
  /** The places of the indexed ones among the selectable fields. */
  readonly indexedPositions: readonly number[];
  /** Features that are on. */
  readonly gates: FeatureGates;
  /** Drops members whose feature is off; absent where there are none. */
  readonly dropGated?: ((object: ApiObject, stored?: ApiObject) => void) | undefined;
  readonly printedIn: (version: number) => PrintedAs;
  readonly storedShape?: StoredShape;
  /** The type as if a version were the stored one; absent is the type itself. */
  readonly writtenIn?: (version: number) => ResourceType;
}

export class ResourceType {
  readonly definition: KindDefinition;
  readonly model: SchemaModel;
  readonly key: string;
  /** The version that is stored. */
  readonly stored: ServedVersion;
  readonly versions: readonly ServedVersion[];
  readonly validator: ObjectRules;
  /** Selectable fields, in the order in which records and table entries hold their values. */
  readonly fieldNames: readonly string[];
  readonly indexedPositions: readonly number[];
  readonly gates: FeatureGates;
  readonly dropGated: ResourceTypeParts['dropGated'];
  readonly storedShape: StoredShape | undefined;
  readonly #parts: ResourceTypeParts;
  #deleteOptions: MessageCodecs | undefined;
  readonly #ownable = new Map<string, Ownable>();

  constructor(parts: ResourceTypeParts) {
    this.#parts = parts;
    this.definition = parts.definition;
    this.model = parts.model;
    this.key = parts.key;
    [this.stored] = parts.versions;
    this.versions = parts.versions;
    this.validator = parts.validator;
    this.fieldNames = this.stored.fieldNames;
    this.indexedPositions = parts.indexedPositions;
    this.gates = parts.gates;
    this.dropGated = parts.dropGated;
    this.storedShape = parts.storedShape;
  }

  /** The version of that index; absent is the stored one. */
  version(index = 0): ServedVersion {
    const version = this.versions[index];
    assert(version !== undefined, `${this.key} is not served in version ${index}`);
    return version;
  }

  /** The key of an object: `namespace/name`, or its name where the type has no namespaces. */
  keyOf(namespace: string, name: string): string {
    return this.definition.namespaced ? `${namespace}/${name}` : name;
  }

  /** The traits of the endpoints of a version; absent is the stored one. */
  traits(version = 0): KindDefinition {
    return this.#parts.traitsIn?.(version) ?? this.definition;
  }

  /**
   * The Scale of objects in a version; absent is the stored one. Throws StatusError 404 where there
   * is none any more: a request may have been under way when the type changed.
   */
  scale(version = 0): ServedScale {
    const scale = this.#parts.scaleOf(version);
    if (scale === undefined) throw resourceNotServed();
    return scale;
  }

  /**
   * The form of bodies and answers of a request: objects in one of their versions, or their Scale.
   */
  servedAs({
    version,
    subresource = '',
  }: {
    version?: number;
    subresource?: string;
  }): ServedVersion | ServedScale {
    return subresource === 'scale' ? this.scale(version) : this.version(version);
  }

  /**
   * The type as writers in a version see it: where a webhook converts, they work on objects of that
   * version as if it were the stored one. Absent is the stored one.
   */
  writtenIn(version = 0): ResourceType {
    return this.#parts.writtenIn?.(version) ?? this;
  }

  /** The form of objects in a Table in a version; absent is the stored one. */
  printed(version = 0): PrintedAs {
    return this.#parts.printedIn(version);
  }

  /** DeleteOptions in JSON and in binary. */
  get deleteOptions(): MessageCodecs {
    return (this.#deleteOptions ??= compileMessage(this.model, 'meta.v1.DeleteOptions'));
  }

  /** The version with this name, as `apps/v1`; undefined when it is not served. */
  versionNamed(groupVersion: string): ServedVersion | undefined {
    return this.versions.find((version) => version.groupVersion === groupVersion);
  }

  /** The fields that writers through a subresource of a version, or '' the object, come to own. */
  ownable(subresource: string, version = 0): Ownable {
    const endpoint = `${version}/${subresource}`;
    let ownable = this.#ownable.get(endpoint);
    if (ownable === undefined) {
      ownable = ownableThrough(this.traits(version), subresource);
      this.#ownable.set(endpoint, ownable);
    }
    return ownable;
  }

  /**
   * The values of the selectable fields, in the order of `fieldNames`. Throws ConversionNeeded
   * where an object of another version has some.
   */
  fieldsOf(object: ApiObject): readonly string[] {
    const getters = this.definition.selectableFields;
    if (getters === undefined) return NO_FIELDS;
    return this.fieldNames.map((name) => getters[name]?.(object) ?? '');
  }
}

const NO_FIELDS: readonly string[] = Object.freeze([]);
