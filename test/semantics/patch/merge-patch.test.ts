// RFC 7386, and what the reference's library makes of it.
import t from 'tap';
import { parseDocument } from '../../../src/semantics/patch/document.ts';
import { applyMergePatch, parseMergePatch } from '../../../src/semantics/patch/merge-patch.ts';
import { refusalOr, sortedText } from './patch-notation.ts';

type Row = readonly [document: string, patch: string, expected: string];

const RFC_7386: readonly Row[] = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"a":1,"e":null}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  [
    '{"title":"Goodbye!","author":{"givenName":"John","familyName":"Doe"},' +
      '"tags":["example","sample"],"content":"This will be unchanged"}',
    '{"title":"Hello!","phoneNumber":"+01-123-456-7890","author":{"familyName":null},' +
      '"tags":["example"]}',
    '{"author":{"givenName":"John"},"content":"This will be unchanged",' +
      '"phoneNumber":"+01-123-456-7890","tags":["example"],"title":"Hello!"}',
  ],
];

const FURTHER: readonly Row[] = [
  ['{"a":1}', '{}', '{"a":1}'],
  ['{"a":1}', '{"b":null}', '{"a":1}'],
  ['{"a":null}', '{"a":{"b":null,"c":1}}', '{"a":{"c":1}}'],
  ['{"a":null}', '{"a":{}}', '{"a":{}}'],
  ['{"a":1}', '{"a":{"b":{"c":null}}}', '{"a":{"b":{}}}'],
  ['{"a":[1]}', '{"a":{"b":1}}', '{"a":{"b":1}}'],
  ['{"a":{"b":1}}', '{"a":[]}', '{"a":[]}'],
  // Items of lists: nulls stay, null members of theirs go.
  ['{}', '{"a":[null,1,[null,{"b":null}]]}', '{"a":[null,1,[null,{}]]}'],
  ['{"a":[]}', '{"a":[{"b":null,"c":{"d":null}}]}', '{"a":[{"c":{}}]}'],
  ['{}', '[{"b":null},null]', '[{},null]'],
  ['{"a":1}', '{"a":9223372036854775807}', '{"a":9223372036854775807}'],
  ['{"a":18446744073709551615}', '{"b":1}', '{"a":18446744073709551615,"b":1}'],
];

t.test('documents, patches and what comes of them', async (t) => {
  for (const [document, patch, expected] of [...RFC_7386, ...FURTHER]) {
    const merged = applyMergePatch(parseDocument(document), parseDocument(patch));
    t.equal(sortedText(merged), expected, `${document} | ${patch}`);
  }
});

t.test('what is no object and no list is refused', async (t) => {
  for (const text of ['', '{', '{"a":1}}', "{'a':1}", 'null', '1', '"a"', 'true', '1e999']) {
    t.equal(
      refusalOr(() => parseMergePatch(text)),
      '400 Invalid JSON Patch',
      text,
    );
  }
  t.same(parseMergePatch('{"a":null}'), { a: null });
  t.same(parseMergePatch('[1]'), [1], 'the caller refuses what comes of it');
});

t.test('the result shares nothing with the patch', async (t) => {
  const patch = parseMergePatch('{"a":{"b":[{"c":[1]}]},"d":[[1]]}');
  const before = sortedText(patch);
  const merged = applyMergePatch({ a: { b: 1 } }, patch) as typeof SHAPE;
  merged.a.b[0]?.c.push(2);
  merged.d[0]?.push(2);
  t.equal(sortedText(patch), before);
});

const SHAPE = { a: { b: [{ c: [1] }] }, d: [[1]] };
