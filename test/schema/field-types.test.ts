// The fields of custom resources as owners of fields see them.
import t from 'tap';
import { model as MODEL } from '../codec/proto-model.ts';
import { schemaFieldTypes } from '../../src/schema/field-types.ts';
import { StructuralSchema, type SchemaJson } from '../../src/schema/structural-schema.ts';
import { parseUnstructured } from '../../src/schema/unstructured.ts';
import { checkDocument } from '../../src/semantics/fields/check-document.ts';
import { compareFields } from '../../src/semantics/fields/compare-fields.ts';
import { fieldsV1Text } from '../../src/semantics/fields/field-set-text.ts';
import {
  compileMessageFields,
  type FieldType,
  type PlainStruct,
} from '../../src/semantics/fields/field-types.ts';
import { mergeDocuments } from '../../src/semantics/fields/merge-documents.ts';
import { fieldSetOf, removeFields } from '../../src/semantics/fields/typed-document.ts';

const OBJECT_META = compileMessageFields(MODEL, 'meta.v1.ObjectMeta');
const STRING = { type: 'string' };
const INTEGER = { type: 'integer' };
const PRESERVE = { 'x-kubernetes-preserve-unknown-fields': true };
const struct = (properties: SchemaJson, rest: SchemaJson = {}): SchemaJson => ({
  type: 'object',
  properties,
  ...rest,
});
const listOf = (items: SchemaJson, rest: SchemaJson = {}): SchemaJson => ({
  type: 'array',
  items,
  ...rest,
});
const keyed = (items: SchemaJson, ...keys: string[]): SchemaJson =>
  listOf(items, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys });

function typeOf(spec: SchemaJson): PlainStruct {
  return schemaFieldTypes(new StructuralSchema(struct({ spec })), OBJECT_META);
}

type Document = Record<string, unknown>;
const read = (spec: string): Document => parseUnstructured(`{"spec":${spec}}`) as Document;

function typeText(type: FieldType): string {
  switch (type.kind) {
    case 'scalar':
      return type.leaf;
    case 'untyped':
      return 'untyped';
    case 'struct':
      return `${type.isAtomic ? 'atomic ' : ''}${type.isPlain && type.isOpen ? 'open ' : ''}struct`;
    case 'map':
      return `${type.isAtomic ? 'atomic ' : ''}map of ${typeText(type.item)}`;
    case 'list': {
      const keys = type.keys.length === 0 ? '' : ` by ${type.keys.join(', ')}`;
      return `${type.relation}${keys} of ${typeText(type.item)}`;
    }
  }
}

t.test('types', async (t) => {
  for (const [schema, text] of [
    [STRING, 'string'],
    [{ type: 'string', format: 'date-time' }, 'string'],
    [INTEGER, 'double'],
    [{ type: 'number' }, 'double'],
    [{ type: 'boolean' }, 'bool'],
    [{ 'x-kubernetes-int-or-string': true }, 'untyped'],
    [PRESERVE, 'untyped'],
    [{ type: 'object' }, 'map of untyped'],
    [{ type: 'object', ...PRESERVE }, 'map of untyped'],
    [{ type: 'object', additionalProperties: STRING }, 'map of string'],
    [{ type: 'object', additionalProperties: true }, 'map of untyped'],
    [{ type: 'object', 'x-kubernetes-map-type': 'atomic' }, 'atomic map of untyped'],
    [struct({}), 'map of untyped'],
    [struct({ a: STRING }), 'struct'],
    [struct({ a: STRING }, PRESERVE), 'open struct'],
    [{ properties: { a: STRING }, ...PRESERVE }, 'open struct'],
    [struct({ a: STRING }, { 'x-kubernetes-map-type': 'atomic' }), 'atomic struct'],
    [{ type: 'object', 'x-kubernetes-embedded-resource': true }, 'struct'],
    [listOf(STRING), 'atomic of string'],
    [listOf(STRING, { 'x-kubernetes-list-type': 'set' }), 'set of string'],
    [keyed(struct({ a: STRING, b: STRING }), 'b', 'a'), 'map by b, a of struct'],
  ] as const) {
    t.equal(typeText(typeOf(schema).field('spec')?.type as FieldType), text);
  }
});

t.test('what is preserved is open in all structs below', async (t) => {
  const type = typeOf(struct({ a: struct({ b: listOf(struct({ c: STRING })) }) }, PRESERVE));
  const spec = type.field('spec')?.type as PlainStruct;
  const a = spec.field('a')?.type as PlainStruct;
  t.equal(typeText(a), 'open struct');
  t.equal(typeText(a.field('b')?.type as FieldType), 'atomic of open struct');
  t.equal(typeText(type), 'struct');
});

