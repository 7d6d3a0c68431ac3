import fc from 'fast-check';
import t from 'tap';
import { metadataMember } from '../../src/codec/json/object-metadata.ts';
import { decodeUtf8 } from '../../src/codec/text-body.ts';

/** The members of an object, without its first brace. */
function members(metadata: unknown, others: object): Uint8Array {
  return new Uint8Array(Buffer.from(JSON.stringify({ metadata, ...others }).slice(1)));
}

const METADATA: Record<string, unknown> = {
  'nothing in it': {},
  'plain members': { name: 'a', resourceVersion: '7', generation: 3 },
  'maps and lists': { labels: { a: 'b' }, finalizers: ['x/y'], managedFields: [{ v: { a: {} } }] },
  'braces in strings': { annotations: { '}}{': '{"a":{}', '"}': '}"}' } },
  'backslashes before quotes': { annotations: { a: 'x\\', b: '\\"}', c: '\\\\"}\\' } },
  'characters of several bytes': { annotations: { '\u00e9': '\u20ac\ud83d\ude00}' } },
};

t.test('the metadata are found whatever follows them', async (t) => {
  for (const [what, metadata] of Object.entries(METADATA)) {
    for (const others of [{}, { data: { metadata: '{}' } }, { spec: { metadata } }]) {
      const text = decodeUtf8(metadataMember(members(metadata, others)));
      t.equal(text, `"metadata":${JSON.stringify(metadata)}`, what);
    }
  }
});

/** Shapes that owners of fields have: objects and strings, and no other list. */
const OWNED = [
  null,
  [],
  [{ manager: 'a', fieldsV1: { 'f:spec': {} } }],
  [{ fieldsV1: { 'f:}]},': {}, 'k:{"a":[{}]},"spec":{}}': { '.': {} } } }, { manager: '}]},' }],
  [{ fieldsV1: { 'v:["]}"]': {}, 'f:\u20ac\\': {}, 'f:}]},"b': {} }, subresource: '}]},"c' }],
];

t.test('who owns fields is stepped over, whatever their names are', async (t) => {
  for (const managedFields of OWNED) {
    for (const others of [{}, { spec: {} }, { Spec: { a: { b: [{}] }, c: 1 } }]) {
      const metadata = { name: 'a', labels: { managedFields: '[' }, managedFields };
      for (const all of [metadata, { ...metadata, zone: '}],"z' }]) {
        const text = decodeUtf8(metadataMember(members(all, others)));
        t.equal(text, `"metadata":${JSON.stringify(all)}`);
      }
    }
  }
});

t.test('any owners of any fields', async () => {
  const name = fc.oneof(fc.string(), fc.constantFrom('}]},', '}]},"a', ']', '"', '\\'));
  const owner = fc.record({ manager: name, fieldsV1: fc.dictionary(name, fc.constant({})) });
  fc.assert(
    fc.property(fc.array(owner, { minLength: 1 }), name, (managedFields, text) => {
      const found = decodeUtf8(metadataMember(members({ managedFields }, { spec: { text } })));
      return found === `"metadata":${JSON.stringify({ managedFields })}`;
    }),
    { seed: 1 },
  );
});

t.test('any metadata, before any spec', async () => {
  const member = fc.jsonValue({ stringUnit: 'binary' });
  fc.assert(
    fc.property(fc.dictionary(fc.string(), member), member, (metadata, spec) => {
      const found = decodeUtf8(metadataMember(members(metadata, { spec })));
      return found === `"metadata":${JSON.stringify(metadata)}`;
    }),
    { seed: 1 },
  );
});

t.test('the result is a view, not a copy', async (t) => {
  const bytes = members({ name: 'a' }, {});
  t.equal(metadataMember(bytes).buffer, bytes.buffer);
});

t.test('what does not begin with metadata, or does not end them, is a bug', async (t) => {
  t.throws(() => metadataMember(Buffer.from('"data":{},"metadata":{}}')), /do not begin/);
  t.throws(() => metadataMember(Buffer.from('"metadata":{"name":"a')), /does not end/);
});
