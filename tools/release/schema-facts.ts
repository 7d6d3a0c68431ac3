/** Facts of definitions: the same form for both versions of OpenAPI. */
import { isJson, kindText, listOf, oneWord, shortName, textsOf, textOf } from './facts.ts';
import type { Facts, Json } from './facts.ts';

const KINDS = 'x-kubernetes-group-version-kind';

/** Members that say the type of a value, or that people read. */
const OF_THE_TYPE: ReadonlySet<string> = new Set([
  '$ref',
  'additionalProperties',
  'allOf',
  'description',
  'format',
  'items',
  'oneOf',
  'properties',
  'required',
  'type',
  KINDS,
]);

/** Shorter names of what is said often. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['x-kubernetes-list-map-keys', 'keys'],
  ['x-kubernetes-list-type', 'list'],
  ['x-kubernetes-map-type', 'map'],
  ['x-kubernetes-patch-merge-key', 'merge'],
  ['x-kubernetes-patch-strategy', 'strategy'],
]);

/** Kinds that each group version has. */
const COMMON_KINDS = /\/(?:DeleteOptions|WatchEvent)$/;

/**
 * Adds the definition and each of its members; names are shortened. `root` is that of a document of
 * version 3, and '' in one of version 2.
 */
export function addDefinition(facts: Facts, name: string, schema: Json, root: string): void {
  const subject = `definition ${shortName(name)}`;
  const kinds = listOf(schema[KINDS]).map(kindText).sort();
  const isCommon = kinds.some((kind) => COMMON_KINDS.test(kind));
  const told = isCommon ? commonKinds(kinds, root) : kinds;
  const shown = told.length === 0 ? [] : [`kinds=${isCommon ? told.length : told.join(',')}`];
  facts.set(subject, words([schemaType(schema), ...attributes(schema, ''), ...shown]));
  if (isCommon) for (const kind of told) facts.set(`${subject} kind ${kind}`, 'is one');
  const required = new Set(textsOf(schema['required']));
  const members = isJson(schema['properties']) ? schema['properties'] : {};
  for (const [member, value] of Object.entries(members)) {
    if (isJson(value)) facts.set(`${subject} ${member}`, memberText(value, required.has(member)));
  }
  for (const member of required) {
    if (members[member] === undefined) facts.set(`${subject} ${member}`, 'required, and no member');
  }
}

/** `own` for those of the core group and of the document, which only newer releases tell apart. */
function commonKinds(kinds: readonly string[], root: string): readonly string[] {
  const groupVersion = root.replace(/^apis?\//, '');
  const isOwn = (kind: string): boolean => {
    const parent = kind.slice(0, kind.lastIndexOf('/'));
    return parent === groupVersion || parent === 'v1';
  };
  return root !== '' && kinds.every(isOwn) ? ['own'] : kinds;
}

function memberText(schema: Json, isRequired: boolean): string {
  const required = isRequired ? ['required'] : [];
  return words([schemaType(schema), ...required, ...attributes(schema, '')]);
}

/** `string`, `integer:int64`, `meta.v1.Time`, `[]string` for lists, `{}string` for maps. */
export function schemaType(schema: Json): string {
  const [first] = listOf(schema['allOf']);
  const reference = textOf(schema['$ref']) || textOf(first?.['$ref']);
  if (reference !== '') return shortName(reference.slice(reference.lastIndexOf('/') + 1));
  const { items, additionalProperties } = schema;
  if (isJson(items)) return `[]${schemaType(items)}`;
  if (isJson(additionalProperties)) return `{}${schemaType(additionalProperties)}`;
  const oneOf = listOf(schema['oneOf']).map(schemaType);
  const type = textOf(schema['type']) || oneOf.join('|') || 'any';
  const format = textOf(schema['format']);
  return format === '' ? type : `${type}:${format}`;
}

function attributes(schema: Json, prefix: string): string[] {
  const all = Object.entries(schema)
    .filter(([name]) => !OF_THE_TYPE.has(name))
    .map(([name, value]) => `${prefix}${attribute(name, value)}`)
    .sort();
  const { items, additionalProperties } = schema;
  if (isJson(items)) all.push(...attributes(items, `${prefix}item.`));
  if (isJson(additionalProperties)) all.push(...attributes(additionalProperties, `${prefix}item.`));
  return all;
}

function attribute(name: string, value: unknown): string {
  const short = NAMES.get(name) ?? name;
  if (name === 'enum') return `enum=${oneWord([...new Set(textsOf(value))].sort().join('|'))}`;
  if (name !== 'default' && typeof value === 'string') return `${short}=${value}`;
  if (name !== 'default' && Array.isArray(value) && value.every((one) => typeof one === 'string')) {
    return `${short}=${value.join(',')}`;
  }
  return `${short}=${oneWord(JSON.stringify(value))}`;
}

function words(parts: readonly string[]): string {
  return parts.join(' ');
}
