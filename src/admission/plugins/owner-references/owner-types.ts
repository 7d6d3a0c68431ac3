/** From the kind that an owner reference names to its resource type: by what is served. */
import type { CustomResourceDefinition } from '#messages/apiextensions.v1';
import type { GroupResource } from '../../../semantics/errors/status.ts';
import type { TypeIndex } from '../../../replicas/follow-type.ts';
import { KINDS } from '../../../resources/registry.ts';
import type { ApiObject } from '../../../resources/kind.ts';
import { isEstablished, shownDefinition } from '../../../types/custom/definition-facts.ts';
import { servedTypes } from '../../../types/served-types.ts';

export interface OwnerType extends GroupResource {
  readonly version: string;
  readonly namespaced: boolean;
}

/** By `apiVersion/kind`. */
type OwnerTypes = ReadonlyMap<string, OwnerType>;

const BUILT_IN: OwnerTypes = new Map(
  servedTypes(KINDS).map(({ definition, group, version, groupVersion }) => {
    const { kind, plural: resource, namespaced } = definition;
    return [`${groupVersion}/${kind}`, { group, version, resource, namespaced }];
  }),
);

export class OwnerTypeIndex implements TypeIndex {
  /** By the name of the definition. */
  readonly #custom = new Map<string, OwnerTypes>();

  put(definition: ApiObject): void {
    this.#custom.set(definition.metadata.name ?? '', customTypes(shownDefinition(definition)));
  }

  remove({ metadata }: ApiObject): void {
    this.#custom.delete(metadata.name ?? '');
  }

  find(apiVersion: string, kind: string): OwnerType | undefined {
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

function customTypes(definition: CustomResourceDefinition): OwnerTypes {
  const { spec = {}, status = {} } = definition;
  const { plural: resource = '', kind = '' } = status.acceptedNames ?? {};
  const { group = '', scope, versions = [] } = spec;
  const types = new Map<string, OwnerType>();
  if (!isEstablished(definition)) return types;
  for (const { name: version = '', served } of versions) {
    if (served !== true) continue;
    const namespaced = scope === 'Namespaced';
    types.set(`${group}/${version}/${kind}`, { group, version, resource, namespaced });
  }
  return types;
}
