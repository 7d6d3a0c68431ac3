/** Objects of a shard in the versions of their type, for admission. */
import type { ProposedForms } from '../admission/proposal.ts';
import type { ApiObject } from '../resources/kind.ts';
import type { StructType } from '../semantics/fields/field-types.ts';
import { ownersSentBack } from '../types/field-owners.ts';
import type { ResourceType } from '../types/resource-type.ts';
import type { ServedScale, ServedVersion } from '../types/served-version.ts';

const NO_PROBLEMS: readonly string[] = Object.freeze([]);

/** Forms of objects as a request in that version works on them. */
export class ObjectForms implements ProposedForms {
  readonly kind: string;
  readonly groupVersion: string;
  readonly versions: ProposedForms['versions'];
  readonly #type: ResourceType;

  constructor(type: ResourceType, { kind, groupVersion }: ServedVersion) {
    this.#type = type;
    this.kind = kind;
    this.groupVersion = groupVersion;
    this.versions = versionsOf(type);
  }

  text(object: ApiObject, groupVersion: string): string {
    const { codec } = this.#type.stored;
    return this.#version(groupVersion).documentText(codec.encode(object));
  }

  read(text: string, groupVersion: string): ApiObject {
    const { stored, definition, gates } = this.#type;
    const read = this.#version(groupVersion).decode(text).object as ApiObject;
    const { managedFields } = read.metadata;
    if (Array.isArray(managedFields)) read.metadata.managedFields = ownersSentBack(managedFields);
    const { conversion } = stored;
    const isStored = conversion === undefined || groupVersion === stored.groupVersion;
    const object = isStored ? read : conversion.stored(read, groupVersion);
    stored.codec.applyDefaults(object);
    definition.applyDefaults?.(object, gates);
    return object;
  }

  strictProblems(text: string, groupVersion: string): readonly string[] {
    const isCustom = this.#type.definition.message === undefined;
    return isCustom ? NO_PROBLEMS : this.#version(groupVersion).strictProblems(text);
  }

  fieldTypes(groupVersion: string): StructType {
    return this.#version(groupVersion).fieldTypes;
  }

  #version(groupVersion: string): ServedVersion {
    const version = this.#type.versionNamed(groupVersion);
    if (version === undefined) throw new Error(`${this.#type.key} has no ${groupVersion}`);
    return version;
  }
}

/** Forms of the Scale of an object, which has one version. */
export class ScaleForms implements ProposedForms {
  readonly kind: string;
  readonly groupVersion: string;
  readonly versions: ProposedForms['versions'];
  readonly #scale: ServedScale;

  constructor(type: ResourceType, scale: ServedScale) {
    this.kind = scale.kind;
    this.groupVersion = scale.groupVersion;
    this.versions = versionsOf(type);
    this.#scale = scale;
  }

  text(object: ApiObject): string {
    const { kind, groupVersion, codec } = this.#scale;
    return `{"kind":"${kind}","apiVersion":"${groupVersion}",${codec.encode(object)}`;
  }

  read(text: string): ApiObject {
    return this.#scale.decode(text).object as ApiObject;
  }

  strictProblems(text: string): readonly string[] {
    return this.#scale.strictProblems(text);
  }

  fieldTypes(): StructType {
    return this.#scale.fieldTypes;
  }
}

function versionsOf(type: ResourceType): ProposedForms['versions'] {
  return type.versions.map(({ groupVersion, resource }) => ({ ...resource, groupVersion }));
}
