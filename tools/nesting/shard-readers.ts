/** Whole kinds: documents with a text at some place, sent through all verbs and forms. */
import { join } from 'node:path';
import { loadSchemaModel } from '../../src/codec/model/proto-schema.ts';
import { wrapProtobuf } from '../../src/codec/protobuf/protobuf-envelope.ts';
import { CONTROLLER_REVISION } from '../../src/resources/apps/controller-revision.ts';
import { CONFIG_MAP } from '../../src/resources/core/config-map.ts';
import { DEFAULT_GATES } from '../../src/release/own-gates.ts';
import type { BuiltInKind } from '../../src/resources/kind.ts';
import { KINDS } from '../../src/resources/registry.ts';
import { DecodeError } from '../../src/codec/json/go-errors.ts';
import { compileJsonCodec } from '../../src/codec/json/json-codec.ts';
import { SCHEMA_MESSAGE } from '../../src/codec/model/schema-model.ts';
import { compileValidators } from '../../src/semantics/validation/validator-compiler.ts';
import { builtInType } from '../../src/types/built-in/built-in-type.ts';
import { customType } from '../../src/types/custom/custom-type.ts';
import { NO_PLACES } from '../../src/types/custom/custom-type-facts.ts';
import type { ResourceType } from '../../src/types/resource-type.ts';
import { definitionOf, versionFacts } from '../../test/support/custom-facts.ts';
import { readProtoFolder } from '../read-proto.ts';
import { ReadingShard } from './reading-shard.ts';
import type { Reader } from './reader.ts';
import type { FormatName } from './texts.ts';

export const model = loadSchemaModel(readProtoFolder(join(import.meta.dirname, '../../proto')));
const DEFINITION = KINDS.find(({ kind }) => kind === 'CustomResourceDefinition') as BuiltInKind;
const BUILT_IN = [CONFIG_MAP, CONTROLLER_REVISION, DEFINITION];
const validators = compileValidators(
  model,
  BUILT_IN.map(({ message }) => message),
);

function builtIn(kind: BuiltInKind): () => ResourceType {
  return () => builtInType(kind, model, validators);
}

const COLUMNS = ['.spec', '.spec..a', '.spec.a.a[0]', '.metadata.creationTimestamp'];

function custom(kind: string, schemaText: string): () => ResourceType {
  const columns = COLUMNS.map((jsonPath, at) => {
    return { name: `c${at}`, type: 'string', format: '', description: '', priority: 0, jsonPath };
  });
  const version = versionFacts('v1', { schemaText, columns, hasStatus: true });
  const definition = definitionOf(kind, { versions: [version] });
  const callWebhook = async (): Promise<never> => {
    throw new Error('there are no webhooks');
  };
  const parts = { model, gates: DEFAULT_GATES, callWebhook };
  return () => customType({ definition, ...NO_PLACES }, parts);
}

const ANYTHING = '{"type":"object","x-kubernetes-preserve-unknown-fields":true}';
const TYPED =
  `{"type":"object","properties":{"spec":{"type":"object","additionalProperties":${ANYTHING}},` +
  `"list":{"type":"array","items":{"type":"array","items":${ANYTHING}}},` +
  '"set":{"type":"array","x-kubernetes-list-type":"set","items":' +
  `{"x-kubernetes-map-type":"atomic",${ANYTHING.slice(1)}},` +
  '"known":{"type":"object","properties":{"a":{"type":"string","default":"b"}}}}}';

/** The document around the text, which may stand in it more than once. */
type Around = readonly string[];

/** The members on the way to the text are those of `path`. */
function reader(
  what: string,
  format: FormatName,
  kind: () => ResourceType,
  path: readonly string[],
  around: Around,
): Reader {
  let type: ResourceType | undefined;
  const name = /"metadata":\{"name":"([^"]*)"/.exec(around[0] ?? '')?.[1] ?? '';
  const pointer = `/${path.join('/')}`;
  const start = path.map((member) => `{${JSON.stringify(member)}:`).join('');
  return {
    name: what,
    format,
    read: (text) => {
      const shard = new ReadingShard((type ??= kind()), name);
      const value = `"path":"${pointer}","value":${text}`;
      const copy = `{"op":"copy","from":"${pointer}","path":"/metadata/x"}`;
      const operations = `[{"op":"add",${value}},{"op":"test",${value}},${copy}]`;
      const merge = `${start}${text}${'}'.repeat(path.length)}`;
      return shard.send(around.join(text), merge, operations);
    },
  };
}

