/** A custom resource type, made of its definition. */
import { createHash } from 'node:crypto';
import { assert } from '../../base/assert.ts';
import type { JsonCodec } from '../../codec/json/json-codec.ts';
import type { SchemaModel } from '../../codec/model/schema-model.ts';
import { decodeUtf8 } from '../../codec/text-body.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';
import type { ApiObject, KindDefinition } from '../../resources/kind.ts';
import { markedText, type ConversionSource } from '../conversion.ts';
import { ObjectScale } from '../object-scale.ts';
import { ResourceType } from '../resource-type.ts';
import type { PrintedAs } from '../resource-type.ts';
import type { ServedScale } from '../served-version.ts';
import { ObjectValidator } from '../validate-object.ts';
import { Converter, type CallWebhook } from './converter.ts';
import { customCodec } from './custom-codec.ts';
import { customRules } from './custom-rules.ts';
import { customPrinter } from './custom-printer.ts';
import { CustomScale } from './custom-scale.ts';
import { customKind, fieldValues } from './custom-kind.ts';
import { customKey, storageVersion, type CustomTypeFacts } from './custom-type-facts.ts';
import { CustomVersion } from './custom-version.ts';
import type { DefinitionFacts, VersionFacts } from './definition-facts.ts';

const DIGEST_CHARACTERS = 10;

/**
 * The name of the version, and the digest of what its objects are read by: the schema, and the
 * selectable fields whose values stand beside them.
 */
function writtenAs({ name, schemaText }: VersionFacts, fields: readonly string[]): string {
  const hash = createHash('sha256').update(schemaText);
  const digest = hash.update(fields.map((field) => `\0${field}`).join('')).digest('base64url');
  return `${name} ${digest.slice(0, DIGEST_CHARACTERS)}`;
}

export interface CustomTypeParts {
  /** The model of the messages that all types share. */
  readonly model: SchemaModel;
  readonly gates: FeatureGates;
  readonly callWebhook: CallWebhook;
}

export function customType(facts: CustomTypeFacts, parts: CustomTypeParts): ResourceType {
  return new CustomTypes(facts, parts).basedOn(storageVersion(facts.definition));
}

/** The version and the facts at each place. */
interface Places {
  readonly facts: readonly VersionFacts[];
  readonly versions: readonly [CustomVersion, ...CustomVersion[]];
  versionAt(at: number): CustomVersion;
  factsAt(at: number): VersionFacts;
}

/** A type, and its views for writers in one of its versions, to whom that is the stored one. */
class CustomTypes {
  readonly #definition: DefinitionFacts;
  readonly #places: readonly string[];
  readonly #fields: readonly string[];
  readonly #parts: CustomTypeParts;
  readonly #storage: VersionFacts;
  readonly #converter: ConversionSource | undefined;
  readonly #made = new Map<VersionFacts, ResourceType>();

