/** The nodes of a schema that have rules. */
import { ownRelease } from '../../release/release.ts';
import { isSchema, StructuralSchema, type SchemaJson } from '../structural-schema.ts';
import { times } from './cost/ranges.ts';
import { RULES, type RuleText } from './rule.ts';
import { DEPTH_MAX, ValueSchema } from './schema-values.ts';

/** A node that has rules, or has some below. */
export interface RuleNode {
  readonly rules: readonly RuleText[];
  /** The values of the node as its rules see them. */
  readonly values: ValueSchema;
  readonly items: RuleNode | undefined;
  readonly additional: RuleNode | undefined;
  readonly properties: ReadonlyMap<string, RuleNode>;
}

/** A schema that the walk visits, and its place in the schema around it. */
interface Place {
  readonly json: SchemaJson;
  readonly depth: number;
  readonly parent: Place | undefined;
  /** The part of its parent that it is; a property has its name. */
  readonly as: 'items' | 'additional' | { readonly property: string };
  readonly below: { items?: RuleNode; additional?: RuleNode; properties: [string, RuleNode][] };
}

/** Undefined for a schema without rules; `isRoot` for that of a whole object. */
export function ruleNode(json: SchemaJson, isRoot: boolean): RuleNode | undefined {
  const places = placesIn(json);
  // Those below come later.
  for (const { json: at, parent, as, below } of places.reverse()) {
    const rules = (at[RULES] as readonly RuleText[] | undefined) ?? [];
    const { items, additional } = below;
    const properties = new Map(below.properties.reverse());
    if (rules.length === 0 && !items && !additional && properties.size === 0) continue;
    const schema = new StructuralSchema(at);
    const isResource = schema.isEmbeddedResource || (isRoot && parent === undefined);
    const values = new ValueSchema(schema, isResource);
    const node = { rules, values, items, additional, properties };
    if (parent === undefined) return node;
    if (typeof as === 'object') parent.below.properties.push([as.property, node]);
    else parent.below[as] = node;
  }
  return undefined;
}

function placesIn(json: SchemaJson): Place[] {
  const places: Place[] = [];
  const add = (part: unknown, as: Place['as'], parent?: Place): void => {
    const depth = parent === undefined ? 0 : parent.depth + 1;
    if (!isSchema(part) || depth > DEPTH_MAX) return;
    places.push({ json: part, depth, parent, as, below: { properties: [] } });
  };
  add(json, 'items');
  for (const place of places) {
    const { items, additionalProperties, properties } = place.json;
    add(items, 'items', place);
    add(additionalProperties, 'additional', place);
    for (const [name, property] of isSchema(properties) ? Object.entries(properties) : []) {
      add(property, { property: name }, place);
    }
  }
  return places;
}

/** Whether members are matched with those before. */
export function isMatched(schema: StructuralSchema): boolean {
  return MATCHES_ALL || !schema.isAtomicMap;
}

const MATCHES_ALL = ownRelease().has('matchedMaps');

interface Found {
  readonly rules: readonly RuleText[];
  readonly values: ValueSchema;
  readonly path: string;
  /**
   * The path of the enclosing part whose values cannot be matched with their old values; '' for
   * none.
   */
  readonly uncorrelated: string;
  /** How many values of the node there are at most; undefined where nothing bounds them. */
  readonly occurrences: number | undefined;
}

/** Calls `found` with each node that has rules, those below first, of the schema at `field`. */
export function forEachRuleNode(
  schema: SchemaJson,
  field: string,
  found: (node: Found) => void,
): void {
  const root = ruleNode(schema, true);
  if (root !== undefined) visit(root, field, { uncorrelated: '', occurrences: 1 }, found);
}

function visit(
  node: RuleNode,
  path: string,
  { uncorrelated, occurrences }: Pick<Found, 'uncorrelated' | 'occurrences'>,
  found: (node: Found) => void,
): void {
  const { rules, values, items, additional, properties } = node;
  const most = childrenMax(values.schema.json);
  const below =
    most === undefined || occurrences === undefined ? undefined : times(occurrences, most);
  const members = {
    uncorrelated: uncorrelated || (isMatched(values.schema) ? '' : path),
    occurrences: below,
  };
  if (additional !== undefined) visit(additional, `${path}.additionalProperties`, members, found);
  for (const [name, property] of properties) {
    visit(property, `${path}.properties[${name}]`, members, found);
  }
  const within = {
    uncorrelated: uncorrelated || (values.schema.listType === 'map' ? '' : path),
    occurrences: below,
  };
  if (items !== undefined) visit(items, `${path}.items`, within, found);
  if (rules.length > 0) found({ rules, values, path, uncorrelated, occurrences });
}

/** How many parts of one schema a value has at most; undefined where it bounds them not. */
function childrenMax(json: SchemaJson): number | undefined {
  const { type, additionalProperties, maxProperties, maxItems } = json;
  const isMap = type === 'object' && additionalProperties !== undefined;
  if (!isMap && type !== 'array') return 1;
  const most = isMap ? maxProperties : maxItems;
  return typeof most === 'number' ? Math.max(most, 0) : undefined;
}
