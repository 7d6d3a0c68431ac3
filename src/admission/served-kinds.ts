/** From the kind that an object names to its resource type: by what is served. */
import type { CustomResourceDefinition } from '#messages/apiextensions.v1';
import type { GroupResource } from '../semantics/errors/status.ts';
import type { TypeIndex } from '../replicas/follow-type.ts';
import type { ApiObject } from '../resources/kind.ts';
import { isEstablished, shownDefinition } from '../types/custom/definition-facts.ts';
import { customKey, withNew } from '../types/custom/custom-type-facts.ts';
import { BUILT_IN_TYPES, shardKey } from '../types/served-types.ts';

export interface NamedType extends GroupResource {
  readonly version: string;
  readonly namespaced: boolean;
  /** The name of its shard. */
  readonly shard: string;
  /** The place of the version in which its shard shows it so; 0 is the stored one. */
  readonly place: number;
  readonly isCustom: boolean;
}

/** By `apiVersion/kind`. */
type NamedTypes = ReadonlyMap<string, NamedType>;

const BUILT_IN: NamedTypes = new Map(
  BUILT_IN_TYPES.map((type) => {
    const { definition, group, version, groupVersion, index: place } = type;
    const { kind, plural: resource, namespaced } = definition;
    const shard = shardKey(type);
    const named = { group, version, resource, namespaced, shard, place, isCustom: false };
    return [`${groupVersion}/${kind}`, named];
  }),
);

export class ServedKindIndex implements TypeIndex {
  /** By the name of the definition. */
  readonly #custom = new Map<string, NamedTypes>();
  /** The places of the versions of all definitions, which they keep as shards do. */
  readonly #places = new Map<string, readonly string[]>();

  put(object: ApiObject): void {
    const { name = '' } = object.metadata;
    const definition = shownDefinition(object);
    const versions = (definition.spec?.versions ?? []).map((version) => version.name ?? '');
    const places = withNew(this.#places.get(name) ?? [], versions);
    this.#places.set(name, places);
    this.#custom.set(name, customTypes(definition, places));
  }

  remove({ metadata }: ApiObject): void {
    this.#custom.delete(metadata.name ?? '');
    this.#places.delete(metadata.name ?? '');
  }

  find(apiVersion: string, kind: string): NamedType | undefined {
    const key = `${apiVersion}/${kind}`;
    const builtIn = BUILT_IN.get(key);
    if (builtIn !== undefined) return builtIn;
    for (const types of this.#custom.values()) {
      const found = types.get(key);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

function customTypes(definition: CustomResourceDefinition, places: readonly string[]): NamedTypes {
  const { spec = {}, status = {} } = definition;
  const { plural: resource = '', kind = '' } = status.acceptedNames ?? {};
  const { group = '', scope, versions = [] } = spec;
  const types = new Map<string, NamedType>();
  const shard = customKey(definition.metadata.name ?? '');
  if (!isEstablished(definition)) return types;
  for (const { name: version = '', served } of versions) {
    if (served !== true) continue;
    const namespaced = scope === 'Namespaced';
    const place = places.indexOf(version) + 1;
    const named = { group, version, resource, namespaced, shard, place, isCustom: true };
    types.set(`${group}/${version}/${kind}`, named);
  }
  return types;
}
