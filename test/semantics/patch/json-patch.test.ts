// RFC 6902, RFC 6901, the public test suite, and where the reference's library has its own ways.
import t from 'tap';
import type { Test } from 'tap';
import { parseDocument } from '../../../src/semantics/patch/document.ts';
import { applyJsonPatch, parseJsonPatch } from '../../../src/semantics/patch/json-patch.ts';
import { jsonPatchProblems, repeatedInPatch } from '../../../src/semantics/patch/strict-patch.ts';
import { isExpected, jsonPatchText, outcome, refusalOr, sortedText } from './patch-notation.ts';

type Row = readonly [document: string, operations: readonly string[], expected: string];

function checkRows(t: Test, rows: readonly Row[]): void {
  for (const [document, operations, expected] of rows) {
    const found = outcome(document, operations);
    const what = `${document} | ${operations.join(' | ')} | ${expected}`;
    if (isExpected(found, expected)) t.pass(what);
    else t.equal(found, expected, what);
  }
}

const RFC_6902: readonly Row[] = [
  ['{"foo":"bar"}', ['add /baz = "qux"'], '{"baz":"qux","foo":"bar"}'],
  ['{"foo":["bar","baz"]}', ['add /foo/1 = "qux"'], '{"foo":["bar","qux","baz"]}'],
  ['{"baz":"qux","foo":"bar"}', ['remove /baz'], '{"foo":"bar"}'],
  ['{"foo":["bar","qux","baz"]}', ['remove /foo/1'], '{"foo":["bar","baz"]}'],
  ['{"baz":"qux","foo":"bar"}', ['replace /baz = "boo"'], '{"baz":"boo","foo":"bar"}'],
  [
    '{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}',
    ['move /qux/thud < /foo/waldo'],
    '{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}',
  ],
  [
    '{"foo":["all","grass","cows","eat"]}',
    ['move /foo/3 < /foo/1'],
    '{"foo":["all","cows","eat","grass"]}',
  ],
  [
    '{"baz":"qux","foo":["a",2,"c"]}',
    ['test /baz = "qux"', 'test /foo/1 = 2'],
    '{"baz":"qux","foo":["a",2,"c"]}',
  ],
  ['{"baz":"qux"}', ['test /baz = "bar"'], '422 testing value /baz failed: test failed'],
  ['{"foo":"bar"}', ['add /child = {"grandchild":{}}'], '{"foo":"bar","child":{"grandchild":{}}}'],
  [
    '{"foo":"bar"}',
    ['{"op":"add","path":"/baz","value":"qux","xyz":123}'],
    '{"foo":"bar","baz":"qux"}',
  ],
  [
    '{"foo":"bar"}',
    ['add /baz/bat = "qux"'],
    '422 add operation does not apply: doc is missing path: "/baz/bat": missing value',
  ],
  ['{"foo":"bar"}', ['{"op":"add","path":"/baz","value":"qux","op":"remove"}'], '422'],
  ['{"/":9,"~1":10}', ['test /~01 = 10'], '{"/":9,"~1":10}'],
  ['{"/":9,"~1":10}', ['test /~01 = "10"'], '422'],
  ['{"foo":["bar"]}', ['add /foo/- = ["abc","def"]'], '{"foo":["bar",["abc","def"]]}'],
  ['{"q":{"bar":2}}', ['add /a/b = 1'], '422'],
  ['{"a":{"foo":1}}', ['add /a/b = 2'], '{"a":{"foo":1,"b":2}}'],
];

const POINTED =
  '{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\\\j":5,"k\\"l":6," ":7,"m~n":8}';

