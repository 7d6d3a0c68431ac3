/** A version of a custom type, by its schema. */
import { appendAll } from '../../base/append-all.ts';
import { parseJson, type DecodedObject } from '../../codec/json/json-codec.ts';
import { repeatedMembers } from '../../codec/json/strict-check.ts';
import type { Members, SchemaModel } from '../../codec/model/schema-model.ts';
import { decodeUtf8 } from '../../codec/text-body.ts';
import { CAUSES_CHARACTERS_MAX } from '../../limits.ts';
import { ownRelease } from '../../release/release.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { applyDefaults, dropNulls } from '../../schema/defaults.ts';
import { EmbeddedResources } from '../../schema/embedded-metadata.ts';
import { listErrors } from '../../schema/lists.ts';
import { changedErrors } from '../../schema/unchanged-values.ts';
import { compileValueValidator, type ValueValidator } from '../../schema/validate.ts';
import { invalid, type FieldError } from '../../semantics/errors/field-error.ts';
import { DecodeError, MissingKindError } from '../../codec/json/go-errors.ts';
import { schemaFieldTypes } from '../../schema/field-types.ts';
import { prune } from '../../schema/prune.ts';
import type { RuleValidator } from '../../schema/cel/validate-rules.ts';
import { ruleEngine } from '../../schema/rule-engine.ts';
import { StructuralSchema } from '../../schema/structural-schema.ts';
import type { SchemaJson } from '../../schema/structural-schema.ts';
import { parseUnstructured } from '../../schema/unstructured.ts';
import { METADATA_FIELDS } from '../../semantics/selectors/field-selector.ts';
import { compileFieldTypes } from '../../semantics/fields/field-types.ts';
import type { MessageStruct, StructType } from '../../semantics/fields/field-types.ts';
import type { ObjectMeta } from '../../semantics/metadata/object-meta.ts';
import { cloneDocument } from '../../semantics/patch/document.ts';
import type { GroupResource } from '../../semantics/errors/status.ts';
import {
  ConversionNeeded,
  unmarked,
  type Conversion,
  type ConversionSource,
} from '../conversion.ts';
import type { NamedType, ServedVersion } from '../served-version.ts';
import { customCodec, withoutWrongTimes, type CustomCodec } from './custom-codec.ts';
import type { DefinitionFacts, VersionFacts } from './definition-facts.ts';

/** A type whose schema says nothing at all keeps everything. */
const NO_SCHEMA: SchemaJson = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const METADATA_MESSAGE = 'meta.v1.PartialObjectMetadata';
const KEEPS_TYPES = ownRelease().has('typesOfCustom');
const NO_API_VERSION = "Object 'apiVersion' is missing in 'object has no apiVersion field'";

export class CustomVersion implements ServedVersion {
  readonly index: number;
  readonly kind: string;
  readonly listKind: string;
  readonly version: string;
  readonly groupVersion: string;
  readonly resource: GroupResource;
  readonly codec: CustomCodec;
  readonly hasTypedItems = true;
  readonly fieldNames: readonly string[];
  readonly selectableFieldNames: ReadonlySet<string>;
  readonly defaultPropagation = undefined;
  readonly unconditionalUpdate = false;
  readonly deleteReturns = 'status';
  readonly matchesStored: boolean;
  readonly #facts: VersionFacts;
  readonly #model: SchemaModel;
  readonly #storedGroupVersion: string;
  readonly #objectStart: string;
  readonly #embedded: EmbeddedResources;
  #schema: StructuralSchema | undefined;
  #validator: ValueValidator | undefined;
  /** null for a schema without rules. */
  #ruleValidator: RuleValidator | null | undefined;
  #fieldTypes: StructType | undefined;

  readonly conversion: Conversion | undefined;

  /**
   * `stored` is the stored version, absent for that one itself; `converter` knows how objects look
   * in others, where they do not look the same; `fields` are the selectable fields of the type.
   */
  constructor(
    definition: DefinitionFacts,
    facts: VersionFacts,
    model: SchemaModel,
    index: number,
    {
      stored,
      converter,
      fields = [],
    }: {
      readonly stored?: CustomVersion;
      readonly converter?: ConversionSource;
      readonly fields?: readonly string[];
    } = {},
  ) {
    const { group, names, scope } = definition;
    this.index = index;
    this.#facts = facts;
    this.#model = model;
    this.kind = names.kind;
    this.listKind = names.listKind;
    this.version = facts.name;
    this.groupVersion = `${group}/${facts.name}`;
    this.resource = { group, resource: names.plural };
    const hasNamespace = scope === 'Namespaced';
    this.fieldNames = fields;
    const own = facts.selectableFields ?? [];
    this.selectableFieldNames = new Set([
      ...(hasNamespace ? METADATA_FIELDS : ['metadata.name']),
      ...own.filter((field) => fields.includes(field)),
    ]);
    this.codec = customCodec(model);
    this.#embedded = embeddedResources(model);
    this.matchesStored =
      stored === undefined || converter === undefined || stored.version === facts.name;
    this.#storedGroupVersion = (stored ?? this).groupVersion;
    this.conversion = converter && this.#conversion(converter);
    this.#objectStart = objectStart(this.groupVersion, this.kind);
  }

