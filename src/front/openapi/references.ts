/** Definitions, and references of schemas to them, in either version of the documents. */
import { definitionName } from './definition-names.ts';
import type { JsonSchema } from './known-schemas.ts';

/** The version of the documents: 2 is what was called Swagger 2.0. */
export type Flavour = 'v2' | 'v3';

export interface Definition {
  readonly name: string;
  readonly schema: JsonSchema;
  /** Published messages and leaf types that it refers to. */
  readonly refersTo: readonly string[];
}

/** A reference to the definition of a published message, leaf type or custom type. */
export function referenceTo(type: string, flavour: Flavour): JsonSchema {
  const place = flavour === 'v2' ? '#/definitions/' : '#/components/schemas/';
  return { $ref: `${place}${definitionName(type)}` };
}

/** A reference with more facts, which are about the member that it stands for. */
export function referenceWith(type: string, flavour: Flavour, more: JsonSchema): JsonSchema {
  const reference = referenceTo(type, flavour);
  if (flavour === 'v2') return { ...more, ...reference };
  // Readers of version 3 pass over what stands beside a reference.
  return Object.keys(more).length === 0 ? reference : { ...more, allOf: [reference] };
}

/** The definitions of types and of all that they refer to, by type. */
export function withReferred(
  types: Iterable<string>,
  find: (type: string) => Definition,
): ReadonlyMap<string, Definition> {
  const definitions = new Map<string, Definition>();
  const toFind = new Set(types);
  for (const type of toFind) {
    const definition = find(type);
    definitions.set(type, definition);
    for (const other of definition.refersTo) toFind.add(other);
  }
  return definitions;
}
