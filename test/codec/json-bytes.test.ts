import fc from 'fast-check';
import t from 'tap';
import { enclosingEnd, stringEnd, valueEnd } from '../../src/codec/json/json-bytes.ts';

const VALUES: readonly unknown[] = [
  null,
  true,
  -1.5e300,
  '',
  '"',
  '\\',
  'x\\"}',
  `${'x'.repeat(47)}"`,
  `${'x'.repeat(46)}\\"${'y'.repeat(100)}`,
  `${'x'.repeat(60)}\\\\"}]`,
  JSON.stringify({ a: ['"', '\\', 'b'.repeat(500), 'c"d'.repeat(300)] }),
  '\\'.repeat(1_101),
  '\u20ac'.repeat(40),
  [],
  {},
  [[], [{ '}]': ']}' }], 1],
  { a: { b: [{ c: '{[' }] }, '"]': 2 },
];

function endsAreFound(value: unknown): boolean {
  const text = Buffer.from(JSON.stringify(value));
  return ['', ',"b":1}', ']', '}'].every((rest) => {
    const bytes = Buffer.concat([Buffer.from('{"a":'), text, Buffer.from(rest)]);
    return valueEnd(bytes, 5) === 5 + text.length;
  });
}

t.test('a value ends where its text ends, whatever follows', async (t) => {
  for (const value of VALUES) t.ok(endsAreFound(value), JSON.stringify(value));
  const any = fc.jsonValue({ stringUnit: 'binary' });
  fc.assert(fc.property(any, endsAreFound), { seed: 1 });
});

t.test('an object ends wherever one begins to look for its end', async (t) => {
  const bytes = Buffer.from('{"a":["}",{"b":2}],"c":3},');
  for (const at of [1, 5, 18, 19]) t.equal(enclosingEnd(bytes, at), bytes.length - 1, `${at}`);
});

t.test('what does not end is a bug', async (t) => {
  t.throws(() => stringEnd(Buffer.from('"abc\\"'), 0), /does not end/);
  t.throws(() => stringEnd(Buffer.from(`"${'x'.repeat(100)}\\"`), 0), /does not end/);
  t.throws(() => valueEnd(Buffer.from('{"a":1'), 0), /does not end/);
});
