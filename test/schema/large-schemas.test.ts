// Schemas as wide and as deep as a definition may have them.
import t from 'tap';
import { model as MODEL } from '../codec/proto-model.ts';
import { applyDefaults, dropNulls } from '../../src/schema/defaults.ts';
import { EmbeddedResources } from '../../src/schema/embedded-metadata.ts';
import { schemaFieldTypes } from '../../src/schema/field-types.ts';
import { listErrors } from '../../src/schema/lists.ts';
import { prune } from '../../src/schema/prune.ts';
import { StructuralSchema, type SchemaJson } from '../../src/schema/structural-schema.ts';
import { parseUnstructured, unstructuredText } from '../../src/schema/unstructured.ts';
import { compileValueValidator } from '../../src/schema/validate.ts';
import { compareFields } from '../../src/semantics/fields/compare-fields.ts';
import { compileMessageFields } from '../../src/semantics/fields/field-types.ts';

const EMBEDDED = new EmbeddedResources(MODEL);
const OBJECT_META = compileMessageFields(MODEL, 'meta.v1.ObjectMeta');
const struct = (properties: SchemaJson, rest: SchemaJson = {}): SchemaJson => ({
  type: 'object',
  properties,
  ...rest,
});

/** All that is done with an object; the text of it, and what is wrong. */
function process(json: SchemaJson, text: string): { text: string; errors: string[] } {
  const schema = new StructuralSchema(json);
  const object = parseUnstructured(text) as Record<string, unknown>;
  prune(schema, object, () => undefined);
  dropNulls(schema, object);
  EMBEDDED.coerce(schema, object);
  applyDefaults(schema, object);
  compareFields(schemaFieldTypes(schema, OBJECT_META), {}, object);
  const errors = [
    ...compileValueValidator(schema)(object, ''),
    ...EMBEDDED.errors(schema, object),
    ...listErrors(schema, object),
  ];
  return {
    text: unstructuredText(object),
    errors: errors.map(({ field, message }) => `${field}: ${message}`),
  };
}

t.test('10,000 properties, all with defaults', async (t) => {
  const names = Array.from({ length: 10_000 }, (_, at) => `p${String(at).padStart(5, '0')}`);
  const properties = Object.fromEntries(
    names.map((name) => [name, { type: 'integer', default: 1, maximum: 5 }]),
  );
  const found = process(struct({ spec: struct(properties) }), '{"spec":{"p00001":7,"x":null}}');
  t.equal(found.text.length, names.length * 11 + 10);
  t.same(found.errors, [
    'spec.p00001: Invalid value: 7: spec.p00001 in body should be less than or equal to 5',
  ]);
});

t.test('1,000 deep', async (t) => {
  const tags = { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' };
  let schema = struct(
    { x: { type: 'integer', default: 1 }, tags },
    { 'x-kubernetes-embedded-resource': true },
  );
  let text = '{"apiVersion":"v1","kind":"K","y":1,"metadata":{"foo":1},"tags":["a","a"]}';
  let path = '';
  for (let depth = 0; depth < 1000; depth++) {
    schema = depth % 2 === 0 ? struct({ a: schema }) : { type: 'array', items: schema };
    text = depth % 2 === 0 ? `{"a":${text}}` : `[${text}]`;
    path += depth % 2 === 0 ? '[0]' : '.a';
  }
  const found = process(struct({ spec: schema }), `{"spec":${text}}`);
  t.ok(found.text.includes('"kind":"K","metadata":{},"tags":["a","a"],"x":1}'));
  t.same(found.errors, [`spec${path}.tags[1]: Duplicate value: "a"`]);
});

t.test('1,000 combinations in each other', async (t) => {
  let schema: SchemaJson = { minimum: 5 };
  for (let depth = 0; depth < 1000; depth++) schema = { allOf: [schema] };
  const found = process(struct({ spec: { type: 'integer', ...schema } }), '{"spec":3}');
  t.same(found.errors, [
    'spec: Invalid value: 3: spec in body should be greater than or equal to 5',
    '<nil>: Invalid value: "": "spec" must validate all the schemas (allOf). None validated',
  ]);
});
