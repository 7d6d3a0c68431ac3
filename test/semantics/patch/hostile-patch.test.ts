// Patches that are meant to hurt: names, indexes, nesting, sizes, work. None may take long.
import t from 'tap';
import type { Members } from '../../../src/codec/model/schema-model.ts';
import {
  cloneDocument,
  documentBytes,
  equalDocuments,
  parseDocument,
} from '../../../src/semantics/patch/document.ts';
import { applyJsonPatch, parseJsonPatch } from '../../../src/semantics/patch/json-patch.ts';
import { applyMergePatch, parseMergePatch } from '../../../src/semantics/patch/merge-patch.ts';
import { deepText } from '../../support/deep-text.ts';
import { jsonPatchText, outcome, refusalOr } from './patch-notation.ts';

const OPERATIONS = 10_000;

function many(line: (index: number) => string, count = OPERATIONS): string[] {
  return Array.from({ length: count }, (_, index) => line(index));
}

/** `applied`, or the refusal. */
function result(document: unknown, lines: readonly string[]): string {
  const patch = parseJsonPatch(jsonPatchText(lines));
  return refusalOr(() => {
    applyJsonPatch(document, patch);
    return null;
  }).replace('null', 'applied');
}

const NAMES = ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString'];

t.test('names of the language are names like any other', async (t) => {
  for (const name of NAMES) {
    const text = `{"${name}":{"${name}":{"polluted":1}}}`;
    t.equal(outcome('{}', [`add /${name} = {"${name}":{"polluted":1}}`]), text);
    t.equal(
      outcome(text, [`remove /${name}/${name}/polluted`, `test /${name} = {"${name}":{}}`]),
      `{"${name}":{"${name}":{}}}`,
    );
    t.equal(
      outcome(text, [`copy /a < /${name}/${name}`, `move /b < /${name}`, 'remove /b']),
      '{"a":{"polluted":1}}',
    );
    t.equal(
      outcome('{}', [`add /${name}/polluted = 1`]).slice(0, 3),
      '422',
      'nothing is inherited',
    );
    t.equal(outcome('{}', [`remove /${name}`]).slice(0, 3), '422');
    t.equal(outcome('[]', [`add /${name} = 1`]).slice(0, 3), '422');
    t.equal(outcome('[]', ['add /length = 7']).slice(0, 3), '422');
    t.equal(outcome('{}', [`test /${name} = null`]), '{}');
    t.equal(
      outcome('{}', [`{"${name}":{"op":"add","path":"/a","value":1}}`]),
      '422 Unexpected kind: unknown',
    );
    const merged = applyMergePatch({ a: {} }, parseMergePatch(`{"a":${text},"b":[${text}]}`));
    t.equal(deepText(merged), `{"a":${text},"b":[${text}]}`);
    const removed = applyMergePatch(parseDocument(text), parseMergePatch(`{"${name}":null}`));
    t.equal(deepText(removed), '{}');
    t.equal(deepText(cloneDocument(parseDocument(text))), text);
  }
  t.equal(({} as Members)['polluted'], undefined);
  t.equal(([] as unknown as Members)['polluted'], undefined);
});

t.test('indexes that are none are refused, and allocate nothing', async (t) => {
  const indexes = [
    '4294967295',
    '4294967294',
    '1e9',
    '01',
    '+1',
    '-01',
    '0x1',
    ' 1',
    '1 ',
    '1.0',
    '',
    '-',
    '9'.repeat(400),
    '-99999999999',
  ];
  for (const index of indexes) {
    for (const op of ['remove', 'replace', 'test']) {
      t.equal(
        outcome('{"a":[1,2]}', [`${op} /a/${index} = 1`]).slice(0, 3),
        '422',
        `${op} ${index}`,
      );
    }
    if (index !== '-')
      t.equal(outcome('{"a":[1,2]}', [`add /a/${index} = 1`]).slice(0, 3), '422', `add ${index}`);
    t.equal(
      outcome('{"a":[[],[]]}', [`add /a/${index}/0 = 1`]).slice(0, 3),
      '422',
      `below ${index}`,
    );
  }
});

