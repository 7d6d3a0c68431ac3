import fc from 'fast-check';
import t from 'tap';
import { JsonIndenter } from '../../src/codec/json/json-indent.ts';

/** Feeds the text in chunks of the given length. */
function indent(text: string, chunkLength = Infinity): string {
  const bytes = new TextEncoder().encode(text);
  const indenter = new JsonIndenter();
  const parts: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += chunkLength) {
    parts.push(indenter.push(bytes.subarray(start, Math.min(start + chunkLength, bytes.length))));
  }
  return Buffer.concat(parts).toString();
}

t.test('objects, arrays and empty ones', async (t) => {
  const compact = '{"a":{},"b":[],"c":[1,{"d":null},[[]]],"e":"x"}\n';
  const expected = `{
  "a": {},
  "b": [],
  "c": [
    1,
    {
      "d": null
    },
    [
      []
    ]
  ],
  "e": "x"
}`;
  t.equal(indent(compact), expected);
  t.equal(indent(compact, 1), expected, 'byte by byte');
});

t.test('numbers, escapes and marks inside strings stay as they are', async (t) => {
  const compact = String.raw`{"n":12345678901234567890.10,"e":1E+2,"s":"a\"{[,:]}\\","u":"\u003c"}`;
  const expected = String.raw`{
  "n": 12345678901234567890.10,
  "e": 1E+2,
  "s": "a\"{[,:]}\\",
  "u": "\u003c"
}`;
  for (const length of [1, 2, 3, 7, Infinity]) t.equal(indent(compact, length), expected);
});

t.test('white space of the input is dropped, but not inside strings', async (t) => {
  t.equal(indent(' { "a b" : [ ] ,\n"c":\t"  " } \r\n'), '{\n  "a b": [],\n  "c": "  "\n}');
  t.equal(indent('{ \n }'), '{}');
});

t.test('documents that are not objects', async (t) => {
  t.equal(indent('"x"\n'), '"x"');
  t.equal(indent('12'), '12');
  t.equal(indent('[]\n'), '[]');
  t.same(new JsonIndenter().push(new Uint8Array(0)), new Uint8Array(0));
});

t.test(
  'levels below the 24th do not move further right, so that output stays bounded',
  async (t) => {
    const depth = 300;
    const text = '['.repeat(depth) + '1,2' + ']'.repeat(depth);
    const unbounded = JSON.stringify(JSON.parse(text), null, 2);
    const expected = unbounded.replaceAll(/^ {48} +/gm, ' '.repeat(48));
    t.equal(indent(text), expected);
    t.equal(indent(text, 5), expected);
  },
);

t.test('results are not overwritten by later chunks', async (t) => {
  const indenter = new JsonIndenter();
  const first = indenter.push(new TextEncoder().encode('{"a":'));
  const copy = Buffer.from(first).toString();
  indenter.push(new TextEncoder().encode('"zzzzzzzzzzzzzzzz"}'));
  t.equal(Buffer.from(first).toString(), copy);
});

t.test('any JSON, cut anywhere, is as JSON.stringify indents it', async (t) => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 1, max: 40 }), (value, cut) => {
      t.equal(indent(JSON.stringify(value) + '\n', cut), JSON.stringify(value, null, 2));
    }),
    { numRuns: 200 },
  );
});
