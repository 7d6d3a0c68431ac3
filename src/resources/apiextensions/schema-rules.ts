/**
 * Drops CEL rules from schemas while their feature is off (README.md#custom-resource-definitions).
 */
import type { CustomResourceDefinitionSpec } from '#messages/apiextensions.v1';
import {
  additionalSchema,
  forEachBelow,
  itemSchema,
  schemaList,
  schemaOf,
  schemasByName,
  type Schema,
} from './schema-node.ts';

const RULES = 'x-kubernetes-validations';

/** Removes the rules from the schemas, unless the stored definition has some. */
export function dropRules(
  spec: CustomResourceDefinitionSpec = {},
  stored: CustomResourceDefinitionSpec = {},
): void {
  if (schemasOf(stored).some(hasRules)) return;
  for (const schema of schemasOf(spec)) dropRulesBelow(schema);
}

function schemasOf({ versions = [] }: CustomResourceDefinitionSpec): Schema[] {
  return versions.map(({ schema }) => schemaOf(schema?.openAPIV3Schema));
}

function hasRules(schema: Schema): boolean {
  let found = schema[RULES] !== undefined;
  forEachBelow(schema, (below) => {
    found ||= hasRules(below);
  });
  return found;
}

/** Not from below `allOf` and its like, where they are refused. */
function dropRulesBelow(schema: Schema): void {
  delete (schema as Record<string, unknown>)[RULES];
  for (const [, property] of schemasByName(schema)) dropRulesBelow(property);
  for (const one of [itemSchema(schema), additionalSchema(schema)]) {
    if (one !== undefined) dropRulesBelow(one);
  }
  for (const one of schemaList(schema, 'items')) dropRulesBelow(one);
}
