// Documents: what is read is what is written, equality by JSON's rules, sizes without text.
import t from 'tap';
import { stringifyGo } from '../../../src/codec/json/go-json.ts';
import type { Members } from '../../../src/codec/model/schema-model.ts';
import { setMember } from '../../../src/base/set-member.ts';
import {
  cloneDocument,
  documentBytes,
  documentText,
  equalDocuments,
  holdsLongNumbers,
  isMembers,
  isRawNumber,
  memberOf,
  parseDocument,
} from '../../../src/semantics/patch/document.ts';

const KEPT = [
  '{}',
  '[]',
  '""',
  '0',
  '-1.5',
  'null',
  '{"a":[true,false,null,{"b":""}],"":{"c":[[],{}]}}',
  '9007199254740993',
  '-9007199254740993',
  '[9007199254740992,123456789012345678901234567890]',
  '{"a":9223372036854775807,"b":{"c":[-9223372036854775808,1,"x"]}}',
  '{"9007199254740993":"9007199254740993","a":9007199254740993}',
  '{"a\\"b":9007199254740993,"c":"\\\\","d":"}],","e":[],"f":{}}',
  '{"__proto__":9007199254740993,"constructor":{"__proto__":1e999}}',
  '[1e999,-1e400]',
  '{"rawJSON":"1","a":9007199254740993}',
];

t.test('documents come out as they went in', async (t) => {
  for (const text of KEPT) {
    t.equal(documentText(parseDocument(text)), text);
    t.equal(documentText(cloneDocument(parseDocument(text))), text, 'the clone too');
    t.ok(equalDocuments(parseDocument(text), parseDocument(text)));
    t.equal(documentBytes(parseDocument(text), Infinity), text.length);
  }
});

t.test('only numbers that would change are raw', async (t) => {
  const raw = ['9007199254740992', '-9007199254740992', '9'.repeat(30), '1e309', '-1e+0309'];
  const plain = [
    '9007199254740991',
    '0.12345678901234567',
    '12345678901234567.5',
    '1e20',
    '1e-400',
  ];
  for (const text of raw) t.ok(isRawNumber(parseDocument(text)), text);
  for (const text of plain) t.equal(parseDocument(text), Number(text), text);
  t.notOk(isRawNumber(parseDocument('{"rawJSON":"1"}')), 'an object that looks like one');
  t.equal(
    documentText(parseDocument(' [ 9007199254740993 ,\n{ "a" :\t1e999 , "b":[ ] } , "," ] ')),
    '[9007199254740993,{"a":1e999,"b":[]},","]',
    'space does not matter',
  );
  t.equal(documentText(parseDocument('{"a":1,"a":9007199254740993}')), '{"a":9007199254740993}');
});

t.test('texts that may hold long numbers', async (t) => {
  for (const text of ['[1e999]', '{"a": 1234567890123456}', '-1234567890123456', '[1,1.5E+100]']) {
    t.ok(holdsLongNumbers(text), text);
  }
  for (const text of [
    '{"uid":"01e34567-1234-5678-9012-123456789012"}',
    '{"time":"1234567890123456789"}',
    '[123456789012345,1e99]',
  ]) {
    t.notOk(holdsLongNumbers(text), text);
  }
});

t.test('a clone shares nothing, whatever the names are', async (t) => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`n${at}`, [at]]));
  for (const text of ['{"__proto__":{"a":[1]},"b":[[1]]}', '[{"a":{}},[]]', JSON.stringify(many)]) {
    const source = parseDocument(text);
    const clone = cloneDocument(source);
    const pending: [unknown, unknown][] = [[source, clone]];
    for (const [from, to] of pending) {
      if (typeof from !== 'object' || from === null) continue;
      t.not(from, to);
      for (const key of Object.keys(from)) {
        pending.push([memberOf(from as Members, key), memberOf(to as Members, key)]);
      }
    }
    t.equal(documentText(clone), text);
  }
});

t.test('text that is no JSON is a SyntaxError', async (t) => {
  for (const text of ['', '{', '[1,]', '01', '{"a":9007199254740993', 'NaN']) {
    t.throws(() => parseDocument(text), SyntaxError, text);
  }
});

const EQUAL: readonly (readonly [a: string, b: string])[] = [
  ['{"a":1,"b":2}', '{"b":2,"a":1}'],
  ['1', '1.0'],
  ['100', '1e2'],
  ['0', '-0'],
  ['[1,{"a":[]}]', '[ 1, {"a": []} ]'],
  ['"\\u0041"', '"A"'],
  ['100000000000000000000', '1e20'],
  ['{"__proto__":{"a":1}}', '{"__proto__":{"a":1}}'],
];

const DIFFERENT: readonly (readonly [a: string, b: string])[] = [
  ['1', '"1"'],
  ['0', 'false'],
  ['0', 'null'],
  ['{}', '[]'],
  ['{}', 'null'],
  ['[1,2]', '[2,1]'],
  ['[1]', '[1,2]'],
  ['{"a":1}', '{"a":1,"b":2}'],
  ['{"a":null}', '{}'],
  ['{"a":null}', '{"b":null}'],
  ['{"a":{"b":1}}', '{"a":{"b":2}}'],
  ['9007199254740993', '9007199254740992'],
  ['9007199254740993', '9007199254740994.0'],
  ['9007199254740993', '"9007199254740993"'],
  ['9007199254740993', '{"rawJSON":"9007199254740993"}'],
  ['{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}'],
  ['{"__proto__":{}}', '{}'],
  ['{"toString":1}', '{"valueOf":1}'],
];

t.test('equality', async (t) => {
  for (const [a, b] of EQUAL) {
    t.ok(equalDocuments(parseDocument(a), parseDocument(b)), `${a} is ${b}`);
    t.ok(equalDocuments(parseDocument(b), parseDocument(a)), `${b} is ${a}`);
  }
  for (const [a, b] of DIFFERENT) {
    t.notOk(equalDocuments(parseDocument(a), parseDocument(b)), `${a} is not ${b}`);
    t.notOk(equalDocuments(parseDocument(b), parseDocument(a)), `${b} is not ${a}`);
  }
});

t.test('members of any name', async (t) => {
  const members: Members = {};
  for (const key of ['__proto__', 'constructor', 'prototype', 'toString', '1', '1234567', '']) {
    t.equal(memberOf(members, key), undefined, `${key} is not there`);
    setMember(members, key, { polluted: key });
    t.same(memberOf(members, key), { polluted: key });
  }
  t.equal(Object.getPrototypeOf(members), Object.prototype);
  t.same(Object.keys(members).length, 7);
  t.notOk('polluted' in {});
  t.ok(isMembers(members));
  for (const value of [[], null, 'a', 1, undefined, parseDocument('9007199254740993')]) {
    t.notOk(isMembers(value));
  }
});

t.test('sizes are those of the text that the reference writes', async (t) => {
  const texts = ['a<b>&', 'é', '€', '😀', '\u2028\u2029', '"\\\n\r\t', '\b\f\u0001', '\u007f'];
  for (const text of texts) {
    const document = { [text]: [text, { a: text }] };
    const bytes = new TextEncoder().encode(stringifyGo(document)).length;
    t.equal(documentBytes(document, Infinity), bytes, encodeURIComponent(text));
  }
  const list = Array.from({ length: 1000 }, () => 'x'.repeat(100));
  t.ok(documentBytes(list, 500) > 500);
  t.ok(documentBytes(list, 500) < 2000, 'counting stops soon after the limit');
});