const RFC_6901: readonly Row[] = [
  [POINTED, [`test  = ${POINTED}`], POINTED],
  [POINTED, ['test /foo = ["bar","baz"]', 'test /foo/0 = "bar"', 'test / = 0'], POINTED],
  [POINTED, ['test /a~1b = 1', 'test /c%d = 2', 'test /e^f = 3', 'test /g|h = 4'], POINTED],
  [POINTED, ['test /i\\j = 5', 'test /k"l = 6', 'test /  = 7', 'test /m~0n = 8'], POINTED],
  ['{"a":{"":{"":1}}}', ['test /a// = 1'], '{"a":{"":{"":1}}}'],
  ['{"~0":1,"/~":2}', ['test /~00 = 1', 'test /~1~0 = 2'], '{"~0":1,"/~":2}'],
];

const SUITE_APPLIES: readonly Row[] = [
  ['{}', [], '{}'],
  ['{"foo":1}', [], '{"foo":1}'],
  ['{"foo":1,"bar":2}', [], '{"bar":2,"foo":1}'],
  ['[{"foo":1,"bar":2}]', [], '[{"bar":2,"foo":1}]'],
  ['{"foo":{"foo":1,"bar":2}}', [], '{"foo":{"bar":2,"foo":1}}'],
  ['{"foo":null}', ['add /foo = 1'], '{"foo":1}'],
  ['[]', ['add /0 = "foo"'], '["foo"]'],
  ['["foo"]', [], '["foo"]'],
  ['{}', ['add /foo = "1"'], '{"foo":"1"}'],
  ['{}', ['add /foo = 1'], '{"foo":1}'],
  ['[]', ['add /- = "hi"'], '["hi"]'],
  ['{}', ['add / = 1'], '{"":1}'],
  ['{"foo":{}}', ['add /foo/ = 1'], '{"foo":{"":1}}'],
  ['{"foo":1}', ['add /bar = [1,2]'], '{"foo":1,"bar":[1,2]}'],
  [
    '{"foo":1,"baz":[{"qux":"hello"}]}',
    ['add /baz/0/foo = "world"'],
    '{"foo":1,"baz":[{"qux":"hello","foo":"world"}]}',
  ],
  ['{"foo":1}', ['add /bar = true'], '{"foo":1,"bar":true}'],
  ['{"foo":1}', ['add /bar = false'], '{"foo":1,"bar":false}'],
  ['{"foo":1}', ['add /bar = null'], '{"foo":1,"bar":null}'],
  ['{"foo":1}', ['add /0 = "bar"'], '{"foo":1,"0":"bar"}'],
  ['["foo"]', ['add /1 = "bar"'], '["foo","bar"]'],
  ['["foo","sil"]', ['add /1 = "bar"'], '["foo","bar","sil"]'],
  ['["foo","sil"]', ['add /0 = "bar"'], '["bar","foo","sil"]'],
  ['["foo","sil"]', ['add /2 = "bar"'], '["foo","sil","bar"]'],
  ['{"1e0":"foo"}', ['test /1e0 = "foo"'], '{"1e0":"foo"}'],
  ['["foo","sil"]', ['add /1 = ["bar","baz"]'], '["foo",["bar","baz"],"sil"]'],
  ['{"foo":1,"bar":[1,2,3,4]}', ['remove /bar'], '{"foo":1}'],
  ['{"foo":1,"baz":[{"qux":"hello"}]}', ['remove /baz/0/qux'], '{"foo":1,"baz":[{}]}'],
  [
    '{"foo":1,"baz":[{"qux":"hello"}]}',
    ['replace /foo = [1,2,3,4]'],
    '{"foo":[1,2,3,4],"baz":[{"qux":"hello"}]}',
  ],
  [
    '{"foo":[1,2],"baz":[{"qux":"hello"}]}',
    ['replace /baz/0/qux = "world"'],
    '{"foo":[1,2],"baz":[{"qux":"world"}]}',
  ],
  ['["foo"]', ['replace /0 = "bar"'], '["bar"]'],
  ['[""]', ['replace /0 = 0'], '[0]'],
  ['[""]', ['replace /0 = true'], '[true]'],
  ['[""]', ['replace /0 = false'], '[false]'],
  ['[""]', ['replace /0 = null'], '[null]'],
  ['["foo","sil"]', ['replace /1 = ["bar","baz"]'], '["foo",["bar","baz"]]'],
  ['{"foo":"bar"}', ['replace  = {"baz":"qux"}'], '{"baz":"qux"}'],
  ['{"foo":1}', ['{"op":"test","path":"/foo","value":1,"spurious":1}'], '{"foo":1}'],
  ['{"foo":null}', ['test /foo = null'], '{"foo":null}'],
  ['{"foo":null}', ['replace /foo = "truthy"'], '{"foo":"truthy"}'],
  ['{"foo":null}', ['move /bar < /foo'], '{"bar":null}'],
  ['{"foo":null}', ['copy /bar < /foo'], '{"foo":null,"bar":null}'],
  ['{"foo":null}', ['remove /foo'], '{}'],
  ['{"foo":"bar"}', ['replace /foo = null'], '{"foo":null}'],
  ['{"foo":{"foo":1,"bar":2}}', ['test /foo = {"bar":2,"foo":1}'], '{"foo":{"foo":1,"bar":2}}'],
  [
    '{"foo":[{"foo":1,"bar":2}]}',
    ['test /foo = [{"bar":2,"foo":1}]'],
    '{"foo":[{"foo":1,"bar":2}]}',
  ],
  ['{"foo":{"bar":[1,2,5,4]}}', ['test /foo = {"bar":[1,2,5,4]}'], '{"foo":{"bar":[1,2,5,4]}}'],
  ['{"foo":1}', ['test  = {"foo":1}'], '{"foo":1}'],
  ['{"":1}', ['test / = 1'], '{"":1}'],
  ['{"foo":1}', ['move /foo < /foo'], '{"foo":1}'],
  ['{"foo":1,"baz":[{"qux":"hello"}]}', ['move /bar < /foo'], '{"baz":[{"qux":"hello"}],"bar":1}'],
  [
    '{"baz":[{"qux":"hello"}],"bar":1}',
    ['move /baz/1 < /baz/0/qux'],
    '{"baz":[{},"hello"],"bar":1}',
  ],
  [
    '{"baz":[{"qux":"hello"}],"bar":1}',
    ['copy /boo < /baz/0'],
    '{"baz":[{"qux":"hello"}],"bar":1,"boo":{"qux":"hello"}}',
  ],
  ['[1,2]', ['add /- = {"foo":["bar","baz"]}'], '[1,2,{"foo":["bar","baz"]}]'],
  ['[1,2,[3,[4,5]]]', ['add /2/1/- = {"foo":["bar"]}'], '[1,2,[3,[4,5,{"foo":["bar"]}]]]'],
  ['[1,2,3,4]', ['remove /0'], '[2,3,4]'],
  ['[1,2,3,4]', ['remove /1', 'remove /2'], '[1,3]'],
  ['{"foo":"bar"}', ['add /FOO = "BAR"'], '{"foo":"bar","FOO":"BAR"}'],
  [
    '{"foo":{"bar":{"baz":[{"boo":"net"}]}}}',
    ['copy /bak < /foo', 'replace /bak/bar/baz/0/boo = "qux"'],
    '{"foo":{"bar":{"baz":[{"boo":"net"}]}},"bak":{"bar":{"baz":[{"boo":"qux"}]}}}',
  ],
  [
    '{"foo":{"bar":{"baz":[{"boo":"net"}]}}}',
    ['copy /bak < /foo', 'replace /foo/bar/baz/0/boo = "qux"'],
    '{"foo":{"bar":{"baz":[{"boo":"qux"}]}},"bak":{"bar":{"baz":[{"boo":"net"}]}}}',
  ],
];

