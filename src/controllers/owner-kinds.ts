/** From an owner reference to where its owner is: by the kinds and versions that are served. */
import type { KindDefinition } from '../resources/kind.ts';
import { resourceKey } from '../resources/registry.ts';
import { servedTypes } from '../types/served-types.ts';
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

  constructor(kinds: readonly KindDefinition[]) {
    for (const { definition, groupVersion } of servedTypes(kinds)) {
      const { kind, namespaced } = definition;
      const resource = resourceKey(definition);
      this.#kinds.set(`${groupVersion}/${kind}`, { resource, namespaced });
    }
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
