/** From an owner reference to where its owner is: by the kinds and versions that are served. */
import { resourceKey } from '../../resources/registry.ts';
import type { ServedType } from '../../types/served-types.ts';
import type { ServedKind } from '../controller-protocol.ts';
import type { Reference } from './garbage-decision.ts';

interface OwnerKind {
  readonly resource: string;
  readonly namespaced: boolean;
}

export interface OwnerPlace {
  readonly resource: string;
  readonly key: string;
}

export class OwnerKinds {
  /** By `apiVersion/kind`. */
  readonly #kinds = new Map<string, OwnerKind>();

  constructor(types: readonly Pick<ServedType, 'definition' | 'groupVersion'>[]) {
    for (const { definition, groupVersion } of types) {
      const resource = resourceKey(definition);
      this.#add(groupVersion, definition.kind, { resource, namespaced: definition.namespaced });
    }
  }

  /** A type has come, or is served in other versions than before. */
  set({ resource, kind, groupVersions, namespaced }: ServedKind): void {
    this.delete(resource);
    for (const groupVersion of groupVersions) {
      this.#add(groupVersion, kind, { resource, namespaced });
    }
  }

  /** A type has gone. */
  delete(resource: string): void {
    for (const [name, known] of this.#kinds) {
      if (known.resource === resource) this.#kinds.delete(name);
    }
  }

  #add(groupVersion: string, kind: string, owner: OwnerKind): void {
    this.#kinds.set(`${groupVersion}/${kind}`, owner);
  }

  /**
   * A namespaced owner is looked for in the dependent's own namespace. Undefined when nobody can
   * tell where it is: its kind is not served, or the dependent is in no namespace and it is.
   */
  find({ apiVersion, kind, name }: Reference, namespace: string): OwnerPlace | undefined {
    const found = this.#kinds.get(`${apiVersion}/${kind}`);
    if (found === undefined) return undefined;
    const { resource, namespaced } = found;
    if (!namespaced) return { resource, key: name };
    return namespace === '' ? undefined : { resource, key: `${namespace}/${name}` };
  }
}