const SUITE_REFUSES: readonly Row[] = [
  [
    '{"bar":[1,2]}',
    ['add /bar/8 = "5"'],
    "422 error in add for path: '/bar/8': Unable to access invalid index: 8: invalid index referenced",
  ],
  ['["foo","sil"]', ['add /3 = "bar"'], '422'],
  ['["foo","bar"]', ['test /1e0 = "bar"'], '422'],
  [
    '["foo","sil"]',
    ['add /bar = 42'],
    "422 error in add for path: '/bar': value was not a proper array index: 'bar': strconv.Atoi: parsing \"bar\": invalid syntax",
  ],
  [
    '{"bar":"baz"}',
    ['replace /foo/bar = false'],
    '422 replace operation does not apply: doc is missing path: /foo/bar: missing value',
  ],
  ['{"foo":{"bar":[1,2,5,4]}}', ['test /foo = [1,2]'], '422'],
  ['{"foo":1,"baz":[{"qux":"hello"}]}', ['remove /baz/1e0/qux'], '422'],
  ['[1,2,3,4]', ['remove /1e0'], '422'],
  [
    '[""]',
    ['replace /1e0 = false'],
    '422 replace operation does not apply: doc is missing key: /1e0: missing value',
  ],
  ['{"baz":[1,2,3],"bar":1}', ['copy /boo < /baz/1e0'], '422'],
  ['{"foo":1,"baz":[1,2,3,4]}', ['move /foo < /baz/1e0'], '422'],
  ['["foo","sil"]', ['add /1e0 = "bar"'], '422'],
  ['{}', ['{"op":"add","value":"bar"}'], '422 add operation failed to decode path: missing value'],
  [
    '{}',
    ['{"op":"add","path":null,"value":"bar"}'],
    '422 add operation failed to decode path: missing value',
  ],
  ['{}', ['add foo = "bar"'], '422'],
  ['{"a":1}', ['add x/b = 2', 'replace x/a = 3'], '{"a":3,"b":2}'],
  ['[null]', ['test /0'], '422'],
  ['[false]', ['test /0'], '422'],
  [
    '[1]',
    ['copy /-'],
    '422 copy operation failed to decode from: operation, missing from field: missing value',
  ],
  [
    '{"foo":1}',
    ['move '],
    '422 move operation failed to decode from: operation, missing from field: missing value',
  ],
  [
    '{"foo":1}',
    ['move /foo < /bar'],
    "422 error in move for path: 'bar': Unable to remove nonexistent key: bar: missing value",
  ],
  ['{"foo":1}', ['spam /foo = 1'], '422 Unexpected kind: spam'],
  ['["foo","bar"]', ['test /00 = "foo"'], '422'],
  ['["foo","bar"]', ['test /01 = "bar"'], '422'],
  [
    '{"foo":"bar"}',
    ['remove /baz'],
    "422 error in remove for path: '/baz': Unable to remove nonexistent key: baz: missing value",
  ],
  [
    '{"foo":"bar"}',
    ['remove /missing1/missing2'],
    '422 remove operation does not apply: doc is missing path: "/missing1/missing2": missing value',
  ],
  ['["foo","bar"]', ['remove /2'], '422'],
];

