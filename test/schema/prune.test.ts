// Objects keep the members that the schema knows, and those that it preserves.
import fc from 'fast-check';
import t from 'tap';
import { prune } from '../../src/schema/prune.ts';
import { StructuralSchema, type SchemaJson } from '../../src/schema/structural-schema.ts';
import { parseUnstructured, unstructuredText } from '../../src/schema/unstructured.ts';
import { OBJECTS, SCHEMAS } from '../support/schema-cases.ts';

const INTEGER = { type: 'integer' };
const PRESERVE = { 'x-kubernetes-preserve-unknown-fields': true };
const struct = (properties: SchemaJson, rest: SchemaJson = {}): SchemaJson => ({
  type: 'object',
  properties,
  ...rest,
});

function pruned(schema: SchemaJson, text: string): { text: string; unknown: string[] } {
  const object = parseUnstructured(text) as Record<string, unknown>;
  const unknown: string[] = [];
  prune(new StructuralSchema(schema), object, (path) => unknown.push(path));
  return { text: unstructuredText(object), unknown };
}

t.test('what goes, and how it is told', async (t) => {
  const spec = (below: SchemaJson): SchemaJson => struct({ spec: below });
  for (const [what, schema, text, left, unknown] of [
    [
      'metadata, apiVersion and kind of the object stay',
      struct({}),
      '{"apiVersion":"e.io/v1","kind":"A","metadata":{"name":"n","x":1},"spec":{"a":1},"zzz":1}',
      '{"apiVersion":"e.io/v1","kind":"A","metadata":{"name":"n","x":1}}',
      ['spec', 'zzz'],
    ],
    [
      'members that bear such names elsewhere are members',
      spec(struct({ kind: INTEGER })),
      '{"spec":{"kind":1,"metadata":{"a":1},"apiVersion":"v1"}}',
      '{"spec":{"kind":1}}',
      ['spec.apiVersion', 'spec.metadata'],
    ],
    [
      'lists, maps and what is in them',
      spec(
        struct({
          l: { type: 'array', items: struct({ x: INTEGER }) },
          m: { type: 'object', additionalProperties: struct({ x: INTEGER }) },
        }),
      ),
      '{"spec":{"b":1,"l":[{"x":1,"y":2},{"x":1,"z":{"q":1}}],"m":{"k":{"x":1,"y":3}}}}',
      '{"spec":{"l":[{"x":1},{"x":1}],"m":{"k":{"x":1}}}}',
      ['spec.b', 'spec.l[0].y', 'spec.l[1].z', 'spec.m.k.y'],
    ],
    [
      'paths come in the order of their text',
      struct({ l: { type: 'array', items: struct({}) } }),
      `{"z":1,"l":[${'{"a":1},'.repeat(3)}${'{},'.repeat(7)}{"b":1}]}`,
      `{"l":[${'{},'.repeat(10)}{}]}`,
      ['l[0].a', 'l[10].b', 'l[1].a', 'l[2].a', 'z'],
    ],
    [
      'members that are allowed without a schema of their own keep scalars only',
      spec({ type: 'object', additionalProperties: true }),
      '{"spec":{"p":{"q":1},"r":2,"l":[{"a":1},3,[{"b":1}]]}}',
      '{"spec":{"l":[{},3,[{}]],"p":{},"r":2}}',
      ['spec.l[0].a', 'spec.l[2][0].b', 'spec.p.q'],
    ],
    [
      'an embedded resource keeps its own',
      spec(struct({ spec: struct({}) }, { 'x-kubernetes-embedded-resource': true })),
      '{"spec":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"n"},"bar":1,"spec":{"a":1}}}',
      '{"spec":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"n"},"spec":{}}}',
      ['spec.bar', 'spec.spec.a'],
    ],
    [
      'what is preserved is preserved all the way down, but where a property says otherwise',
      spec(struct({ known: struct({ a: INTEGER }) }, PRESERVE)),
      '{"spec":{"x":{"y":[{"z":1}]},"known":{"a":1,"b":{"c":1}}}}',
      '{"spec":{"known":{"a":1},"x":{"y":[{"z":1}]}}}',
      ['spec.known.b'],
    ],
    [
      'a list that preserves keeps what its items are not known to have',
      spec({ type: 'array', items: struct({ a: struct({}) }), ...PRESERVE }),
      '{"spec":[{"a":{"b":1},"c":{"d":1}}]}',
      '{"spec":[{"a":{},"c":{"d":1}}]}',
      ['spec[0].a.b'],
    ],
    [
      'the whole object may be preserved',
      struct({ spec: struct({}) }, PRESERVE),
      '{"other":{"a":1},"spec":{"a":1}}',
      '{"other":{"a":1},"spec":{}}',
      ['spec.a'],
    ],
    [
      'a value of another type is not looked into',
      struct({ a: INTEGER, b: { type: 'string' }, c: { type: 'array', items: INTEGER } }),
      '{"a":{"x":1},"b":[{"y":1}],"c":{"z":1}}',
      '{"a":{},"b":[{}],"c":{}}',
      ['a.x', 'b[0].y', 'c.z'],
    ],
    [
      'names that objects have of themselves are names like others',
      spec(struct({ constructor: INTEGER })),
      '{"spec":{"constructor":1,"toString":2,"__proto__":{"a":1},"1":1}}',
      '{"spec":{"constructor":1}}',
      ['spec.1', 'spec.__proto__', 'spec.toString'],
    ],
  ] as const) {
    const found = pruned(schema, text);
    t.equal(found.text, left, what);
    t.same(found.unknown, unknown, what);
  }
});

t.test('what is pruned has nothing more to prune', async () => {
  fc.assert(
    fc.property(SCHEMAS, OBJECTS, (schema, object) => {
      const once = pruned(schema, unstructuredText(object));
      const twice = pruned(schema, once.text);
      return twice.text === once.text && twice.unknown.length === 0;
    }),
  );
});

t.test('schemas and objects as deep as bodies may be', async (t) => {
  let schema: SchemaJson = struct({});
  let text = '{"x":1}';
  for (let depth = 0; depth < 1000; depth++) {
    schema = depth % 2 === 0 ? struct({ a: schema }) : { type: 'array', items: schema };
    text = depth % 2 === 0 ? `{"a":${text}}` : `[${text}]`;
  }
  const found = pruned(struct({ spec: schema }), `{"spec":${text}}`);
  t.equal(found.text, `{"spec":${text.replace('"x":1', '')}}`);
  t.same(found.unknown, [`spec${'[0].a'.repeat(500)}.x`]);
});
