/**
 * All types that are served, in all their versions: a snapshot that is never changed. When types
 * come or go, a new catalog is made, which those who route and describe requests take in one step.
 */
import { customServedTypes } from './custom/custom-served-types.ts';
import type { CustomTypeFacts } from './custom/custom-type-facts.ts';
import type { DefinitionFacts } from './custom/definition-facts.ts';
import type { ServedType } from './served-types.ts';

interface CustomEntry {
  readonly definition: DefinitionFacts;
  readonly types: readonly ServedType[];
}

export class TypeCatalog {
  /** Built-in ones first: a custom one is never served in the place of one of them. */
  readonly types: readonly ServedType[];
  readonly builtIn: readonly ServedType[];
  readonly #custom: ReadonlyMap<string, CustomEntry>;

  constructor(
    builtIn: readonly ServedType[],
    custom: ReadonlyMap<string, CustomEntry> = new Map(),
  ) {
    this.builtIn = builtIn;
    this.#custom = custom;
    this.types = [...builtIn, ...[...custom.values()].flatMap(({ types }) => types)];
  }

  /** The definitions of the custom types. */
  get definitions(): readonly DefinitionFacts[] {
    return Array.from(this.#custom.values(), ({ definition }) => definition);
  }

  /** The catalog with these custom types, in the place of their former states. */
  with(types: readonly CustomTypeFacts[]): TypeCatalog {
    const custom = new Map(this.#custom);
    for (const facts of types) {
      const { definition } = facts;
      custom.set(definition.name, { definition, types: customServedTypes(facts) });
    }
    return new TypeCatalog(this.builtIn, custom);
  }

  /** Without the custom type of this name. */
  without(name: string): TypeCatalog {
    const left = new Map(this.#custom);
    left.delete(name);
    return new TypeCatalog(this.builtIn, left);
  }
}