const OWN_WAYS: readonly Row[] = [
  // Negative indexes count from the end.
  ['[1,2]', ['add /-1 = 3'], '[1,2,3]'],
  ['[1,2]', ['add /-3 = 3'], '[3,1,2]'],
  ['[1,2]', ['add /-4 = 3'], '422'],
  ['[1,2,3]', ['remove /-1', 'remove /-2'], '[2]'],
  ['[1,2]', ['replace /-2 = 5'], '[5,2]'],
  ['[[1],[2]]', ['add /-1/0 = 5', 'test /-2 = [1]'], '[[1],[5,2]]'],
  ['[1]', ['remove /-2'], '422'],
  ['[1]', ['test /-0 = 1'], '422'],
  ['[1]', ['test /- = 1'], '422'],
  ['[1]', ['remove /-'], '422'],
  ['[[1]]', ['add /-/0 = 5'], '422'],
  // Members that are not there.
  ['{}', ['replace /a = 1'], '{"a":1}'],
  ['{"foo":1}', ['copy /foo < /bar'], '{"foo":null}'],
  ['[1]', ['copy /- < /1'], '422'],
  ['{}', ['test /a = null'], '{}'],
  ['{}', ['test /a = 1'], '422'],
  ['{"a":{}}', ['test /a = null'], '422'],
  ['[]', ['test /0 = null'], '422'],
  ['{"a":null}', ['add /a/b = 1'], '422'],
  ['{"a":1}', ['add /a/b = 1'], '422'],
  // Without a value.
  ['[1]', ['add /-'], '[1,null]'],
  ['[1]', ['replace /0'], '[null]'],
  ['{}', ['test /a'], '422'],
  // The whole document.
  ['{}', ['add  = []'], '422'],
  ['[]', ['add  = {}'], '422'],
  ['{"a":1}', ['remove '], '422'],
  ['{"a":1}', ['copy /b < '], '422'],
  ['{"a":{}}', ['move  < /a'], '422'],
  ['{"a":1}', ['replace  = [1]', 'add /- = 2'], '[1,2]'],
  ['{"a":1}', ['replace  = "b"'], '{"a":1}'],
  ['{"a":1}', ['replace  = null'], '{"a":1}'],
  ['{"a":1}', ['replace '], '422'],
  ['{"a":1}', ['test  = {"a":1,"b":2}'], '422'],
  // Pointers and operations of the wrong form.
  ['{"b":1}', ['remove a/b'], '{}'],
  ['{"b":1}', ['remove b'], '422'],
  ['{"~2":1,"~":2}', ['test /~2 = 1', 'test /~ = 2'], '{"~2":1,"~":2}'],
  ['{}', ['{}'], '422 Unexpected kind: unknown'],
  ['{}', ['{"op":1}'], '422 Unexpected kind: unknown'],
  ['{}', ['{"op":"ADD","path":"/a","value":1}'], '422 Unexpected kind: ADD'],
  [
    '{}',
    ['{"op":"test","path":7,"value":1}'],
    '422 test operation failed to decode path: json: cannot unmarshal number into Go value of type string',
  ],
  [
    '{}',
    ['{"op":"replace","value":1}'],
    '422 replace operation failed to decode path: operation missing path field: missing value',
  ],
  // Numbers are equal when their values are.
  ['{"a":1}', ['test /a = 1.0', 'test /a = 10e-1'], '{"a":1}'],
  ['{"a":9007199254740993}', ['test /a = 9007199254740992'], '422'],
  [
    '{"a":9007199254740993}',
    ['test /a = 9007199254740993', 'copy /b < /a'],
    '{"a":9007199254740993,"b":9007199254740993}',
  ],
  // A subtree does not move into itself.
  ['{"a":{"b":{}}}', ['move /a/b/c < /a'], '422'],
  ['{"a":[[],[]]}', ['move /a/0/0 < /a/0'], '422'],
  ['{"a":{"b":1}}', ['copy /a/c < /a'], '{"a":{"b":1,"c":{"b":1}}}'],
  ['{"a":[1]}', ['copy /a/0 < /a'], '{"a":[[1],1]}'],
];