t.test('nesting of 10000 levels does not overflow the stack', async (t) => {
  const depth = 9_998;
  for (const [open, close, step] of [
    ['{"a":', '}', '/a'],
    ['[', ']', '/0'],
  ] as const) {
    const text = `${open.repeat(depth)}1${close.repeat(depth)}`;
    const document = parseDocument(text);
    t.ok(deepText(document) === text, 'it is written');
    t.ok(deepText(parseDocument(text.replace('1', '9007199254740993'))).includes('993'));
    t.ok(equalDocuments(document, cloneDocument(document)), 'copied and compared');
    t.equal(documentBytes(document, Infinity), text.length, 'measured');
    const lines = [`add /deep = ${text}`, `test /deep = ${text}`, 'copy /copy < /deep'];
    const inside = [`replace /copy${step.repeat(depth)} = 2`, 'move /moved < /deep'];
    const patched = applyJsonPatch({}, parseJsonPatch(jsonPatchText([...lines, ...inside])));
    t.ok(deepText(patched) === `{"copy":${text.replace('1', '2')},"moved":${text}}`);
    const merged = applyMergePatch({}, parseMergePatch(`{"a":${text}}`));
    t.ok(deepText(merged) === `{"a":${text}}`, 'merged');
    const again = applyMergePatch(merged, parseMergePatch(`{"a":${text.replace('1', 'null')}}`));
    t.ok(deepText(again).length < text.length + 10, 'merged over');
  }
  const tooDeep = `${'['.repeat(10_001)}${']'.repeat(10_001)}`;
  t.equal(
    refusalOr(() => parseJsonPatch(tooDeep)),
    '400 exceeded max depth',
  );
  t.equal(
    refusalOr(() => parseMergePatch(tooDeep)),
    '400 Invalid JSON Patch',
  );
});

t.test('nesting that a patch piles up does not overflow it either', async (t) => {
  const steps = 200;
  const level = `${'{"a":'.repeat(steps)}{}${'}'.repeat(steps)}`;
  const pile = [`add /y = ${level}`, `move /y${'/a'.repeat(steps + 1)} < /x`, 'move /x < /y'];
  const lines = Array.from({ length: 500 }, () => pile).flat();
  const document = { x: {} };
  t.equal(result(document, lines), '422 exceeded max depth', 'no body may nest so deep');
  const text = deepText(cloneDocument(document));
  t.equal(text.length, '{"x":{}}'.length + 500 * (steps + 1) * '{"a":}'.length);
  t.ok(equalDocuments(document, parseDocument(text)));
});

t.test('a patch makes nothing that nests deeper than a body may', async (t) => {
  const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const below = '/a'.repeat(5_000);
  for (const [depth, answer] of [
    [5_000, 'applied'],
    [5_001, '422 exceeded max depth'],
  ] as const) {
    const value = nested(depth);
    t.equal(result(parseDocument(nested(5_000)), [`replace ${below} = ${value}`]), answer);
    const document = parseDocument(`{"a":${nested(4_999)},"b":${value}}`);
    t.equal(result(document, [`move ${below} < /b`]), answer);
    const other = parseDocument(`{"a":${nested(4_999)},"b":${value}}`);
    t.equal(result(other, [`copy ${below} < /b`]), answer);
  }
});

