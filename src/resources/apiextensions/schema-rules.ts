/**
 * Drops CEL rules from schemas while their feature is off (README.md#custom-resource-definitions).
 */
import type { CustomResourceDefinitionSpec, ValidationRule } from '#messages/apiextensions.v1';
import { appendAll } from '../../base/append-all.ts';
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

/** Removes `optionalOldSelf` from rules, unless a rule of the stored definition has it. */
export function dropOptionalOldSelf(
  spec: CustomResourceDefinitionSpec = {},
  stored: CustomResourceDefinitionSpec = {},
): void {
  const isThere = schemasOf(stored)
    .flatMap(allRules)
    .some((rule) => rule.optionalOldSelf !== undefined);
  if (isThere) return;
  for (const rule of schemasOf(spec).flatMap(allRules)) delete rule.optionalOldSelf;
}

/** A stored definition may keep these of its rules. */
export interface StoredRules {
  /** The expressions of all rules and of their messages. */
  readonly expressions: ReadonlySet<string>;
  /** The schemas of the versions, by their names. */
  readonly schemas: ReadonlyMap<string, unknown>;
}

export function storedRules(spec: CustomResourceDefinitionSpec): StoredRules {
  const rules = schemasOf(spec).flatMap(allRules);
  const { versions = [] } = spec;
  return {
    expressions: new Set(
      rules.flatMap(({ rule = '', messageExpression = '' }) => [rule, messageExpression]),
    ),
    schemas: new Map(
      versions.map(({ name = '', schema }) => [name, schema?.openAPIV3Schema] as const),
    ),
  };
}

function allRules(schema: Schema): ValidationRule[] {
  const rules = [...((schema[RULES] as ValidationRule[] | undefined) ?? [])];
  forEachBelow(schema, (below) => {
    appendAll(rules, allRules(below));
  });
  return rules;
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