t.test('the examples of RFC 6902', async (t) => checkRows(t, RFC_6902));
t.test('the examples of RFC 6901', async (t) => checkRows(t, RFC_6901));
t.test('the public suite: patches that apply', async (t) => checkRows(t, SUITE_APPLIES));
t.test('the public suite: patches that do not', async (t) => checkRows(t, SUITE_REFUSES));
t.test('where the reference has its own ways', async (t) => checkRows(t, OWN_WAYS));

const UNREADABLE: readonly (readonly [text: string, refusal: string])[] = [
  ['', '400 unexpected end of JSON input'],
  ['[{]', "400 invalid character ']' looking for beginning of object key string"],
  ['{"op":"add"}', '400 json: cannot unmarshal object into Go value of type jsonpatch.Patch'],
  ['"add"', '400 json: cannot unmarshal string into Go value of type jsonpatch.Patch'],
  [
    '12345678901234567890',
    '400 json: cannot unmarshal number into Go value of type jsonpatch.Patch',
  ],
  ['[{},1]', '400 json: cannot unmarshal number into Go value of type jsonpatch.Operation'],
  ['[[]]', '400 json: cannot unmarshal array into Go value of type jsonpatch.Operation'],
  ['[true]', '400 json: cannot unmarshal bool into Go value of type jsonpatch.Operation'],
];

