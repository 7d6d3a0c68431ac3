import fc from 'fast-check';
import t from 'tap';
import { metadataMember } from '../../src/codec/object-metadata.ts';
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
