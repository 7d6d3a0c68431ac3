/** A custom resource type, made of its definition. */
import { createHash } from 'node:crypto';
import { assert } from '../../base/assert.ts';
import type { SchemaModel } from '../../codec/schema-model.ts';
import { decodeUtf8 } from '../../codec/text-body.ts';
import type { FeatureGates } from '../../resources/feature-gates.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { ObjectScale } from '../object-scale.ts';
import { ResourceType } from '../resource-type.ts';
import type { PrintedAs } from '../resource-type.ts';
import type { ServedScale } from '../served-version.ts';
import { ObjectValidator } from '../validate-object.ts';
import { customRules } from './custom-rules.ts';
import { customPrinter } from './custom-printer.ts';
import { CustomScale } from './custom-scale.ts';
import { customKind } from './custom-kind.ts';
import { storageVersion, type CustomTypeFacts } from './custom-type-facts.ts';
import { CustomVersion } from './custom-version.ts';
import type { VersionFacts } from './definition-facts.ts';

const DIGEST_CHARACTERS = 10;

/** The name of the version, and the digest of the schema by which its objects are read. */
function writtenAs({ name, schemaText }: VersionFacts): string {
  const digest = createHash('sha256').update(schemaText).digest('base64url');
  return `${name} ${digest.slice(0, DIGEST_CHARACTERS)}`;
}

/** `model` is that of the messages that all types share. */
export function customType(
  { definition, places }: CustomTypeFacts,
  model: SchemaModel,
  gates: FeatureGates,
): ResourceType {
  const storage = storageVersion(definition);
  /** By their places; that of a version that is gone is held by the stored one. */
  const facts = [storage, ...places.map((name) => versionNamed(name) ?? storage)];
  const stored = new CustomVersion(definition, storage, model, 0);
  const versions = [
    stored,
    ...facts.slice(1).map((version, at) => {
      return new CustomVersion(definition, version, model, at + 1, stored);
    }),
  ] as const;
  const kind = customKind(definition, storage);
  const rules = customRules(versions, facts);
  return new ResourceType({
    definition: kind,
    model,
    key: definition.name,
    versions,
    traitsIn: (version) => (version === 0 ? kind : customKind(definition, factsAt(version))),
    scaleOf,
    validator: new ObjectValidator({ ...kind, ...rules }),
    indexedPositions: [],
    gates,
    printedIn,
    storedShape: {
      writtenAs: writtenAs(storage),
      upToDate: (wire, as) => {
        const { object } = stored.codec.decode(`{${wire}`);
        const [name = ''] = as.split(' ');
        const at = facts.findIndex((version) => version.name === name);
        // As the version reads it that it was written in, and then the one that is stored now.
        if (at > 0) versions[at]?.repair(object);
        stored.repair(object);
        return stored.codec.encode(object);
      },
    },
  });

  function scaleOf(version: number): ServedScale | undefined {
    const { scale } = factsAt(version);
    return scale && new ObjectScale(new CustomScale(scale), model, decodedText);
  }

  /** Columns are of a version, as what they show. */
  function printedIn(at: number): PrintedAs {
    const version = versions[at] ?? stored;
    const { columns } = factsAt(at);
    const type = { apiVersion: version.groupVersion, kind: version.kind };
    return {
      printer: customPrinter(columns, type),
      read: (wire) => decodedText(decodeUtf8(version.members(wire))),
    };
  }

  function decodedText(members: string): ApiObject {
    return stored.codec.decode(`{${members}`).object as ApiObject;
  }

  function versionNamed(name: string): VersionFacts | undefined {
    return definition.versions.find((version) => version.name === name);
  }

  function factsAt(version: number): VersionFacts {
    const found = facts[version];
    assert(found !== undefined, `${definition.name} has no version ${version}`);
    return found;
  }
}