t.test('what is no list of objects is refused before it is applied', async (t) => {
  for (const [text, refusal] of UNREADABLE) {
    t.equal(
      refusalOr(() => parseJsonPatch(text)),
      refusal,
      text,
    );
  }
  t.same(parseJsonPatch('null'), [], 'null has no operations');
  t.equal(outcome('{}', ['{"op":"add","path":"/a"}']), '{"a":null}');
  t.equal(
    refusalOr(() => applyJsonPatch({}, parseJsonPatch('[null]'))),
    '422 Unexpected kind: unknown',
  );
});

t.test('a patch has 10000 operations at most', async (t) => {
  const lines = (count: number): string[] => Array.from({ length: count }, () => 'add /a = 1');
  t.equal(outcome('{}', lines(10_000)), '{"a":1}');
  t.equal(
    outcome('{}', lines(10_001)),
    '413 Request entity too large: ' +
      'The allowed maximum operations in a JSON patch is 10000, got 10001',
  );
});

t.test('a patch can be applied again: what it brought is not changed in it', async (t) => {
  const lines = ['add /a = {"x":[]}', 'add /b = 1', 'add /a/x/- = 1', 'replace  = {"r":[]}'];
  const patch = parseJsonPatch(jsonPatchText([...lines, 'add /r/- = 2']));
  for (const time of ['first', 'second']) {
    t.equal(sortedText(applyJsonPatch(parseDocument('{}'), patch)), '{"r":[2]}', time);
  }
  const twice = outcome('{}', ['add /a = {"x":1}', 'copy /b < /a', 'copy /c < /b', 'remove /b/x']);
  t.equal(twice, '{"a":{"x":1},"b":{},"c":{"x":1}}');
});

const PROBLEMS: readonly (readonly [patch: string, problems: readonly string[]])[] = [
  ['null', []],
  ['[{"op":"add","path":"/a","value":{"x":1}}]', []],
  [
    '[{"op":"add","path":"/a","OP":1}, {"extra":{"a":1,"a":2}}]',
    ['unknown field "[0].OP"', 'unknown field "[1].extra"'],
  ],
  ['[{"op":"add","op":"add","op":"test"}]', ['duplicate field "[0].op"']],
  [
    '[{"value":{"a":[1,{"b":1,"b":2}],"a":2}}]',
    ['duplicate field "[0].value.a[1].b"', 'duplicate field "[0].value.a"'],
  ],
];

t.test('what strict decoding finds in a patch', async (t) => {
  for (const [patch, problems] of PROBLEMS) {
    const expected = problems.map((problem) => `json patch ${problem}`);
    t.same(jsonPatchProblems(patch), expected, patch);
  }
  const many = Array.from({ length: 200 }, (_, index) => `{"x${index}":1}`).join(',');
  t.equal(jsonPatchProblems(`[${many}]`).length, 100, 'and no further');
});

t.test('members that come twice in another patch, known or not', (t) => {
  t.same(repeatedInPatch('{"a":{"b":[{"c":1},{"c":1,"c":2}]},"__proto__":1,"__proto__":{}}'), [
    'duplicate field "a.b[1].c"',
    'duplicate field "__proto__"',
  ]);
  t.same(repeatedInPatch('{"a":{"b":1},"c":{"b":1}}'), []);
  t.end();
});
