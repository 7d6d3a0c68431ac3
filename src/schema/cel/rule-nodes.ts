/** The nodes of a schema that have rules. */
import { StructuralSchema, type SchemaJson } from '../structural-schema.ts';
import { RULES, type RuleText } from './rule.ts';
import { ValueSchema } from './schema-values.ts';

/** A node that has rules, or has some below. */
export interface RuleNode {
  readonly rules: readonly RuleText[];
  /** How its rules see values. */
  readonly values: ValueSchema;
  readonly items: RuleNode | undefined;
  readonly additional: RuleNode | undefined;
  readonly properties: ReadonlyMap<string, RuleNode>;
}

/** Undefined for a schema without rules; `isRoot` for that of a whole object. */
export function ruleNode(json: SchemaJson, isRoot: boolean): RuleNode | undefined {
  const rules = (json[RULES] as readonly RuleText[] | undefined) ?? [];
  const below = (part: unknown): RuleNode | undefined =>
    isSchema(part) ? ruleNode(part, false) : undefined;
  const items = below(json['items']);
  const additional = below(json['additionalProperties']);
  const properties = new Map<string, RuleNode>();
  const named = json['properties'];
  for (const [name, property] of isSchema(named) ? Object.entries(named) : []) {
    const node = below(property);
    if (node !== undefined) properties.set(name, node);
  }
  if (rules.length === 0 && !items && !additional && properties.size === 0) return undefined;
  const schema = new StructuralSchema(json);
  const values = new ValueSchema(schema, isRoot || schema.isEmbeddedResource);
  return { rules, values, items, additional, properties };
}

function isSchema(value: unknown): value is SchemaJson {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface Found {
  readonly rules: readonly RuleText[];
  readonly values: ValueSchema;
  readonly path: string;
  /** The path of the part around it whose values cannot be told apart over time; '' for none. */
  readonly uncorrelated: string;
}

/** Calls `found` with each node that has rules, those below first, of the schema at `field`. */
export function forEachRuleNode(
  schema: SchemaJson,
  field: string,
  found: (node: Found) => void,
): void {
  const root = ruleNode(schema, true);
  if (root !== undefined) visit(root, field, '', found);
}

function visit(
  node: RuleNode,
  path: string,
  uncorrelated: string,
  found: (node: Found) => void,
): void {
  const { rules, values, items, additional, properties } = node;
  const members = uncorrelated || (values.schema.isAtomicMap ? path : '');
  if (additional !== undefined) visit(additional, `${path}.additionalProperties`, members, found);
  for (const [name, property] of properties) {
    visit(property, `${path}.properties[${name}]`, members, found);
  }
  const within = uncorrelated || (values.schema.listType === 'map' ? '' : path);
  if (items !== undefined) visit(items, `${path}.items`, within, found);
  if (rules.length > 0) found({ rules, values, path, uncorrelated });
}
