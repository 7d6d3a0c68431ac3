import fc from 'fast-check';
import t from 'tap';
import { escapeHtmlInJson, quoteGo, stringifyGo } from '../../src/codec/json/go-json.ts';

const QUOTED: Record<string, string> = {
  plain: '"plain"',
  'a"b\\c/': '"a\\"b\\\\c/"',
  '<a href="x">&': '"\\u003ca href=\\"x\\"\\u003e\\u0026"',
  '\n\r\t': '"\\n\\r\\t"',
  '\b\f\u0000\u001f\u007f': '"\\u0008\\u000c\\u0000\\u001f\u007f"',
  '\\b\\f': '"\\\\b\\\\f"',
  '\\\b': '"\\\\\\u0008"',
  '\u2028\u2029': '"\\u2028\\u2029"',
  '\u00e9\u20ac\ud83d\ude00': '"\u00e9\u20ac\ud83d\ude00"',
  'a\ud800b\udc00': '"a\ufffdb\ufffd"',
};

t.test('strings are escaped as the reference escapes them', async (t) => {
  for (const [value, quoted] of Object.entries(QUOTED)) {
    t.equal(quoteGo(value), quoted, quoted);
    t.equal(stringifyGo({ [`<${value}`]: [value] }).includes(quoted), true, 'inside a value');
  }
});

t.test('half characters are replaced, also in names', async (t) => {
  t.equal(stringifyGo({ 'a\ud800': '\\ud800\udc00<' }), '{"a\ufffd":"\\\\ud800\ufffd\\u003c"}');
  t.equal(stringifyGo(['\ud83d\ude00\b']), '["\ud83d\ude00\\u0008"]');
});

t.test('escaping reads back as the same string', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => JSON.parse(quoteGo(value)) === value),
    { seed: 1 },
  );
});

t.test('escapes that are in the text already stay as they are', async (t) => {
  t.equal(escapeHtmlInJson('{"a":"\\b<\\u003c\\\\<"}'), '{"a":"\\b\\u003c\\u003c\\\\\\u003c"}');
  t.equal(escapeHtmlInJson('[1.0,"\\/"]'), '[1.0,"\\/"]');
});