  constructor({ definition, places, fields }: CustomTypeFacts, parts: CustomTypeParts) {
    this.#definition = definition;
    this.#places = places;
    this.#fields = parts.gates.has('CustomResourceFieldSelectors') ? fields : [];
    this.#parts = parts;
    this.#storage = storageVersion(definition);
    const { strategy, webhook } = definition.conversion;
    if (strategy === 'Webhook' && webhook !== undefined) {
      this.#converter = new Converter(webhook, parts.callWebhook);
    } else if (definition.versions.some((one) => one.schemaText !== this.#storage.schemaText)) {
      this.#converter = renaming(customCodec(parts.model));
    }
  }

  basedOn(base: VersionFacts): ResourceType {
    let type = this.#made.get(base);
    if (type === undefined) {
      type = this.#make(base);
      this.#made.set(base, type);
    }
    return type;
  }

  #make(base: VersionFacts): ResourceType {
    const { model, gates } = this.#parts;
    const places = this.#placesOf(base);
    const { facts, factsAt, versions } = places;
    const traits = (version: VersionFacts): KindDefinition => ({
      ...customKind(this.#definition, version, this.#fields),
      // A status that was sent is dropped, and what is read has its defaults.
      prepareForCreate: (object) => versions[0].applyDefaults(object),
    });
    const others = this.#fieldsOfOthers(places);
    const kind = { ...traits(base), ...selectedIn(others, traits(base)) };
    const rules = customRules(versions, facts);
    return new ResourceType({
      definition: { ...kind, ...rules },
      model,
      key: customKey(this.#definition.name),
      versions,
      traitsIn: (at) => (at === 0 ? kind : traits(factsAt(at))),
      scaleOf: (at) => this.#scale(places, at),
      validator: new ObjectValidator({ ...kind, ...rules }),
      indexedPositions: [],
      gates,
      printedIn: (at) => printed(factsAt(at), places.versionAt(at)),
      storedShape: {
        writtenAs: writtenAs(base, this.#fields),
        version: base.name,
        fieldsOf: (wire, before) => {
          const own = fieldValues(decodedText(versions[0], wire), this.#fields);
          if (others.size === 0) return own;
          const isOther = !before.writtenAs.startsWith(`${base.name} `);
          return own.map((value, at) =>
            isOther || others.has(this.#fields[at] ?? '') ? (before.fields[at] ?? '') : value,
          );
        },
        upToDate: (wire, as) => this.#upToDate(base, versions, wire, as),
      },
      ...(this.#converter && {
        writtenIn: (at) => this.basedOn(at === 0 ? this.#storage : factsAt(at)),
      }),
    });
  }

  /** The place of a version that is gone is held by the stored one. */
  #placesOf(base: VersionFacts): Places {
    const { model } = this.#parts;
    const name = this.#definition.name;
    const facts = [base, ...this.#places.map((at) => this.#named(at) ?? this.#storage)];
    const converted = {
      fields: this.#fields,
      ...(this.#converter && { converter: this.#converter }),
    };
    const stored = new CustomVersion(this.#definition, base, model, 0, converted);
    const versions = [
      stored,
      ...facts.slice(1).map((version, at) => {
        const options = { ...converted, stored };
        return new CustomVersion(this.#definition, version, model, at + 1, options);
      }),
    ] as const;
    return {
      facts,
      versions,
      versionAt: (at: number): CustomVersion => versions[at] ?? stored,
      factsAt: (at: number): VersionFacts => {
        const found = facts[at];
        assert(found !== undefined, `${name} has no version ${at}`);
        return found;
      },
    };
  }

  /**
   * Where a webhook converts: the selectable fields that the version at place 0 does not have, with
   * one that does.
   */
  #fieldsOfOthers({ facts, versions }: Places): ReadonlyMap<string, CustomVersion> {
    const others = new Map<string, CustomVersion>();
    if (this.#converter?.asks !== true) return others;
    for (const field of this.#fields) {
      const at = facts.findIndex(({ selectableFields = [] }) => selectableFields.includes(field));
      const version = versions[at];
      if (at > 0 && version !== undefined) others.set(field, version);
    }
    return others;
  }

  #named(name: string): VersionFacts | undefined {
    return this.#definition.versions.find((version) => version.name === name);
  }

  #scale({ factsAt, versionAt }: Places, at: number): ServedScale | undefined {
    const { scale } = factsAt(at);
    if (scale === undefined) return undefined;
    const version = versionAt(at);
    const { conversion } = version;
    const readStored = (members: string): ApiObject => {
      const its = conversion ? decodeUtf8(version.members(Buffer.from(members))) : members;
      return decodedText(version, its);
    };
    return new ObjectScale(new CustomScale(scale), this.#parts.model, readStored, conversion);
  }

  #upToDate(
    base: VersionFacts,
    versions: readonly [CustomVersion, ...CustomVersion[]],
    wire: string,
    as: string,
  ): string {
    const [stored] = versions;
    const object = decodedText(stored, wire);
    const [name = ''] = as.split(' ');
    const isOther = name !== base.name;
    // As the version reads it that it was written in, and then the one that is stored now.
    const its = isOther ? versions.find(({ version }) => version === name) : undefined;
    its?.repair(object);
    if (isOther && this.#converter?.asks === true) {
      return markedText(stored.codec.encode(object), `${this.#definition.group}/${name}`);
    }
    stored.repair(object);
    return stored.codec.encode(object);
  }
}

/** The selectable fields of a kind, some of which are read in other versions. */
function selectedIn(
  others: ReadonlyMap<string, CustomVersion>,
  { selectableFields = {} }: KindDefinition,
): Pick<KindDefinition, 'selectableFields'> {
  if (others.size === 0) return {};
  const selected = { ...selectableFields };
  for (const [field, version] of others) {
    selected[field] = (object) => {
      const [value = ''] = fieldValues(version.fromStored(withoutUpkeep(object)), [field]);
      return value;
    };
  }
  return { selectableFields: selected };
}

/** An object without what the server may still change of its metadata before it is stored. */
function withoutUpkeep({ metadata, ...members }: ApiObject): ApiObject {
  const { name, namespace, labels, annotations } = metadata;
  return { ...members, metadata: { name, namespace, labels, annotations } };
}

/** Without a webhook an object in another version is the same, without members unknown to that. */
function renaming(codec: JsonCodec): ConversionSource {
  return {
    asks: false,
    known: ({ document, textOf }) => textOf(codec.decode(document).object),
  };
}

/** The printer of a version: columns and the values in them are of the version. */
function printed({ columns }: VersionFacts, version: CustomVersion): PrintedAs {
  const type = { apiVersion: version.groupVersion, kind: version.kind };
  return {
    printer: customPrinter(columns, type),
    read: (wire) => decodedText(version, decodeUtf8(version.members(wire))),
  };
}

function decodedText({ codec }: CustomVersion, members: string): ApiObject {
  return codec.decode(`{${members}`).object as ApiObject;
}
