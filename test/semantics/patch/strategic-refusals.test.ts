/** Strategic merge patch refuses these, with the codes and texts of the reference. */
import t from 'tap';
import { demoPlan, outcome, read } from './strategic-notation.ts';
import type { Scenario } from './strategic-notation.ts';

const DEMO = 'in struct Thing for the json field';

function check(title: string, scenarios: readonly Scenario[]): void {
  t.test(title, async (t) => {
    for (const [what, document, patch, refusal] of scenarios) {
      t.equal(outcome(demoPlan, read(document), read(patch)), refusal, what);
    }
  });
}

check('directives of the wrong form', [
  ['$retainKeys is no list', '{}', '{$retainKeys: name}', '400 invalid patch format of retainKeys'],
  ['it is null', '{}', '{$retainKeys: null}', '400 invalid patch format of retainKeys'],
  [
    'it does not list a member',
    '{}',
    '{$retainKeys: [name], value: x}',
    '400 invalid patch format of retainKeys',
  ],
  [
    'a directive without a field',
    '{}',
    '{$setElementOrder: []}',
    '400 invalid patch format of setElementOrder list',
  ],
  [
    'another directive',
    '{}',
    '{$setElementOrders/things: []}',
    '400 invalid patch format of setElementOrder list',
  ],
  [
    'a deletion without a field',
    '{}',
    '{$deleteFromPrimitiveList: []}',
    '400 invalid patch format of primitive list',
  ],
  [
    'another deletion',
    '{}',
    '{$deleteFromPrimitiveLists/numbers: []}',
    '400 invalid patch format of primitive list',
  ],
  [
    'a deletion that is no list',
    '{numbers: [1]}',
    '{$deleteFromPrimitiveList/numbers: 1}',
    '400 invalid patch format of primitive list',
  ],
  [
    'a deletion of objects',
    '{things: [+a]}',
    '{$deleteFromPrimitiveList/things: [+a]}',
    '400 invalid patch format of primitive list',
  ],
  [
    'an order that is no list',
    '{}',
    '{$setElementOrder/things: {a: 1}}',
    '500 expected a []interface {}, but received a map[string]interface {}',
  ],
  [
    'an order that is null',
    '{}',
    '{$setElementOrder/things: null}',
    '500 expected a []interface {}, but received a %!s(<nil>)',
  ],
]);

check('$patch with another value', [
  [
    'a word',
    '{}',
    '{$patch: x, name: a}',
    '500 unknown patch type: x in map: map[$patch:x name:a]',
  ],
  ['a number', '{}', '{$patch: 5}', '500 unknown patch type: %!s(int64=5) in map: map[$patch:5]'],
  [
    'a boolean',
    '{}',
    '{$patch: true}',
    '500 unknown patch type: %!s(bool=true) in map: map[$patch:true]',
  ],
  ['null', '{}', '{$patch: null}', '500 unknown patch type: %!s(<nil>) in map: map[$patch:<nil>]'],
  [
    'an object',
    '{}',
    '{$patch: {a: 1}}',
    '500 unknown patch type: map[a:%!s(int64=1)] in map: map[$patch:map[a:1]]',
  ],
  [
    'in an item',
    '{things: [+a]}',
    '{things: [{$patch: x, name: b}]}',
    '500 unknown patch type: x in map: map[$patch:x name:b]',
  ],
]);

check('items that cannot be told apart', [
  [
    'no key in the patch',
    '{things: [+a]}',
    '{things: [{value: b}]}',
    '500 map: map[value:b] does not contain declared merge key: name',
  ],
  [
    'no key in what is deleted',
    '{things: [+a]}',
    '{things: [{$patch: delete}]}',
    '500 map: map[$patch:delete] does not contain declared merge key: name',
  ],
  [
    'no key in the object',
    '{things: [{value: b}]}',
    '{things: [+a]}',
    '500 map: map[value:b] does not contain declared merge key: name',
  ],
  [
    'no key in what replaces',
    '{things: [+a]}',
    '{things: [{value: b}, -*]}',
    '500 map: map[value:b] does not contain declared merge key: name',
  ],
  [
    'no key in an order',
    '{things: [+a]}',
    '{$setElementOrder/things: [{value: b}]}',
    '500 map: map[value:b] does not contain declared merge key: name',
  ],
  [
    'no key in an ordered list',
    '{things: [{}]}',
    '{$setElementOrder/things: [+a]}',
    '500 map: map[] does not contain declared merge key: name',
  ],
  [
    'no key in the schema',
    '{keyless: [+a]}',
    '{keyless: [+b]}',
    '500 cannot merge lists without merge key for struct',
  ],
  [
    'scalars for objects',
    '{things: []}',
    '{things: [1]}',
    '500 expected a map[string]interface {}, but received a int64',
  ],
  [
    'objects for scalars',
    '{numbers: []}',
    '{numbers: [{}]}',
    '500 cannot merge lists without merge key for int32',
  ],
  [
    'scalars in an order',
    '{things: [+a]}',
    '{$setElementOrder/things: [1]}',
    '500 expected a map[string]interface {}, but received a int64',
  ],
  [
    'objects in an order of a replaced list',
    '{plainThings: [+a]}',
    '{$setElementOrder/plainThings: [+a]}',
    '500 cannot merge lists without merge key for struct',
  ],
]);