  /** Built when an object is first looked at: most of many types are never written to. */
  get schema(): StructuralSchema {
    if (this.#schema === undefined) {
      const { schemaText } = this.#facts;
      const json = schemaText === '' ? NO_SCHEMA : (JSON.parse(schemaText) as SchemaJson);
      this.#schema = new StructuralSchema(json);
    }
    return this.#schema;
  }

  get fieldTypes(): StructType {
    if (this.#fieldTypes === undefined) {
      const metadata = compileFieldTypes(this.#model, METADATA_MESSAGE).field('metadata');
      this.#fieldTypes = schemaFieldTypes(this.schema, metadata?.type as MessageStruct);
    }
    return this.#fieldTypes;
  }

  get empty(): ApiObject {
    return EMPTY;
  }

  get emptyDocument(): Members {
    return { apiVersion: this.groupVersion, kind: this.kind };
  }

  decode(text: string, keepsRefused = false): DecodedObject {
    const textOf = (): string => text;
    const decoded = keepsRefused
      ? this.codec.decodeDocument(withoutWrongTimes(parseJson(text)), textOf)
      : this.codec.decode(text);
    return this.#received(decoded, textOf, keepsRefused);
  }

  decodeDocument(document: unknown, textOf: () => string, keepsRefused = false): DecodedObject {
    const given = keepsRefused ? withoutWrongTimes(document) : document;
    return this.#received(this.codec.decodePlain(given, textOf), textOf, keepsRefused);
  }

  /** Shapes a body by its schema. Throws DecodeError. */
  #received(decoded: DecodedObject, textOf: () => string, keepsRefused: boolean): DecodedObject {
    if (decoded.kind === '') throw new MissingKindError(textOf().slice(0, CAUSES_CHARACTERS_MAX));
    this.shape(decoded.object, keepsRefused);
    const refused = this.#embedded.coerce(this.schema, decoded.object);
    if (refused === undefined || keepsRefused) return decoded;
    throw new DecodeError(`${refused.field}: ${refused.message}`);
  }

  /** Sets the defaults of the schema, in place. */
  applyDefaults(object: Record<string, unknown>): void {
    applyDefaults(this.schema, object);
  }

  /**
   * Brings an object into the shape of the schema: without unknown members, with its defaults. In
   * place.
   */
  shape(object: Record<string, unknown>, keepsRefused = false): void {
    prune(this.schema, object);
    dropNulls(this.schema, object, keepsRefused);
    applyDefaults(this.schema, object);
  }

  /**
   * Repairs and shapes an object that is stored. It is not refused for a schema of former times.
   */
  repair(object: Record<string, unknown>): void {
    this.#embedded.repair(this.schema, object);
    this.shape(object);
  }