t.test('every object has its metadata, apiVersion and kind', async (t) => {
  const type = typeOf({ type: 'object', 'x-kubernetes-embedded-resource': true });
  for (const one of [type, type.field('spec')?.type as PlainStruct]) {
    t.match(one.field('metadata')?.type, { kind: 'struct', isPlain: one !== type });
    t.equal(typeText(one.field('kind')?.type as FieldType), 'string');
    t.equal(typeText(one.field('apiVersion')?.type as FieldType), 'string');
    t.equal(one.field('status'), undefined);
  }
});

const TYPE = typeOf(
  struct({
    a: STRING,
    n: { ...INTEGER, nullable: true },
    s: struct({ x: INTEGER, y: struct({ z: INTEGER }) }),
    open: struct({ known: struct({ x: INTEGER }) }, PRESERVE),
    set: listOf({ type: 'integer' }, { 'x-kubernetes-list-type': 'set' }),
    ports: keyed(
      struct({ port: INTEGER, protocol: { ...STRING, default: 'TCP' }, name: STRING }),
      'port',
      'protocol',
    ),
    atoms: struct({ p: struct({ q: INTEGER }) }, { 'x-kubernetes-map-type': 'atomic' }),
    constructor: INTEGER,
  }),
);

t.test('what a write changes', async (t) => {
  for (const [what, before, after, changed, removed] of [
    ['nothing', '{"a":"x"}', '{"a":"x"}', '{}', '{}'],
    ['zero is not absent', '{}', '{"s":{"x":0}}', '{"f:s":{".":{},"f:x":{}}}', '{}'],
    ['null is not absent', '{}', '{"n":null}', '{"f:n":{}}', '{}'],
    ['null is not zero', '{"n":0}', '{"n":null}', '{"f:n":{}}', '{}'],
    ['null goes', '{"n":null}', '{}', '{}', '{"f:n":{}}'],
    ['an empty struct', '{}', '{"s":{}}', '{"f:s":{}}', '{}'],
    ['one becomes empty', '{"s":{"x":1}}', '{"s":{}}', '{}', '{"f:s":{"f:x":{}}}'],
    [
      'what is not declared, where it may be',
      '{"open":{"l":[1],"m":{"a":1}}}',
      '{"open":{"l":[2],"m":{"a":1,"b":2},"known":{"x":1}}}',
      '{"f:open":{"f:known":{".":{},"f:x":{}},"f:l":{},"f:m":{"f:b":{}}}}',
      '{}',
    ],
    [
      'items by their keys, which have defaults',
      '{"ports":[{"port":80},{"port":81,"name":"a"}]}',
      '{"ports":[{"port":81,"name":"b","protocol":"TCP"},{"port":80,"protocol":"UDP"}]}',
      '{"f:ports":{"k:{\\"port\\":80,\\"protocol\\":\\"UDP\\"}":{".":{},"f:port":{},"f:protocol":{}},"k:{\\"port\\":81,\\"protocol\\":\\"TCP\\"}":{"f:name":{},"f:protocol":{}}}}',
      '{"f:ports":{"k:{\\"port\\":80,\\"protocol\\":\\"TCP\\"}":{".":{},"f:port":{}}}}',
    ],
    [
      'items of sets, large ones too',
      '{"set":[9007199254740993,1,10]}',
      '{"set":[2,9007199254740993,9007199254740994]}',
      '{"f:set":{"v:2":{},"v:9007199254740994":{}}}',
      '{"f:set":{"v:1":{},"v:10":{}}}',
    ],
    [
      'an atomic struct is one leaf',
      '{"atoms":{"p":{"q":1}}}',
      '{"atoms":{"p":{}}}',
      '{"f:atoms":{}}',
      '{}',
    ],
    [
      'names that objects have of themselves',
      '{}',
      '{"constructor":1}',
      '{"f:constructor":{}}',
      '{}',
    ],
  ] as const) {
    const found = compareFields(TYPE, read(before), read(after));
    const inSpec = (text: string): string => (text === '{}' ? '{}' : `{"f:spec":${text}}`);
    t.equal(fieldsV1Text(found.changed), inSpec(changed), what);
    t.equal(fieldsV1Text(found.removed), inSpec(removed), what);
  }
});