check('items of several types', [
  ['lists of lists', '{numbers: []}', '{numbers: [[1]]}', '422 lists of lists are not supported'],
  [
    'in an order',
    '{}',
    '{$setElementOrder/numbers: [], numbers: [[1]]}',
    '422 lists of lists are not supported',
  ],
  [
    'a string in numbers',
    '{numbers: [1]}',
    '{numbers: [a]}',
    '500 list element types are not identical: [[1] [a]]',
  ],
  [
    'a fraction in numbers',
    '{numbers: [1]}',
    '{numbers: [1.5]}',
    '500 list element types are not identical: [[1] [1.5]]',
  ],
  [
    'a list in objects',
    '{things: [+a]}',
    '{things: [[1]]}',
    '500 list element types are not identical: [[map[name:a]] [[1]]]',
  ],
  [
    'null',
    '{things: [+a]}',
    '{things: [null]}',
    '500 list element types are not identical: [[map[name:a]] [<nil>]]',
  ],
  [
    'nothing but null',
    '{numbers: []}',
    '{numbers: [null]}',
    '500 list element types are not identical: [[] [<nil>]]',
  ],
  [
    'nothing to order',
    '{things: []}',
    '{$setElementOrder/things: [+a]}',
    '500 no elements in any of the given slices',
  ],
]);

check('patches that do not follow their order', [
  [
    'objects',
    '{}',
    '{$setElementOrder/things: [+a, +b], things: [+b, +a]}',
    "500 The order in patch list:\n[map[name:b] map[name:a]]\n doesn't match $setElementOrder list:\n[map[name:a] map[name:b]]\n",
  ],
  [
    'scalars',
    '{numbers: [1, 2, 3]}',
    '{$setElementOrder/numbers: [1, 2, 3], numbers: [3, 1]}',
    "500 The order in patch list:\n[3 1]\n doesn't match $setElementOrder list:\n[1 2 3]\n",
  ],
  [
    'an item that is not in it',
    '{}',
    '{$setElementOrder/numbers: [1], numbers: [2]}',
    "500 The order in patch list:\n[2]\n doesn't match $setElementOrder list:\n[1]\n",
  ],
  [
    'an item twice',
    '{}',
    '{$setElementOrder/numbers: [1], numbers: [1, 1]}',
    "500 The order in patch list:\n[1 1]\n doesn't match $setElementOrder list:\n[1]\n",
  ],
  [
    'a directive behind its end',
    '{}',
    '{$setElementOrder/things: [+a], things: [+a, -*]}',
    "500 The order in patch list:\n[map[name:a] map[$patch:replace]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n",
  ],
  [
    'of no list',
    '{}',
    '{$setElementOrder/things: [+a], things: 1}',
    '500 expected a []interface {}, but received a int64',
  ],
  [
    'of a list that goes',
    '{things: [+a]}',
    '{$setElementOrder/things: [+a], things: null}',
    '500 expected a []interface {}, but received a %!s(<nil>)',
  ],
  [
    'of what is no list',
    '{name: a}',
    '{$setElementOrder/name: [+a]}',
    '500 expected a []interface {}, but received a string',
  ],
]);

check('fields that the schema does not know', [
  ['two objects meet', '{u: {a: 1}}', '{u: {b: 2}}', `500 unable to find api field ${DEMO} "u"`],
  ['two lists meet', '{u: [1]}', '{u: [2]}', `500 unable to find api field ${DEMO} "u"`],
  ['an order', '{}', '{$setElementOrder/u: []}', `500 unable to find api field ${DEMO} "u"`],
  [
    'its name is quoted',
    '{}',
    '{$setElementOrder/"\\t": []}',
    `500 unable to find api field ${DEMO} "\\"\\\\t\\""`,
  ],
  [
    'in JSON of any shape',
    '{raw: {a: {}}}',
    '{raw: {a: {}}}',
    '500 unable to find api field in struct RawExtension for the json field "a"',
  ],
  [
    'two objects of a map',
    '{parts: {a: {}}}',
    '{parts: {a: {}}}',
    '500 merging an object in json but data type is not struct, instead is: map',
  ],
  [
    'two lists of a map',
    '{labels: {a: [1]}}',
    '{labels: {a: [1]}}',
    '500 merging an object in json but data type is not struct, instead is: map',
  ],
  [
    'an order of a map',
    '{}',
    '{$setElementOrder/labels: []}',
    '500 expected slice or array type, but got: struct',
  ],
]);

t.test('a name in the wrong case is known, as it is to the reference', async (t) => {
  t.strictSame(outcome(demoPlan, {}, read('{$setElementOrder/THINGS: []}')), {});
});

t.test('patches that are no objects', async (t) => {
  const type = 'into Go value of type map[string]interface {}';
  const rows: [patch: unknown, found: string][] = [
    [[1], 'array'],
    ['a', 'string'],
    [1, 'number'],
    [true, 'bool'],
  ];
  for (const [patch, found] of rows) {
    t.equal(outcome(demoPlan, {}, patch), `400 json: cannot unmarshal ${found} ${type}`);
  }
});