function document(apiVersion: string, kind: string, rest: string): Around {
  const text = `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{"name":"a"${rest}`;
  return text.split('@');
}

const OWNERS =
  ',"managedFields":[{"manager":"m","operation":"Apply","apiVersion":"v1",' +
  '"fieldsType":"FieldsV1","fieldsV1":@}]}}';
const APPLIED = ',"annotations":{"client.cluster.io/last-applied-configuration":@}}}';

function definition(schema: string): Around {
  const text =
    '{"apiVersion":"apiextensions.cluster.io/v1","kind":"CustomResourceDefinition",' +
    '"metadata":{"name":"as.example.com"},"spec":{"group":"example.com","scope":"Namespaced",' +
    '"names":{"plural":"as","kind":"A"},"versions":[{"name":"v1","served":true,"storage":true,' +
    `"schema":{"openAPIV3Schema":${schema}}}]}}`;
  return text.split('@');
}

const SCHEMA_PATH = ['spec', 'versions', '0', 'schema', 'openAPIV3Schema', 'properties', 'a'];

/** Reads the text within a string, with its quotes. */
function quoted(one: Reader): Reader {
  return { ...one, read: (text) => one.read(JSON.stringify(text)) };
}

/** Objects whose type has a schema with the text in it. */
function underSchema(name: string, format: FormatName, schemaOf: (text: string) => string): Reader {
  return {
    name,
    format,
    read: async (text) => {
      const schema = `{"type":"object","properties":{"a":${schemaOf(text)}}}`;
      if (!isSchema(schema)) return 'no schema';
      const shard = new ReadingShard(thing(schema)(), 'a');
      const around = ofThing('},"a":@}');
      const outcomes: string[] = [];
      for (const value of VALUES) {
        const operations = `[{"op":"add","path":"/a","value":${value}}]`;
        outcomes.push(await shard.send(around.join(value), `{"a":${value}}`, operations));
      }
      return outcomes.join(' / ');
    },
  };
}

const schemas = compileJsonCodec(model, SCHEMA_MESSAGE);

/** Whether a definition may have it: others are refused. */
export function isSchema(text: string): boolean {
  try {
    schemas.decode(text);
    return true;
  } catch (error) {
    if (error instanceof DecodeError) return false;
    throw error;
  }
}

const VALUES = [
  '{}',
  `${'{"a":'.repeat(3_190)}{}${'}'.repeat(3_190)}`,
  `${'['.repeat(3_190)}{}${']'.repeat(3_190)}`,
];

/** Bodies in YAML, which are only created and applied. */
function bodies(
  name: string,
  format: FormatName,
  kind: () => ResourceType,
  apiVersion: string,
): Reader {
  let type: ResourceType | undefined;
  return {
    name,
    format,
    read: (text) => {
      type ??= kind();
      const shard = new ReadingShard(type, 'a');
      const head = `apiVersion: ${apiVersion}\nkind: ${type.definition.kind}\nmetadata: {name: a}`;
      return shard.sendAs('yaml', Buffer.from(`${head}\nspec:\n${text.replace(/^/gm, ' ')}`));
    },
  };
}

const thing = (schema: string): (() => ResourceType) => custom('Thing', schema);
const ofThing = (rest: string): Around => document('example.com/v1', 'Thing', rest);
const ofConfigMap = (rest: string): Around => document('v1', 'ConfigMap', rest);
const configMap = builtIn(CONFIG_MAP);
const crd = builtIn(DEFINITION);