t.test('copies are bounded by 3 MiB, before they are made', async (t) => {
  const limit = 3 * 1024 * 1024;
  const letters = 'x'.repeat(limit / 3 - 2);
  const lines = ['copy /b < /a', 'copy /c < /a', 'copy /d < /a'];
  t.equal(result({ a: letters }, lines), 'applied', 'exactly as much');
  t.match(
    result({ a: letters, e: 1 }, [...lines, 'copy /f < /e']),
    /^422 Unable to complete the copy/,
  );
  t.equal(
    outcome(
      '{"a":"xx","b":{}}',
      many((index) => `copy /b/${index} < /a`),
    ).slice(0, 6),
    '{"a":"',
    'small ones are fine',
  );
  t.match(
    result(
      { a: [1] },
      many(() => 'copy /a/- < /a'),
    ),
    /^422 Unable to complete the copy/,
  );
  const object = parseDocument(`{"a":{${many((index) => `"k${index}":1`, 9_000).join(',')}}}`);
  t.match(
    result(
      object,
      many((index) => `copy /b${index} < /a`),
    ),
    /^422 Unable/,
  );
});

t.test('tests of large values take no longer than to read what they expect', async (t) => {
  const members = many((index) => `"k${index}":1`, 20_000).join(',');
  const document = (): unknown => parseDocument(`{"a":{${members}},"l":[${'1,'.repeat(19_999)}1]}`);
  t.match(
    result(
      document(),
      many(() => 'test /a = {}'),
    ),
    /^422 testing value/,
  );
  t.match(
    result(
      document(),
      many(() => 'test /l = []'),
    ),
    /^422 testing value/,
  );
  t.match(
    result(
      document(),
      many(() => 'test  = {}'),
    ),
    /^422 testing value/,
  );
  t.equal(
    result(
      document(),
      many(() => `test /a = {${members}}`, 3),
    ),
    'applied',
  );
  t.equal(
    result(
      document(),
      many((index) => `test /a/k${index} = 1`),
    ),
    'applied',
  );
  t.equal(
    result(
      document(),
      many((index) => `test /l/${index} = 1`),
    ),
    'applied',
  );
});

t.test('lists that shift ten thousand times', async (t) => {
  const list = (length: number): unknown => parseDocument(`{"l":[${'1,'.repeat(length - 1)}1]}`);
  t.equal(
    result(
      list(100_000),
      many(() => 'add /l/0 = 2'),
    ),
    'applied',
  );
  t.match(
    result(
      list(1_500_000),
      many(() => 'add /l/0 = 2'),
    ),
    /^422 the operations of the patch move/,
  );
});

t.test('names that are numbers do not make the runtime copy the object each time', async (t) => {
  const names = many((index) => `"${index}":1`, 100_000).join(',');
  const document = parseDocument(`{${names}}`);
  const lines = many((index) => {
    if (index % 3 === 0) return `add /${500_000 + 2_000 * index} = 1`;
    if (index % 3 === 1) return `remove /${500_000 + 2_000 * (index - 1)}`;
    return `add /${100_000 + index} = 1`;
  }, 2_999);
  t.equal(result(document, lines), 'applied');
  const gaps = many((index) => `"${400_000 + 1_500 * index}":1`, 2_000).join(',');
  const merged = applyMergePatch(parseDocument(`{${names}}`), parseMergePatch(`{${gaps}}`));
  t.equal(Object.keys(merged as Members).length, 102_000);
  const exact = parseDocument(`{${names},${gaps},"a":9007199254740993}`);
  t.equal(Object.keys(cloneDocument(exact) as Members).length, 102_001);
});

t.test('ten thousand operations on a document of 1 MB', async (t) => {
  const items = many((index) => `{"name":"item-${index}","value":"${'v'.repeat(70)}"}`);
  const document = parseDocument(`{"items":[${items.join(',')}]}`);
  t.equal(
    result(
      document,
      many((index) => `replace /items/${index}/value = "w"`),
    ),
    'applied',
  );
  t.equal(
    result(
      document,
      many((index) => `test /items/${index}/name = "item-${index}"`),
    ),
    'applied',
  );
  t.equal(
    result(
      document,
      many(() => 'move /items/0 < /items/-1'),
    ),
    'applied',
  );
  t.equal(
    result(
      document,
      many((index) => `add /items/0/k${index} = [1]`),
    ),
    'applied',
  );
});
