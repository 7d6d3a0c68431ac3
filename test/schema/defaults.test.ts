// Objects get defaults that nobody wrote, and lose nulls that their schema does not allow.
import fc from 'fast-check';
import t from 'tap';
import { applyDefaults, dropNulls } from '../../src/schema/defaults.ts';
import { StructuralSchema, type SchemaJson } from '../../src/schema/structural-schema.ts';
import { parseUnstructured, unstructuredText } from '../../src/schema/unstructured.ts';
import { OBJECTS, SCHEMAS } from '../support/schema-cases.ts';

const struct = (properties: SchemaJson): SchemaJson => ({ type: 'object', properties });
const string = (rest: SchemaJson = {}): SchemaJson => ({ type: 'string', ...rest });

/** As a request is read: nulls go first. */
function defaulted(schema: SchemaJson, text: string): string {
  const object = parseUnstructured(text) as Record<string, unknown>;
  const read = new StructuralSchema(schema);
  dropNulls(read, object);
  applyDefaults(read, object);
  return unstructuredText(object);
}

t.test('what is set', async (t) => {
  for (const [what, schema, text, expected] of [
    ['an absent member', struct({ a: string({ default: 'x' }) }), '{}', '{"a":"x"}'],
    ['not one that is there', struct({ a: string({ default: 'x' }) }), '{"a":""}', '{"a":""}'],
    ['null in place of it', struct({ a: string({ default: 'x' }) }), '{"a":null}', '{"a":"x"}'],
    [
      'null stays where it is allowed',
      struct({ a: string({ default: 'x', nullable: true }), b: string({ nullable: true }) }),
      '{"a":null,"b":null}',
      '{"a":null,"b":null}',
    ],
    ['null goes where it is not allowed', struct({ a: string() }), '{"a":null}', '{}'],
    ['null without a schema stays', struct({}), '{"a":null}', '{"a":null}'],
    ['a default that is null is none', struct({ a: string({ default: null }) }), '{}', '{}'],
    [
      'members below what is there, but nothing below what is not',
      struct({
        a: struct({ b: string({ default: 'x' }) }),
        c: struct({ d: string({ default: 'y' }) }),
      }),
      '{"a":{}}',
      '{"a":{"b":"x"}}',
    ],
    [
      'members below a default',
      struct({
        a: { ...struct({ b: string({ default: 'x' }), c: string() }), default: { c: 'y' } },
      }),
      '{}',
      '{"a":{"b":"x","c":"y"}}',
    ],
    [
      'items and members of maps that are there',
      struct({
        l: { type: 'array', items: struct({ b: string({ default: 'x' }) }) },
        m: { type: 'object', additionalProperties: struct({ b: string({ default: 'y' }) }) },
      }),
      '{"l":[{},{"b":"z"}],"m":{"k":{}}}',
      '{"l":[{"b":"x"},{"b":"z"}],"m":{"k":{"b":"y"}}}',
    ],
    [
      'null as an item and as a member of a map',
      struct({
        l: { type: 'array', items: string({ default: 'x' }) },
        m: { type: 'object', additionalProperties: string({ default: 'y' }) },
        n: { type: 'array', items: string() },
        o: { type: 'object', additionalProperties: string() },
        p: { type: 'array', items: string({ nullable: true, default: 'z' }) },
      }),
      '{"l":[null],"m":{"k":null},"n":[null],"o":{"k":null},"p":[null]}',
      '{"l":["x"],"m":{"k":"y"},"n":[null],"o":{},"p":[null]}',
    ],
    [
      'names that objects have of themselves',
      struct({ constructor: string({ default: 'x' }), ['__proto__']: string({ default: 'y' }) }),
      '{}',
      '{"__proto__":"y","constructor":"x"}',
    ],
    [
      'not what every object has',
      struct({ kind: string({ default: 'x' }), a: struct({ kind: string({ default: 'y' }) }) }),
      '{"a":{}}',
      '{"a":{"kind":"y"}}',
    ],
  ] as const) {
    t.equal(defaulted(schema, text), expected, what);
  }
});

t.test('a default is copied', async (t) => {
  const schema = new StructuralSchema(
    struct({ a: { type: 'array', items: { type: 'integer' }, default: [1] } }),
  );
  const first: Record<string, unknown> = {};
  applyDefaults(schema, first);
  (first['a'] as number[]).push(2);
  const second: Record<string, unknown> = {};
  applyDefaults(schema, second);
  t.same(second, { a: [1] });
});

t.test('what has its defaults gets no more of them', async () => {
  fc.assert(
    fc.property(SCHEMAS, OBJECTS, (schema, object) => {
      const once = defaulted(schema, unstructuredText(object));
      return defaulted(schema, once) === once;
    }),
  );
});
