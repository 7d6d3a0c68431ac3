/** Writes the messages of the schema model as types: what objects are once they are decoded. */
import {
  LEAF_TYPES,
  SCHEMA_MESSAGE,
  SCHEMA_VARIANTS,
  STRING_LIST_MAPS,
} from '../src/codec/model/schema-model.ts';
import type { FieldSchema, MessageSchema, SchemaModel } from '../src/codec/model/schema-model.ts';
import { isMessageType } from '../src/codec/model/schema-walk.ts';

/** Those that are no texts. */
const TYPE_OF_LEAF: Readonly<Record<string, string>> = {
  bool: 'boolean',
  int32: 'number',
  int64: 'number | bigint',
  double: 'number',
  IntOrString: 'number | string',
  RawExtension: 'RawJson',
  FieldsV1: 'RawJson',
};

/** Written by hand, since the server unsets its members and keeps the owners of fields as text. */
const METADATA = 'meta.v1.ObjectMeta';

/** Messages without a type here: metadata, and those that are one value. */
const SKIPPED = new Set([METADATA, ...LEAF_TYPES.map((type) => `meta.v1.${type}`)]);

/** Types that come from elsewhere, by their names in the text. */
const HAND_WRITTEN: Readonly<Record<string, string>> = {
  ObjectMeta: 'src/semantics/metadata/object-meta.ts',
  RawJson: 'src/codec/json/raw-json.ts',
};

const IDENTIFIER = /^[a-zA-Z_]\w*$/;

/**
 * The text of a file for each package: `core.v1.ts` has a type for each of its messages. Every
 * member may be absent but the metadata of objects; the server writes members in place.
 * `sourceFolder` leads from these files to the root of the project.
 */
export function messageTypes(
  { messages }: SchemaModel,
  sourceFolder: string,
): ReadonlyMap<string, string> {
  const packages = new Map<string, string[]>();
  for (const message of Object.values(messages)) {
    const name = packageOf(message.name);
    const texts = packages.get(name) ?? [];
    packages.set(name, texts);
    const isObject = messages[`${message.name}List`] !== undefined;
    if (!SKIPPED.has(message.name)) texts.push(aliasText(message, isObject));
  }
  return new Map(
    [...packages].map(([name, texts]) => [`${name}.ts`, fileText(name, texts, sourceFolder)]),
  );
}

function fileText(packageName: string, texts: readonly string[], sourceFolder: string): string {
  const body = texts.join('\n');
  const imports = Object.entries(HAND_WRITTEN)
    .filter(([name]) => new RegExp(`\\b${name}\\b`).test(body))
    .map(([name, path]) => `import type { ${name} } from '${sourceFolder}/${path}';\n`);
  const others = new Set([...body.matchAll(/\b(\w+_v\w+)\./g)].map(([, alias = '']) => alias));
  for (const alias of others) {
    imports.push(`import type * as ${alias} from './${alias.replace('_', '.')}.ts';\n`);
  }
  const head = `// Made from proto/ by tools/build.ts: package ${packageName}.\n`;
  return `${head}${imports.join('')}\n${body}`;
}

/** An alias and no interface: it is an `ApiObject`, which may have any member, too. */
function aliasText({ name, fields }: MessageSchema, isObject: boolean): string {
  const inline = fields.filter((field) => field.inline === true);
  const parents = inline.map(({ type }) => `${reference(type, packageOf(name))} & `);
  const members = fields
    .filter((field) => field.inline !== true)
    .map((field) => {
      const member = IDENTIFIER.test(field.name) ? field.name : JSON.stringify(field.name);
      const mark = isObject && field.type === METADATA ? '' : '?';
      return `  ${member}${mark}: ${typeOf(field, name)};\n`;
    });
  return `export type ${shortName(name)} = ${parents.join('')}{\n${members.join('')}};\n`;
}

function typeOf(field: FieldSchema, messageName: string): string {
  const item = itemType(field, messageName);
  if (field.container === 'map') return `Record<string, ${item}>`;
  if (field.container === 'single') return item;
  return item.includes('|') ? `(${item})[]` : `${item}[]`;
}

function itemType({ name, type }: FieldSchema, messageName: string): string {
  const path = `${messageName}.${name}`;
  if (STRING_LIST_MAPS.has(path)) return 'RawJson';
  const variant = SCHEMA_VARIANTS.get(path);
  if (variant !== undefined) {
    const schema = reference(SCHEMA_MESSAGE, packageOf(messageName));
    const other = { list: `${schema}[]`, bool: 'boolean', strings: 'string[]' }[variant];
    return `${schema} | ${other}`;
  }
  if (type === METADATA) return 'ObjectMeta';
  return isMessageType(type)
    ? reference(type, packageOf(messageName))
    : (TYPE_OF_LEAF[type] ?? 'string');
}

/** A message as the files of a package call it: `PodSpec`, `core_v1.PodSpec` from without. */
function reference(fullName: string, from: string): string {
  const home = packageOf(fullName);
  const name = shortName(fullName);
  return home === from ? name : `${home.replace('.', '_')}.${name}`;
}

/** `core.v1` of `core.v1.Pod`. */
function packageOf(fullName: string): string {
  return fullName.split('.', 2).join('.');
}

/** `Pod` of `core.v1.Pod`; a message inside of another has the names of both. */
function shortName(fullName: string): string {
  return fullName.split('.').slice(2).join('');
}