export const SHARD_READERS: readonly Reader[] = [
  reader('unknown members', 'json', configMap, ['x'], ofConfigMap('},"x":@}')),
  reader('members of another type', 'json', configMap, ['data'], ofConfigMap('},"data":@}')),
  reader('labels', 'members', configMap, ['metadata', 'labels'], ofConfigMap(',"labels":@}}')),
  reader(
    'owners of fields',
    'fields',
    configMap,
    ['metadata', 'managedFields'],
    ofConfigMap(OWNERS),
  ),
  quoted(
    reader(
      'what was applied',
      'json',
      configMap,
      ['metadata', 'annotations', 'client.cluster.io~1last-applied-configuration'],
      ofConfigMap(APPLIED),
    ),
  ),
  reader(
    'raw data',
    'json',
    builtIn(CONTROLLER_REVISION),
    ['data'],
    document('apps/v1', 'ControllerRevision', '},"revision":1,"data":@}'),
  ),
  reader('anything', 'json', thing(ANYTHING), ['spec'], ofThing('},"spec":@}')),
  reader('known members', 'json', thing(TYPED), ['spec', 'a'], ofThing('},"spec":{"a":@}}')),
  reader('lists', 'json', thing(TYPED), ['list'], ofThing('},"list":@}')),
  reader('items of sets', 'members', thing(TYPED), ['set', '0'], ofThing('},"set":[@,1,@,@]}')),
  reader('dropped members', 'members', thing(TYPED), ['known'], ofThing('},"known":@}')),
  reader('owners in a thing', 'fields', thing(ANYTHING), ['metadata'], ofThing(OWNERS)),
  reader(
    'schemas',
    'schema',
    crd,
    SCHEMA_PATH,
    definition('{"type":"object","properties":{"a":@}}'),
  ),
  reader(
    'restrictions in schemas',
    'restrictions',
    crd,
    [...SCHEMA_PATH, 'not'],
    definition('{"type":"object","properties":{"a":{"type":"object","not":@}}}'),
  ),
  reader(
    'defaults in schemas',
    'json',
    crd,
    [...SCHEMA_PATH, 'default', 'b'],
    definition(`{"type":"object","properties":{"a":{"default":{"b":@},${ANYTHING.slice(1)}}}`),
  ),
  underSchema('objects under schemas', 'schema', (text) => text),
  underSchema('objects under restrictions', 'restrictions', (text) => {
    return `{"type":"object","x-kubernetes-preserve-unknown-fields":true,"not":${text}}`;
  }),
  bodies('YAML of a ConfigMap', 'yaml', configMap, 'v1'),
  bodies('YAML of a thing', 'yamlLines', thing(ANYTHING), 'example.com/v1'),
];

/** A definition in whose schema fields stand in each other, each with the number of a character. */
function binaryDefinition(fields: string): Uint8Array {
  // From the inside out, and put together once.
  const heads: Buffer[] = [];
  let length = 0;
  for (let at = fields.length - 1; at >= 0; at -= 1) {
    const head = Buffer.concat([varint(fields.charCodeAt(at) * 8 + 2), varint(length)]);
    heads.push(head);
    length += head.length;
  }
  const schema = Buffer.concat(heads.toReversed());
  const version = Buffer.concat([
    text(1, 'v1'),
    Buffer.from([16, 1, 24, 1]),
    field(4, field(1, schema)),
  ]);
  const spec = Buffer.concat([
    text(1, 'example.com'),
    NAMES,
    text(4, 'Cluster'),
    field(7, version),
  ]);
  const raw = Buffer.concat([field(1, text(1, 'as.example.com')), field(2, spec)]);
  const type = { apiVersion: 'apiextensions.cluster.io/v1', kind: 'CustomResourceDefinition' };
  return wrapProtobuf({ ...type, raw });
}

const NAMES = field(3, Buffer.concat([text(1, 'as'), text(4, 'A')]));

function field(number: number, content: Uint8Array): Buffer {
  return Buffer.concat([varint(number * 8 + 2), varint(content.length), content]);
}

function text(number: number, content: string): Buffer {
  return field(number, Buffer.from(content));
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Buffer.from([...bytes, rest]);
}

/** Groups in each other, of a number that no message has. */
function groups(depth: number): Uint8Array {
  const type = { apiVersion: 'v1', kind: 'ConfigMap' };
  const open = varint(1_000 * 8 + 3);
  const close = varint(1_000 * 8 + 4);
  const raw = Buffer.concat([
    ...Array.from({ length: depth }, () => open),
    ...Array.from({ length: depth }, () => close),
  ]);
  return wrapProtobuf({ ...type, raw });
}

function binary(
  what: string,
  kind: () => ResourceType,
  name: string,
  bodyOf: (text: string) => Uint8Array,
): Reader {
  let type: ResourceType | undefined;
  return {
    name: what,
    format: 'binary',
    read: (text) => {
      const shard = new ReadingShard((type ??= kind()), name);
      return shard.sendAs('protobuf', bodyOf(text));
    },
  };
}

export const BINARY_READERS: readonly Reader[] = [
  binary('definitions in protobuf', crd, 'as.example.com', binaryDefinition),
  binary('groups in protobuf', configMap, 'a', ({ length }) => groups(length)),
];