t.test('objects with the same members have the same fields, with others their own', async (t) => {
  const type = typeOf({
    type: 'object',
    properties: Object.fromEntries(
      ['e', 'd', 'c', 'b', 'a'].map((name) => [name, { type: 'string' }]),
    ),
    'x-kubernetes-preserve-unknown-fields': true,
  });
  const whole = '{".":{},"f:a":{},"f:b":{},"f:c":{},"f:d":{},"f:e":{}}';
  for (const [spec, fields] of [
    ['{"e":"","d":"","c":"","b":"","a":""}', whole],
    ['{"e":"x","d":null,"c":"","b":"","a":""}', whole],
    ['{"a":"","b":"","c":"","d":"","e":""}', whole],
    ['{"e":"","d":"","c":"","b":""}', '{".":{},"f:b":{},"f:c":{},"f:d":{},"f:e":{}}'],
    ['{"e":"","x":{"y":1}}', '{".":{},"f:e":{},"f:x":{".":{},"f:y":{}}}'],
    ['{"e":"","x":1}', '{".":{},"f:e":{},"f:x":{}}'],
  ] as const) {
    const { changed } = compareFields(type, {}, { spec: JSON.parse(spec) as object });
    t.equal(fieldsV1Text(changed), `{"f:spec":${fields}}`, spec);
  }
});

t.test('the metadata of an object is compared as that of any other', async (t) => {
  const before = { metadata: { name: 'a', labels: { a: 'b' }, generation: 0 } };
  const after = { metadata: { name: 'a', labels: { a: 'c' } } };
  const { changed, removed } = compareFields(TYPE, before, after);
  t.equal(fieldsV1Text(changed), '{"f:metadata":{"f:labels":{"f:a":{}}}}');
  t.equal(fieldsV1Text(removed), '{}');
});

t.test('metadata of a resource in it is compared as it is', async (t) => {
  const type = typeOf({ type: 'object', 'x-kubernetes-embedded-resource': true });
  const metadata = { labels: { a: 'b' }, ownerReferences: [{ uid: 'u', name: '' }] };
  const { changed } = compareFields(type, { spec: {} }, { spec: { metadata } });
  t.equal(
    fieldsV1Text(changed),
    '{"f:spec":{"f:metadata":{".":{},"f:labels":{".":{},"f:a":{}},"f:ownerReferences":{".":{},"k:{\\"uid\\":\\"u\\"}":{}}}}}',
  );
});

t.test('what a config mentions', async (t) => {
  for (const [config, fields] of [
    ['{"a":"x","n":null,"s":{}}', '{"f:a":{},"f:n":{},"f:s":{}}'],
    ['{"s":{"y":{"z":0}}}', '{"f:s":{"f:y":{"f:z":{}}}}'],
    [
      '{"open":{"known":{"x":1},"other":{"a":[1],"b":{}}}}',
      '{"f:open":{"f:known":{"f:x":{}},"f:other":{".":{},"f:a":{},"f:b":{}}}}',
    ],
    [
      '{"ports":[{"port":1}]}',
      '{"f:ports":{"k:{\\"port\\":1,\\"protocol\\":\\"TCP\\"}":{".":{},"f:port":{}}}}',
    ],
    ['{"atoms":{"p":{"q":1}}}', '{"f:atoms":{}}'],
  ] as const) {
    t.equal(fieldsV1Text(fieldSetOf(TYPE, read(config))), `{"f:spec":${fields}}`, config);
  }
});

t.test('a config that does not fit', async (t) => {
  for (const [config, problem] of [
    ['{"b":1}', '.spec.b: field not declared in schema'],
    ['{"open":{"known":{"y":1}}}', undefined],
    ['{"a":1}', '.spec.a: expected string, got &value.valueUnstructured{Value:1}'],
    ['{"n":"x"}', '.spec.n: expected numeric (int or float), got string'],
    [
      '{"ports":[{"name":"x"}]}',
      '.spec.ports: element 0: associative list with keys has an element that omits key field "port" (and doesn\'t have default value)',
    ],
  ] as const) {
    if (problem === undefined) t.doesNotThrow(() => checkDocument(TYPE, read(config)));
    else t.throws(() => checkDocument(TYPE, read(config)), { message: problem });
  }
});

t.test('a config is laid over an object, and fields are taken away', async (t) => {
  const live = read('{"a":"x","ports":[{"port":1,"name":"a"}],"open":{"m":{"a":1}}}');
  const config = read('{"ports":[{"port":1,"protocol":"TCP"}],"open":{"m":{"b":2}}}');
  const merged = mergeDocuments(TYPE, live, config);
  t.same(merged, {
    spec: {
      a: 'x',
      ports: [{ port: 1, name: 'a', protocol: 'TCP' }],
      open: { m: { a: 1, b: 2 } },
    },
  });
  t.same(removeFields(TYPE, merged, fieldSetOf(TYPE, config)), {
    spec: { a: 'x', open: null, ports: null },
  });
});
