import fc from 'fast-check';
import t from 'tap';
import { jsonSyntaxError, nestsTooDeep } from '../../src/codec/json/json-syntax.ts';

const END = 'unexpected end of JSON input';
const ERRORS: Record<string, string> = {
  '': END,
  '  ': END,
  '{': END,
  '{"a"': END,
  '{"a":': END,
  '{"a":1': END,
  '{"a":1,': END,
  '[1,': END,
  '"abc': END,
  '"abc\\': "invalid character ' ' in string escape code",
  '"\\u12': "invalid character ' ' in \\u hexadecimal character escape",
  tru: "invalid character ' ' in literal true (expecting 'e')",
  '-': "invalid character ' ' in numeric literal",
  '1.': "invalid character ' ' after decimal point in numeric literal",
  '1e': "invalid character ' ' in exponent of numeric literal",
  xyz: "invalid character 'x' looking for beginning of value",
  '[1,]': "invalid character ']' looking for beginning of value",
  '{a:1}': "invalid character 'a' looking for beginning of object key string",
  '{"a":1,}': "invalid character '}' looking for beginning of object key string",
  '{"a" 1}': "invalid character '1' after object key",
  '{"a":1 "b"}': "invalid character '\"' after object key:value pair",
  '[1 2]': "invalid character '2' after array element",
  '[1}': "invalid character '}' after array element",
  '{} x': "invalid character 'x' after top-level value",
  '01': "invalid character '1' after top-level value",
  '-x': "invalid character 'x' in numeric literal",
  '1.x': "invalid character 'x' after decimal point in numeric literal",
  '1ex': "invalid character 'x' in exponent of numeric literal",
  trux: "invalid character 'x' in literal true (expecting 'e')",
  nil: "invalid character 'i' in literal null (expecting 'u')",
  '"a\nb"': "invalid character '\\n' in string literal",
  '"\u0001"': "invalid character '\\x01' in string literal",
  '"\\x"': "invalid character 'x' in string escape code",
  '"\\u12g4"': "invalid character 'g' in \\u hexadecimal character escape",
  "'a'": "invalid character '\\'' looking for beginning of value",
  '\ufeff{}': "invalid character '\u00ef' looking for beginning of value",
};

t.test('the first error has the text of the reference', async (t) => {
  for (const [text, message] of Object.entries(ERRORS)) {
    t.equal(jsonSyntaxError(text), message, JSON.stringify(text));
  }
});

t.test('finds an error exactly where JSON.parse does', async () => {
  const tokens = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"',
    '\\',
    '1',
    '-',
    '0',
    '.5',
    'e+1',
    'null',
  ];
  const token = fc.constantFrom(...tokens);
  const text = fc.oneof(
    fc.array(token, { maxLength: 12 }).map((all) => all.join('')),
    fc.json(),
  );
  fc.assert(
    fc.property(text, (value) => jsonSyntaxError(value) === '' || !parses(value)),
    { seed: 1, numRuns: 2000 },
  );
  fc.assert(
    fc.property(text, (value) => jsonSyntaxError(value) !== '' || parses(value)),
    { seed: 1, numRuns: 2000 },
  );
});

t.test('10,000 levels are allowed, one more is not', async (t) => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  t.equal(nestsTooDeep(nested(10_000)), false);
  t.equal(nestsTooDeep(nested(10_001)), true);
  t.equal(nestsTooDeep(`[${'[],'.repeat(20_000)}0]`), false, 'many brackets side by side');
  for (const quoted of ['"[[["', '"\\\\"', '"\\"[[["', '"\\\\\\"{"']) {
    const side = `${quoted},`.repeat(20_000);
    t.equal(nestsTooDeep(`[${side}0]`), false, `brackets in ${quoted}`);
    t.equal(nestsTooDeep(`[${side}${nested(9_999)}]`), false, `as deep as allowed after ${quoted}`);
    t.equal(nestsTooDeep(`[${side}${nested(10_000)}]`), true, `deeper after ${quoted}`);
  }
  t.equal(nestsTooDeep(`[${'[],'.repeat(20_000)}"${nested(10_001)}`), false, 'an open string');
  t.equal(nestsTooDeep(`[1 ${nested(10_001)}]`), false, 'something else is wrong before');
  t.equal(jsonSyntaxError('['.repeat(10_001)), 'exceeded max depth');
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
