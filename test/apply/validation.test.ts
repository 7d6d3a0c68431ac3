/** Configurations that the schema does not allow. */
import t from 'tap';
import { schema } from '../support/apply-scenario.ts';
import { accepts, refuses } from './field-tables.ts';

const TYPES = schema(`
  message Object {
    optional string text = 1;
    optional double number = 2;
    optional bool flag = 3;
    repeated string set = 4 [(list_type) = "set"];
    repeated bool flags = 5 [(list_type) = "set"];
    repeated double numbers = 6 [(list_type) = "set"];
    repeated Item keyed = 7 [
      (list_type) = "map", (list_map_keys) = "key", (list_map_keys) = "id"
    ];
    repeated string atomic = 8;
    optional meta.v1.RawExtension any = 9;
    optional meta.v1.IntOrString either = 10;
    optional meta.v1.Quantity quantity = 11;
    optional Item item = 12;
    map<string, Item> map = 13;
  }
  message Item {
    optional string key = 1;
    optional int32 id = 2;
    map<string, string> value = 3;
    optional bool flag = 4;
    optional double number = 5;
  }
`);

t.test('what is allowed', async (t) => {
  accepts(t, TYPES, [
    '{}',
    '{text: foo}',
    '{text: ~}',
    '{number: ~}',
    '{number: 1}',
    '{number: 3.5}',
    '{flag: ~}',
    '{flag: false}',
    '{set: [a, b, c]}',
    '{set: ~}',
    '{flags: [true, false]}',
    '{numbers: [1, 2, 3, 3.5]}',
    '{keyed: []}',
    '{keyed: [{key: a, id: 1, value: {a: a}}]}',
    '{keyed: [{key: a, id: 1}, {key: a, id: 2}, {key: b, id: 1}]}',
    '{atomic: [a, a, a]}',
    '{any: 1}',
    '{any: {}}',
    '{any: ~}',
    '{any: [1, {a: [~]}]}',
    '{any: {a: ["a", "b"], b: {c: 2}}}',
    '{either: 1}',
    '{either: a}',
    '{quantity: 1}',
    '{quantity: 1Gi}',
    '{item: ~}',
    '{item: {}}',
    '{map: {a: ~}}',
    '{apiVersion: v1, kind: Object}',
  ]);
});

t.test('values of the wrong type', async (t) => {
  refuses(t, TYPES, [
    ['{text: 1}', '.text: expected string, got …'],
    ['{text: 3.5}', '.text: expected string, got …'],
    ['{text: true}', '.text: expected string, got …'],
    ['{text: {a: 1}}', '.text: expected string, got …'],
    ['{text: [a]}', '.text: expected string, got …'],
    ['{number: foo}', '.number: expected numeric (int or float), got string'],
    ['{number: true}', '.number: expected numeric (int or float), got bool'],
    ['{number: [1]}', '.number: expected numeric (int or float), got …'],
    ['{number: {a: 1}}', '.number: expected numeric (int or float), got …'],
    ['{flag: 1}', '.flag: expected boolean, got …'],
    ['{flag: 3.5}', '.flag: expected boolean, got …'],
    ['{flag: foo}', '.flag: expected boolean, got …'],
    ['{flag: {a: 1}}', '.flag: expected boolean, got …'],
    ['{flag: [true]}', '.flag: expected boolean, got …'],
    ['{keyed: {key: a}}', '.keyed: expected list, got …'],
    ['{keyed: true}', '.keyed: expected list, got …'],
    ['{item: []}', '.item: expected map, got …'],
    ['{item: text}', '.item: expected map, got …'],
    ['{map: {a: text}}', '.map.a: expected map, got …'],
    ['{item: {value: {a: 1}}}', '.item.value.a: expected string, got …'],
  ]);
});

t.test('members that the schema does not have', async (t) => {
  refuses(t, TYPES, [
    ['{other: 1}', '.other: field not declared in schema'],
    ['{text: a, item: {other: 1}}', '.item.other: field not declared in schema'],
    ['{map: {a: {other: 1}}}', '.map.a.other: field not declared in schema'],
    ['{keyed: [{key: a, id: 1, other: 1}]}', '.keyed[id=1,key="a"].other: field not declared…'],
    ['{__proto__: {}}', '.__proto__: field not declared in schema'],
    ['{constructor: 1}', '.constructor: field not declared in schema'],
  ]);
});

t.test('items that cannot be told apart', async (t) => {
  const noKey = 'associative list with keys has an element that omits key field';
  refuses(t, TYPES, [
    ['{set: [a, a]}', '.set: duplicate entries for key [="a"]'],
    ['{flags: [true, false, true]}', '.flags: duplicate entries for key [=true]'],
    ['{numbers: [1, 2, 3.5, 1]}', '.numbers: duplicate entries for key [=1]'],
    ['{numbers: [1, 1.0]}', '.numbers: duplicate entries for key [=1]'],
    ['{set: [1]}', '.set[=1]: expected string, got …'],
    ['{set: [true]}', '.set[=true]: expected string, got …'],
    ['{flags: [1]}', '.flags[=1]: expected boolean, got …'],
    ['{numbers: [a]}', '.numbers[="a"]: expected numeric (int or float), got string'],
    [
      '{set: [~]}',
      ".set: element 0: associative list without keys has an element that's an explicit null",
    ],
    [
      '{flags: [{}]}',
      ".flags: element 0: associative list without keys has an element that's a map type",
    ],
    [
      '{numbers: [[]]}',
      '.numbers: element 0: not supported: associative list with lists as elements',
    ],
    ['{keyed: [{}]}', `.keyed: element 0: ${noKey} "key" (and doesn't have default value)`],
    ['{keyed: [{key: a}]}', `.keyed: element 0: ${noKey} "id" (and doesn't have default value)`],
    [
      '{keyed: [{key: a, id: 1}, {id: 1}]}',
      `.keyed: element 1: ${noKey} "key" (and doesn't have default value)`,
    ],
    ['{keyed: [~]}', '.keyed: element 0: associative list with keys may not have a null element'],
    [
      '{keyed: [[]]}',
      '.keyed: element 0: associative list with keys may not have non-map elements',
    ],
    ['{keyed: [a]}', '.keyed: element 0: associative list with keys may not have non-map elements'],
    [
      '{keyed: [{key: a, id: 1}, {key: a, id: 1}]}',
      '.keyed: duplicate entries for key [id=1,key="a"]',
    ],
    ['{keyed: [{key: a, id: 1, flag: "true"}]}', '.keyed[id=1,key="a"].flag: expected boolean…'],
    ['{keyed: [{key: a, id: 1, number: no}]}', '.keyed[id=1,key="a"].number: expected numeric…'],
    ['{keyed: [{key: true, id: 1}]}', '.keyed[id=1,key=true].key: expected string…'],
  ]);
});

t.test('several faults at once', async (t) => {
  refuses(t, TYPES, [
    [
      '{number: a, set: [b, b]}',
      'errors: |   .number: expected numeric (int or float), got string |   .set: duplicate entries…',
    ],
    ['{aaa: 1, zzz: 2}', '.aaa: field not declared in schema'],
  ]);
});