  /**
   * The errors of an object as it looks here, by its schema without its rules. `stored` is absent
   * on create.
   */
  errorsOf(object: ApiObject, stored: ApiObject | undefined, part: string): FieldError[] {
    const { schema } = this;
    this.#validator ??= compileValueValidator(schema);
    const whole = this.#named(object);
    const before = stored && this.#named(stored);
    const errors = changedErrors(this.#validator(whole, ''), { schema, value: whole, before });
    // As in the reference, it does not count where the status is written.
    if (part === '') appendAll(errors, this.#embedded.errors(schema, object));
    if (part === '' || CHECKS_LISTS_OF_STATUS) {
      // Lists that were wrong before may stay.
      const were = stored === undefined ? [] : listErrors(schema, stored);
      if (were.length === 0) appendAll(errors, listErrors(schema, object));
    }
    return errors;
  }

  /**
   * The errors by the rules of the schema. `found` are all others; `kept` gets those that the
   * stored object had already.
   */
  ruleErrors(
    object: ApiObject,
    stored: ApiObject | undefined,
    found: readonly FieldError[],
    kept: FieldError[],
  ): FieldError[] {
    if (this.#ruleValidator === undefined) {
      this.#ruleValidator = ruleEngine()?.compileRuleValidator(this.schema) ?? null;
    }
    if (this.#ruleValidator === null) return [];
    if (BLOCKS_RULES && found.some(({ reason }) => BLOCKING.has(reason))) {
      return [invalid('<nil>', null, RULES_UNCHECKED)];
    }
    return this.#ruleValidator(this.#named(object), '', stored && this.#named(stored), kept);
  }

  #named(object: ApiObject): Record<string, unknown> {
    return { apiVersion: this.groupVersion, kind: this.kind, ...object };
  }

  /** The kind is looked at by `typeErrors`, and that there is one when a body is read. */
  typeProblem({ apiVersion }: NamedType): string {
    if (apiVersion === '' && !KEEPS_TYPES) return NO_API_VERSION;
    if (apiVersion === this.groupVersion) return '';
    return (
      `the API version in the data (${apiVersion}) does not match ` +
      `the expected API version (${this.groupVersion})`
    );
  }

  /** Custom objects carry their type: it is validated as the rest of them. */
  typeErrors({ kind, apiVersion }: NamedType): FieldError[] {
    const errors: FieldError[] = [];
    if (kind !== this.kind) errors.push(invalid('kind', kind, `must be ${this.kind}`));
    if (apiVersion !== this.groupVersion && apiVersion !== '') {
      errors.push(invalid('apiVersion', apiVersion, `must be ${this.groupVersion}`));
    }
    return errors;
  }

  strictProblems(text: string): string[] {
    const object = parseUnstructured(text) as Record<string, unknown>;
    const problems = repeatedMembers(text);
    if (CHECKS_METADATA) appendAll(problems, this.#embedded.strictProblems(object));
    prune(this.schema, object, (path) => problems.push(`unknown field "${path}"`));
    if (CHECKS_METADATA) {
      appendAll(problems, this.#embedded.embeddedProblems(this.schema, object));
    }
    return problems;
  }

  fromStored(object: ApiObject): ApiObject {
    if (this.matchesStored || this.conversion === undefined) return object;
    return this.conversion.converted(object, this.#storedGroupVersion);
  }

  members(wire: Uint8Array): Uint8Array {
    return this.conversion === undefined ? wire : this.#convertedMembers(this.conversion, wire);
  }

  #convertedMembers(conversion: Conversion, wire: Uint8Array): Uint8Array {
    const { apiVersion, members } = unmarked(wire);
    const from = apiVersion === '' ? this.#storedGroupVersion : apiVersion;
    if (from === this.groupVersion) return members;
    const { object } = this.codec.decode(`{${decodeUtf8(members)}`);
    return Buffer.from(this.codec.encode(conversion.converted(object, from)));
  }

  #conversion(converter: ConversionSource): Conversion {
    const converted = <T extends object>(object: T, from: string): T => {
      const { metadata = {} } = object as Partial<ApiObject>;
      const { resourceVersion: _version, ...sent } = metadata;
      const text = this.codec.encode({ ...object, metadata: sent });
      const known = converter.known({
        sent: { kind: this.kind, apiVersion: from, metadata: sent },
        document: `${objectStart(from, this.kind)}${text}`,
        desiredAPIVersion: this.groupVersion,
        textOf: (answered) => this.#answeredText(answered),
      });
      const { object: result } = this.codec.decode(`{${known}`);
      const { labels, annotations } = result['metadata'] as ObjectMeta;
      return { ...result, metadata: { ...metadata, labels, annotations } } as unknown as T;
    };
    return {
      converted,
      stored: (object, from) => {
        const result = converted(object, from);
        this.shape(result as Record<string, unknown>);
        return result;
      },
      document: (text) => {
        const { object, apiVersion } = this.codec.decode(text);
        return this.#objectStart + this.codec.encode(converted(object, apiVersion));
      },
      needed: (wire) => {
        if (!converter.asks) return undefined;
        try {
          this.members(wire);
          return undefined;
        } catch (error) {
          if (error instanceof ConversionNeeded) return error;
          throw error;
        }
      },
    };
  }

  /** The text that is kept of an object that the webhook has converted. */
  #answeredText({ kind: _kind, apiVersion: _apiVersion, ...object }: Members): string {
    prune(this.schema, object);
    return this.codec.encode(object);
  }

  /** A copy: patches change the document, and the stored object shares its members. */
  documentOf({ metadata, ...members }: Members): Members | undefined {
    if (!this.matchesStored) return undefined;
    const copy = cloneDocument(members) as Members;
    return { apiVersion: this.groupVersion, kind: this.kind, metadata, ...copy };
  }

  documentText(wire: string): string {
    const members = this.matchesStored ? wire : decodeUtf8(this.members(Buffer.from(wire)));
    return this.#objectStart + members;
  }
}

function objectStart(apiVersion: string, kind: string): string {
  return `{"apiVersion":${JSON.stringify(apiVersion)},"kind":${JSON.stringify(kind)},`;
}

const CHECKS_METADATA = ownRelease().has('strictMetadataOfCustom');
const CHECKS_LISTS_OF_STATUS = ownRelease().has('listsOfStatus');
const BLOCKS_RULES = ownRelease().has('blockedRules');
const BLOCKING: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);
const RULES_UNCHECKED =
  'some validation rules were not checked because the object was invalid; ' +
  'correct the existing errors to complete validation';

const embedded = new WeakMap<SchemaModel, EmbeddedResources>();

function embeddedResources(model: SchemaModel): EmbeddedResources {
  let known = embedded.get(model);
  if (known === undefined) {
    known = new EmbeddedResources(model);
    embedded.set(model, known);
  }
  return known;
}

const EMPTY: ApiObject = Object.freeze({ metadata: Object.freeze({}) });
